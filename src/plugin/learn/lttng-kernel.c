/* SPDX-License-Identifier: MIT */
/*
 * LTTng's kernel tracer, lttng-modules 2.0 to 2.13 and later.
 *
 * Ids are those of the root PID namespace, but for the contexts vtid, vpid,
 * vppid and the arguments of system calls.
 *
 * System calls are sys_NAME and exit_syscall up to 2.5,
 * syscall_entry_NAME and syscall_exit_NAME since 2.6; compat_ in front of
 * either where a 32-bit program runs on a 64-bit kernel.
 */
#include "table.h"

#include <string.h>

static const struct learn_row rows[] = {
	/*
	 * Who ran it. The context is `current` itself; so is, in these
	 * events, the thread that they tell of.
	 */
	{ "*", LEARN_RUNS, .member = {
		[LEARN_TID] = "ctx:tid" } },
	{ "sched_switch", LEARN_RUNS, .member = {
		[LEARN_TID] = "prev_tid" } },
	{ "sched_process_fork", LEARN_RUNS, .member = {
		[LEARN_TID] = "parent_tid" } },
	{ "sched_process_exec", LEARN_RUNS, .member = {
		[LEARN_TID] = "tid" } },
	{ "sched_process_exit", LEARN_RUNS, .member = {
		[LEARN_TID] = "tid" } },
	{ "*", LEARN_RUNS, .member = {
		[LEARN_VTID] = "ctx:vtid" } },

	/* Where a packet does not tell its CPU. */
	{ "*", LEARN_ON_CPU, .member = {
		[LEARN_CPU] = "cpu_id" } },
	{ "*", LEARN_ON_CPU, .member = {
		[LEARN_CPU] = "ctx:cpu_id" } },

	{ "*", LEARN_IS, .member = {
		[LEARN_COMM] = "ctx:procname" } },

	{ "sched_switch", LEARN_SWITCH, .member = {
		[LEARN_TID] = "prev_tid", [LEARN_COMM] = "prev_comm",
		[LEARN_NEXT_TID] = "next_tid",
		[LEARN_NEXT_COMM] = "next_comm",
		[LEARN_STATE] = "?prev_state" } },

	/* vtids: from the root's namespace down to the child's own. */
	{ "sched_process_fork", LEARN_BORN,
		.teller = COMMCACHE_HISTORY_TELLER_FORK, .member = {
		[LEARN_TID] = "child_tid", [LEARN_COMM] = "child_comm",
		[LEARN_PARENT] = "?parent_tid", [LEARN_PID] = "?child_pid",
		[LEARN_NS] = "?child_ns_inum", [LEARN_VTIDS] = "?vtids" } },
	{ "sched_process_exec", LEARN_EXEC, .member = {
		[LEARN_TID] = "tid", [LEARN_OLD_TID] = "?old_tid",
		[LEARN_FILENAME] = "filename" } },
	{ "sched_process_exit", LEARN_ENDING, .member = {
		[LEARN_TID] = "tid", [LEARN_COMM] = "comm" } },
	{ "sched_process_free", LEARN_DIES, LEARN_LATE, .member = {
		[LEARN_TID] = "tid", [LEARN_COMM] = "comm" } },

	/* The comm is the waiting thread's, the tid the awaited one's. */
	{ "sched_process_wait", LEARN_IS, .member = {
		[LEARN_COMM] = "comm" } },

	/* Up to 2.9 they tell the name of `current` and no tid. */
	{ "block_*", LEARN_IS, .without = "tid", .member = {
		[LEARN_COMM] = "comm" } },

	/* Not in lttng-modules 2.13; spelt as the kernel's own would be. */
	{ "task_rename", LEARN_BECOMES, LEARN_BEFORE_CHANGE, .member = {
		[LEARN_TID] = "tid", [LEARN_OLD_COMM] = "oldcomm",
		[LEARN_COMM] = "newcomm" } },
	{ "task_rename", LEARN_BECOMES, LEARN_BEFORE_CHANGE, .without = "tid",
		.member = {
		[LEARN_TID] = "pid", [LEARN_OLD_COMM] = "oldcomm",
		[LEARN_COMM] = "newcomm" } },

	/*
	 * The statedump. Up to 2.10 one event tells name and ids, from 2.5 on
	 * once for each level of PID namespace, deepest first; since 2.11 the
	 * ids of each level are in lttng_statedump_process_pid_ns.
	 */
	{ "lttng_statedump_process_state", LEARN_MEMBER_OF, .member = {
		[LEARN_TID] = "tid", [LEARN_PID] = "pid" } },
	{ "lttng_statedump_process_state", LEARN_ALIAS, .member = {
		[LEARN_TID] = "tid", [LEARN_VTID] = "vtid",
		[LEARN_NS] = "ns_inum", [LEARN_LEVEL] = "?ns_level" } },
	{ "lttng_statedump_process_pid_ns", LEARN_ALIAS, .member = {
		[LEARN_TID] = "tid", [LEARN_VTID] = "vtid",
		[LEARN_NS] = "ns_inum", [LEARN_LEVEL] = "?ns_level" } },
	{ "lttng_statedump_process_state", LEARN_IS, .member = {
		[LEARN_TID] = "tid", [LEARN_COMM] = "name" } },

	{ .event = "*sys_*", .kind = LEARN_CALLS },
	{ .event = "*syscall_*", .kind = LEARN_CALLS },
	{ .event = "*exit_syscall", .kind = LEARN_CALLS },

	{ "*syscall_entry_prctl", LEARN_ENTER_PRCTL, .member = {
		[LEARN_OPTION] = "option" } },
	{ "*syscall_entry_execve", LEARN_ENTER_EXEC, .member = {
		[LEARN_FILENAME] = "filename" } },
	{ "*syscall_entry_execveat", LEARN_ENTER_EXEC, .member = {
		[LEARN_FILENAME] = "filename" } },
	{ "*syscall_entry_open", LEARN_ENTER_OPEN, .member = {
		[LEARN_FILENAME] = "filename", [LEARN_FLAGS] = "?flags" } },
	{ "*syscall_entry_openat", LEARN_ENTER_OPEN, .member = {
		[LEARN_FILENAME] = "filename", [LEARN_FLAGS] = "?flags" } },
	{ "*syscall_entry_write", LEARN_ENTER_WRITE, .member = {
		[LEARN_FD] = "fd" } },
	{ "*syscall_entry_writev", LEARN_ENTER_WRITE, .member = {
		[LEARN_FD] = "fd" } },
	{ "*syscall_entry_pwrite64", LEARN_ENTER_WRITE, .member = {
		[LEARN_FD] = "fd" } },
	{ "*syscall_entry_dup", LEARN_ENTER_DUP, .member = {
		[LEARN_FD] = "fildes" } },
	{ "*syscall_entry_dup2", LEARN_ENTER_DUP, .member = {
		[LEARN_FD] = "oldfd", [LEARN_NEW_FD] = "newfd" } },
	{ "*syscall_entry_dup3", LEARN_ENTER_DUP, .member = {
		[LEARN_FD] = "oldfd", [LEARN_NEW_FD] = "newfd" } },
	{ "*syscall_entry_close", LEARN_ENTER_CLOSE, .member = {
		[LEARN_FD] = "fd" } },

	{ "*sys_prctl", LEARN_ENTER_PRCTL, .member = {
		[LEARN_OPTION] = "option" } },
	{ "*sys_execve", LEARN_ENTER_EXEC, .member = {
		[LEARN_FILENAME] = "filename" } },
	{ "*sys_open", LEARN_ENTER_OPEN, .member = {
		[LEARN_FILENAME] = "filename", [LEARN_FLAGS] = "?flags" } },
	{ "*sys_openat", LEARN_ENTER_OPEN, .member = {
		[LEARN_FILENAME] = "filename", [LEARN_FLAGS] = "?flags" } },
	{ "*sys_write", LEARN_ENTER_WRITE, .member = {
		[LEARN_FD] = "fd" } },
	{ "*sys_writev", LEARN_ENTER_WRITE, .member = {
		[LEARN_FD] = "fd" } },
	{ "*sys_dup", LEARN_ENTER_DUP, .member = {
		[LEARN_FD] = "fildes" } },
	{ "*sys_dup2", LEARN_ENTER_DUP, .member = {
		[LEARN_FD] = "oldfd", [LEARN_NEW_FD] = "newfd" } },
	{ "*sys_dup3", LEARN_ENTER_DUP, .member = {
		[LEARN_FD] = "oldfd", [LEARN_NEW_FD] = "newfd" } },
	{ "*sys_close", LEARN_ENTER_CLOSE, .member = {
		[LEARN_FD] = "fd" } },

	{ "*exit_syscall", LEARN_LEAVE, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_prctl", LEARN_LEAVE,
		.flags = LEARN_OF_PRCTL, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_execve*", LEARN_LEAVE,
		.flags = LEARN_OF_EXEC, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_open", LEARN_LEAVE,
		.flags = LEARN_OF_OPEN, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_openat", LEARN_LEAVE,
		.flags = LEARN_OF_OPEN, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_write", LEARN_LEAVE,
		.flags = LEARN_OF_WRITE, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_writev", LEARN_LEAVE,
		.flags = LEARN_OF_WRITE, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_pwrite64", LEARN_LEAVE,
		.flags = LEARN_OF_WRITE, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_dup*", LEARN_LEAVE,
		.flags = LEARN_OF_DUP, .member = {
		[LEARN_RET] = "ret" } },
	{ "*syscall_exit_close", LEARN_LEAVE,
		.flags = LEARN_OF_CLOSE, .member = {
		[LEARN_RET] = "ret" } },
};

static const char *const virtual_payloads[] = {
	"*sys_*", "*syscall_*", NULL,
};

/* Pointers, whatever their class says. */
static const char *const no_ids[] = {
	"*clone*/parent_tid", "*clone*/child_tid", NULL,
};

static bool knows(const struct learn_tracer *tracer)
{
	if (tracer->tracer_name)
		return strcmp(tracer->tracer_name, "lttng-modules") == 0;
	return tracer->domain && strcmp(tracer->domain, "kernel") == 0 &&
		tracer->has_event(tracer, "sched_*");
}

const struct learn_table learn_lttng_kernel = {
	.name = "LTTng kernel",
	.knows = knows,
	.rows = rows,
	.row_count = sizeof(rows) / sizeof(rows[0]),
	.virtual_payloads = virtual_payloads,
	.no_ids = no_ids,
	.procname_exact = true,
};
