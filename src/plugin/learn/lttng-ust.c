/* SPDX-License-Identifier: MIT */
/*
 * LTTng's user-space tracer, and commcache's own tracepoint provider in it.
 * All ids are as the process sees them in its own PID namespace.
 */
#include "table.h"

#include <string.h>

static const struct learn_row rows[] = {
	{ "*", LEARN_RUNS, .member = {
		[LEARN_VTID] = "ctx:vtid" } },

	/* Read once for each thread. */
	{ "*", LEARN_IS, LEARN_WEAK, .member = {
		[LEARN_COMM] = "ctx:procname" } },


	/*
	 * Told by UST's listener thread of the process: the name at load of
	 * the thread that loaded it, the main one as a rule.
	 */
	{ "lttng_ust_statedump:procname", LEARN_IS, LEARN_WEAK, .member = {
		[LEARN_VTID] = "ctx:vpid", [LEARN_COMM] = "procname" } },

	{ "commcache:process", LEARN_LIVES_IN, .member = {
		[LEARN_VTID] = "pid", [LEARN_NS] = "pid_ns" } },
	{ "commcache:process", LEARN_IS, .member = {
		[LEARN_VTID] = "pid", [LEARN_COMM] = "comm",
		[LEARN_PID] = "pid" } },
	{ "commcache:thread_start", LEARN_BORN,
		.teller = COMMCACHE_HISTORY_TELLER_SELF, .member = {
		[LEARN_VTID] = "tid", [LEARN_COMM] = "comm",
		[LEARN_PARENT] = "?parent_tid", [LEARN_PID] = "?pid",
		[LEARN_TIME] = "?ts" } },
	{ "commcache:thread_rename", LEARN_BECOMES, .member = {
		[LEARN_VTID] = "tid", [LEARN_COMM] = "comm",
		[LEARN_OLD_COMM] = "?prev_comm", [LEARN_PID] = "?pid",
		[LEARN_TIME] = "?ts" } },
	{ "commcache:thread_exit", LEARN_DIES, .member = {
		[LEARN_VTID] = "tid", [LEARN_COMM] = "?comm",
		[LEARN_PID] = "?pid", [LEARN_TIME] = "?ts" } },
	{ "commcache:statedump_thread", LEARN_IS, .member = {
		[LEARN_VTID] = "tid", [LEARN_COMM] = "comm",
		[LEARN_PID] = "?pid", [LEARN_TIME] = "?ts" } },
	{ "commcache:sched_switch", LEARN_IS, .member = {
		[LEARN_VTID] = "tid", [LEARN_COMM] = "comm",
		[LEARN_TIME] = "?ts" } },
	{ "commcache:sched_switch", LEARN_HALF_SWITCH, .member = {
		[LEARN_VTID] = "tid", [LEARN_CPU] = "cpu", [LEARN_IN] = "in",
		[LEARN_PREEMPTED] = "?preempted", [LEARN_TIME] = "?ts",
		[LEARN_PID] = "?pid" } },
	{ "commcache:lost", LEARN_HALVES_LOST, .member = {
		[LEARN_CPU] = "cpu" } },
};

static bool knows(const struct learn_tracer *tracer)
{
	if (tracer->tracer_name)
		return strcmp(tracer->tracer_name, "lttng-ust") == 0;
	return (tracer->domain && strcmp(tracer->domain, "ust") == 0) ||
		tracer->has_event(tracer, "lttng_ust_*") ||
		tracer->has_event(tracer, "commcache:*");
}

const struct learn_table learn_lttng_ust = {
	.name = "LTTng-UST",
	.knows = knows,
	.rows = rows,
	.row_count = sizeof(rows) / sizeof(rows[0]),
	.ids_virtual = true,
};
