/* SPDX-License-Identifier: MIT */
#include "resolve/report.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

const char *report_source_name(enum commcache_history_source source)
{
	static const char *const names[] = {
		[COMMCACHE_HISTORY_SET] = "set",
		[COMMCACHE_HISTORY_INHERITED] = "inherited",
		[COMMCACHE_HISTORY_SEEN] = "seen",
		[COMMCACHE_HISTORY_LATER] = "later",
		[COMMCACHE_HISTORY_FILE] = "file",
		[COMMCACHE_HISTORY_UNKNOWN] = "unknown",
		[COMMCACHE_HISTORY_BETWEEN] = "between",
	};

	return names[source];
}

static const char *const reason_names[] = {
	[COMMCACHE_HISTORY_REASON_NO_THREAD] = "thread never told of",
	[COMMCACHE_HISTORY_REASON_NO_LIFE] = "thread not alive then",
	[COMMCACHE_HISTORY_REASON_NO_EVIDENCE] = "no name told",
	[COMMCACHE_HISTORY_REASON_RENAMED] = "renamed, not told to what",
	[COMMCACHE_HISTORY_REASON_PARENT] = "parent's name unknown",
	[COMMCACHE_HISTORY_REASON_NOT_JOINED] = "namespace not told of",
};

static uint64_t sum(const uint64_t *counts, size_t size)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < size; i++)
		total += counts[i];
	return total;
}

/* ", COUNT WHAT", or nothing for 0. */
static void append_count(GString *line, uint64_t count, const char *what)
{
	if (count > 0)
		g_string_append_printf(line, ", %" PRIu64 " %s", count, what);
}

/* Puts what was appended behind `from` into parentheses. */
static void enclose(GString *line, gsize from)
{
	if (line->len == from)
		return;
	/* The comma that it begins with becomes the parenthesis. */
	line->str[from] = ' ';
	line->str[from + 1] = '(';
	g_string_append_c(line, ')');
}

static void print_statistics(const struct report *report, const char *name)
{
	const uint64_t named = sum(report->named, G_N_ELEMENTS(report->named));
	GString *line = g_string_new(NULL);
	gsize from;
	size_t i;

	g_string_append_printf(line, "%s: %" PRIu64 " events: %" PRIu64
		" named", name, report->events, named);
	from = line->len;
	for (i = 0; i < G_N_ELEMENTS(report->named); i++)
		append_count(line, report->named[i], report_source_name(i));
	enclose(line, from);
	append_count(line, report->events - named, "unknown");
	from = line->len;
	append_count(line, report->no_tid, "no tid");
	append_count(line, report->ambiguous, "in one of two PID namespaces");
	for (i = 1; i < G_N_ELEMENTS(report->unknown); i++)
		append_count(line, report->unknown[i], reason_names[i]);
	enclose(line, from);
	append_count(line, report->by_cpu, "by the CPU's current thread");
	append_count(line, report->weak,
		"by a procname that may be stale");
	append_count(line, report->assumed_root,
		"taken as of the root PID namespace");
	append_count(line, report->dropped, "dropped");
	fprintf(stderr, "%s\n", line->str);
	g_string_free(line, TRUE);
}

/* What the trace lacks, in the words of the command that records it. */
static const char *find_advice(const struct report *report)
{
	const uint64_t unnamed = report->events;

	if (report->ambiguous == unnamed)
		return "the threads of two PID namespaces have the numbers "
			"that its events tell. Record next time with `lttng "
			"add-context --userspace --type=pid_ns`, or with "
			"`commcache record`";
	if (report->no_tid == unnamed && report->unnamed_ust > 0)
		return "no event tells which thread ran it. Record next time "
			"with `lttng add-context --userspace --type=vtid "
			"--type=vpid`, and for names with `commcache record` "
			"or LD_PRELOAD=libcommcache-ust.so";
	if (report->no_tid == unnamed && report->unnamed_kernel > 0)
		return "no event tells which thread ran it. Record next time "
			"with `lttng enable-event --kernel sched_switch`, or "
			"`lttng add-context --kernel --type=tid "
			"--type=procname`";
	if (report->no_tid == unnamed)
		return "no event tells which thread ran it (by a context "
			"`tid`, or the CPU's sched_switch)";
	if (report->unnamed_ust > 0)
		return "no event tells what threads are called. Record next "
			"time with `commcache record`, or with "
			"LD_PRELOAD=libcommcache-ust.so in the program's "
			"environment and `lttng enable-event --userspace "
			"'commcache:*'`; or beside a kernel trace with "
			"`lttng enable-event --kernel sched_switch`";
	if (report->unnamed_kernel > 0)
		return "no event tells what threads are called. Record next "
			"time with `lttng enable-event --kernel sched_switch,"
			"sched_process_fork,sched_process_exec`";
	return "no event tells what threads are called";
}

/* What would have told of the renames that are not known by their moment. */
static void print_between(const struct report *report, const char *name)
{
	fprintf(stderr, "%s: %" PRIu64 " events have the older of two names, for "
		"nothing tells when their threads were renamed. Record next time "
		"with `lttng enable-event --kernel --syscall prctl,write,openat,"
		"execve`, or `lttng add-context --kernel --type=procname`.\n",
		name, report->named[COMMCACHE_HISTORY_BETWEEN]);
}

void report_print(const struct report *report, const bt_component *component)
{
	const bt_logging_level level =
		bt_component_get_logging_level(component);
	const char *name = bt_component_get_name(component);

	if (report->events == 0)
		return;
	if (level <= BT_LOGGING_LEVEL_INFO)
		print_statistics(report, name);
	if (level <= BT_LOGGING_LEVEL_INFO &&
			report->named[COMMCACHE_HISTORY_BETWEEN] > 0)
		print_between(report, name);
	if (level <= BT_LOGGING_LEVEL_WARNING &&
			sum(report->named, G_N_ELEMENTS(report->named)) == 0)
		fprintf(stderr, "%s: nothing could be named: %s.\n", name,
			find_advice(report));
}
