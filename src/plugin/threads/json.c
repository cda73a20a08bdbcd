/* SPDX-License-Identifier: MIT */
#include "threads/output.h"

#include <inttypes.h>

#include "json-text.h"
#include "learn/clock-id.h"
#include "resolve/report.h"

static void print_string(const char *text, FILE *file)
{
	GString *json = g_string_new(NULL);

	json_text_append(json, text);
	fputs(json->str, file);
	g_string_free(json, TRUE);
}

static void print_string_or_null(const char *text, FILE *file)
{
	if (text)
		print_string(text, file);
	else
		fputs("null", file);
}

/* `none` is what is not known. */
static void print_number(const char *key, int64_t number, int64_t none,
		FILE *file)
{
	if (number == none)
		fprintf(file, ", \"%s\": null", key);
	else
		fprintf(file, ", \"%s\": %" PRId64, key, number);
}

static void print_counts(const struct threads_row *row, FILE *file)
{
	const struct threads_counts *counts = &row->counts;

	fprintf(file, ", \"events\": %" PRIu64, counts->events);
	print_number("first_ns", counts->first, THREADS_NO_TIME, file);
	print_number("last_ns", counts->last, THREADS_NO_TIME, file);
	if (counts->has_cycles)
		fprintf(file, ", \"cpu_time_ns\": %" PRIu64,
			threads_boot_duration(row->boot, counts->cycles));
	else
		fputs(", \"cpu_time_ns\": null", file);
	if (row_tells_switches(row))
		fprintf(file, ", \"switches\": %" PRIu64, counts->switches);
	else
		fputs(", \"switches\": null", file);
	if (row_tells_preemptions(row))
		fprintf(file, ", \"preemptions\": %" PRIu64,
			counts->preemptions);
	else
		fputs(", \"preemptions\": null", file);
}

static void print_boot_id(const bt_clock_class *clock_class, FILE *file)
{
	uint8_t uuid[16];
	int i;

	if (!clock_class || !clock_id_uuid(clock_class, uuid)) {
		print_string_or_null(clock_class ? clock_id_uid(clock_class) :
			NULL, file);
		return;
	}
	putc('"', file);
	for (i = 0; i < 16; i++)
		fprintf(file, i == 4 || i == 6 || i == 8 || i == 10 ?
			"-%02x" : "%02x", uuid[i]);
	putc('"', file);
}

static void print_boot(const struct threads_boot *boot, FILE *file)
{
	char *host = output_host(boot);

	fputs("\"host\": ", file);
	print_string_or_null(host[0] ? host : NULL, file);
	g_free(host);
	fputs(", \"boot\": ", file);
	print_boot_id(boot->clock_class, file);
}

static void print_ids(const struct threads_row *row, FILE *file)
{
	print_number("pid", row->is_virtual ? THREADS_NO_ID : row->pid,
		THREADS_NO_ID, file);
	print_number("tid", row->is_virtual ? THREADS_NO_ID : row->tid,
		THREADS_NO_ID, file);
	print_number("vpid", row->is_virtual ? row->pid : THREADS_NO_ID,
		THREADS_NO_ID, file);
	print_number("vtid", row->is_virtual ? row->tid : row->vtid,
		THREADS_NO_ID, file);
	if (row->ns_inum == COMMCACHE_HISTORY_NS_UNKNOWN)
		fputs(", \"pid_ns\": null", file);
	else
		fprintf(file, ", \"pid_ns\": %" PRIu64, row->ns_inum);
	print_number("idle_cpu", row->cpu, -1, file);
}

static void print_name(const struct threads_row *row, FILE *file)
{
	const bool is_known =
		row->name.source != COMMCACHE_HISTORY_UNKNOWN;

	fputs("\n    {\"name\": ", file);
	print_string_or_null(is_known ? row->text : NULL, file);
	print_number("since_ns", row->since, THREADS_NO_TIME, file);
	fprintf(file, ", \"learned\": \"%s\", \"may_be_stale\": %s",
		report_source_name(row->name.source),
		row->name.weak ? "true" : "false");
	print_counts(row, file);
	putc('}', file);
}

static void print_thread(const struct rows *rows,
		const struct threads_row *thread, FILE *file)
{
	guint i;

	fputs("\n  {", file);
	print_boot(thread->boot, file);
	print_ids(thread, file);
	print_counts(thread, file);
	fputs(", \"names\": [", file);
	for (i = 0; i < thread->name_count; i++) {
		if (i > 0)
			putc(',', file);
		print_name(&g_array_index(rows->names, struct threads_row,
			thread->first_name + i), file);
	}
	fputs("]}", file);
}

void output_json(struct rows *rows, FILE *file)
{
	guint i;

	fputs("{\"format\": \"commcache threads 1\", \"threads\": [", file);
	for (i = 0; i < rows->threads->len; i++) {
		if (i > 0)
			putc(',', file);
		print_thread(rows, &g_array_index(rows->threads,
			struct threads_row, i), file);
	}
	fputs("]}\n", file);
}
