/* SPDX-License-Identifier: MIT */
/*
 * perf, as `perf data convert --to-ctf --all` writes it. What the kernel's
 * scheduler events call pid is a tid; so is perf_tid, perf_pid is the process.
 * All ids are those of perf's own PID namespace, the root's as a rule.
 */
#include "table.h"

#include <string.h>

static const struct learn_row rows[] = {
	/* A thread that is all but gone has perf_tid -1. */
	{ "*", LEARN_RUNS, .member = {
		[LEARN_TID] = "perf_tid", [LEARN_OR_TID] = "?common_pid" } },
	/* perf's own records have no sample: the thread that they tell of. */
	{ "perf_fork", LEARN_RUNS, .member = {
		[LEARN_TID] = "ptid" } },
	{ "perf_*", LEARN_RUNS, .member = {
		[LEARN_TID] = "tid" } },

	/* Before perf 4.4 there was one stream for all CPUs. */
	{ "*", LEARN_ON_CPU, .member = {
		[LEARN_CPU] = "perf_cpu" } },

	{ "sched:sched_switch", LEARN_SWITCH, .member = {
		[LEARN_TID] = "prev_pid", [LEARN_COMM] = "prev_comm",
		[LEARN_NEXT_TID] = "next_pid",
		[LEARN_NEXT_COMM] = "next_comm",
		[LEARN_STATE] = "?prev_state" } },
	{ "sched:sched_process_fork", LEARN_BORN,
		.teller = COMMCACHE_HISTORY_TELLER_FORK, .member = {
		[LEARN_TID] = "child_pid", [LEARN_COMM] = "child_comm",
		[LEARN_PARENT] = "?parent_pid" } },
	{ "sched:sched_process_exec", LEARN_EXEC, .member = {
		[LEARN_TID] = "pid", [LEARN_OLD_TID] = "?old_pid",
		[LEARN_FILENAME] = "filename" } },
	{ "sched:sched_process_exit", LEARN_ENDING, .member = {
		[LEARN_TID] = "pid", [LEARN_COMM] = "comm" } },
	{ "sched:sched_process_free", LEARN_DIES, LEARN_LATE, .member = {
		[LEARN_TID] = "pid", [LEARN_COMM] = "comm" } },
	/* The comm is the waiting thread's, the pid the awaited one's. */
	{ "sched:sched_process_wait", LEARN_IS, .member = {
		[LEARN_COMM] = "comm" } },
	{ "block:*", LEARN_IS, .without = "pid", .member = {
		[LEARN_COMM] = "comm" } },

	{ "task:task_newtask", LEARN_BORN,
		.teller = COMMCACHE_HISTORY_TELLER_NEWTASK, .member = {
		[LEARN_TID] = "pid", [LEARN_COMM] = "comm",
		[LEARN_PARENT] = "?perf_tid" } },
	{ "task:task_rename", LEARN_BECOMES, LEARN_BEFORE_CHANGE, .member = {
		[LEARN_TID] = "pid", [LEARN_OLD_COMM] = "oldcomm",
		[LEARN_COMM] = "newcomm" } },

	/* After the change, which it does not tell the old name of. */
	{ "perf_comm", LEARN_BECOMES, .member = {
		[LEARN_TID] = "tid", [LEARN_COMM] = "comm",
		[LEARN_PID] = "?pid" } },
	{ "perf_fork", LEARN_BORN,
		.teller = COMMCACHE_HISTORY_TELLER_PERF, .member = {
		[LEARN_TID] = "tid", [LEARN_PARENT] = "ptid",
		[LEARN_PID] = "?pid" } },
	{ "perf_exit", LEARN_DIES, .member = {
		[LEARN_TID] = "tid", [LEARN_PID] = "?pid" } },

	{ "syscalls:sys_enter_prctl", LEARN_ENTER_PRCTL, .member = {
		[LEARN_OPTION] = "option" } },
	{ "syscalls:sys_exit_prctl", LEARN_LEAVE, .member = {
		[LEARN_RET] = "ret" } },
};

static const char *const virtual_payloads[] = {
	"syscalls:*", NULL,
};

/* The thread of perf_tid once more. */
static const char *const no_ids[] = {
	"*/common_pid", NULL,
};

static bool knows(const struct learn_tracer *tracer)
{
	if (tracer->tracer_name)
		return strcmp(tracer->tracer_name, "perf") == 0;
	return tracer->has_event(tracer, "sched:sched_*") ||
		tracer->has_event(tracer, "perf_comm");
}

const struct learn_table learn_perf = {
	.name = "perf",
	.knows = knows,
	.rows = rows,
	.row_count = sizeof(rows) / sizeof(rows[0]),
	.virtual_payloads = virtual_payloads,
	.no_ids = no_ids,
	.packets_apart = true,
};
