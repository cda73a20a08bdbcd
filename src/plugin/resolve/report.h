/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_REPORT_H
#define COMMCACHE_PLUGIN_RESOLVE_REPORT_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

#include <commcache/history.h>

/* How events were named, and why not. */
struct report {
	uint64_t events;
	/* By enum commcache_history_source; UNKNOWN is not used. */
	uint64_t named[COMMCACHE_HISTORY_BETWEEN + 1];
	/* Of these: from a procname context that may be stale. */
	uint64_t weak;
	/* Of these: an id of no known namespace was taken as the root's. */
	uint64_t assumed_root;
	/* By enum commcache_history_reason. */
	uint64_t unknown[COMMCACHE_HISTORY_REASON_NOT_JOINED + 1];
	/* Unknown, because it is not known which thread ran the event. */
	uint64_t no_tid;
	/*
	 * Unknown, because threads of two PID namespaces have the number that
	 * the event tells.
	 */
	uint64_t ambiguous;
	/* Of all: the CPU's switches told which thread ran it. */
	uint64_t by_cpu;
	/* Named otherwise than `keep` asks. */
	uint64_t dropped;

	/* Of events that were not named: those of LTTng. */
	uint64_t unnamed_kernel;
	uint64_t unnamed_ust;
};

/* The text to name an answer's source: set, inherited, seen, later, ... */
const char *report_source_name(enum commcache_history_source source);

/*
 * One line on the standard error if the component logs at info level, and what
 * to record next time if nothing could be named.
 */
void report_print(const struct report *report,
		const bt_component *component);

#endif /* COMMCACHE_PLUGIN_RESOLVE_REPORT_H */
