/* SPDX-License-Identifier: MIT */
/*
 * System calls of an event's thread: see syscall.h.
 */
#include "learn/op.h"

void learn_note_call(struct learn_source *source, int64_t tid,
		struct commcache_moment moment)
{
	struct commcache_moment *last;

	if (g_hash_table_size(source->last_calls) == 0)
		return;
	last = g_hash_table_lookup(source->last_calls,
		GINT_TO_POINTER((int) tid));
	if (last)
		*last = moment;
}

static bool is_of_files(const struct learn_op *op)
{
	return op->kind == LEARN_ENTER_WRITE || op->kind == LEARN_ENTER_DUP ||
		op->kind == LEARN_ENTER_CLOSE;
}

void learn_enter_call(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	struct learn_syscalls *syscalls = source->syscalls;
	const int64_t tid = seen->runner_tid;
	int64_t first = -1, second = -1, pid;
	const char *path = NULL;
	uint64_t length = 0;

	/* Nearly always there are none: most calls end here. */
	if (is_of_files(op) && !learn_syscalls_have_files(syscalls))
		return;
	pid = learn_boot_process_of(source->boot, tid);
	switch (op->kind) {
	case LEARN_ENTER_PRCTL:
		if (learn_ref_integer(&op->ref[LEARN_OPTION], seen->event,
				&first))
			learn_syscalls_prctl(syscalls, tid, seen->moment,
				first);
		break;
	case LEARN_ENTER_EXEC:
		path = learn_ref_text(&op->ref[LEARN_FILENAME], seen->event,
			&length);
		learn_syscalls_exec(syscalls, tid, seen->moment, path, length);
		break;
	case LEARN_ENTER_OPEN:
		path = learn_ref_text(&op->ref[LEARN_FILENAME], seen->event,
			&length);
		/* Where the flags are not told, it may be for writing. */
		(void) learn_ref_integer(&op->ref[LEARN_FLAGS], seen->event,
			&first);
		learn_syscalls_open(syscalls, tid, pid, seen->moment, path,
			length, first);
		break;
	case LEARN_ENTER_WRITE:
		if (learn_ref_integer(&op->ref[LEARN_FD], seen->event, &first))
			learn_syscalls_write(syscalls, tid, pid, seen->moment,
				first);
		break;
	case LEARN_ENTER_DUP:
		(void) learn_ref_integer(&op->ref[LEARN_NEW_FD], seen->event,
			&second);
		if (learn_ref_integer(&op->ref[LEARN_FD], seen->event, &first))
			learn_syscalls_dup(syscalls, tid, pid, seen->moment,
				first, second);
		break;
	case LEARN_ENTER_CLOSE:
		if (learn_ref_integer(&op->ref[LEARN_FD], seen->event, &first))
			learn_syscalls_close(syscalls, pid, first);
		break;
	default:
		break;
	}
}

enum status learn_leave_call(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_boot *boot = seen->stream->source->boot;
	struct commcache_history_domain *domain = boot->root;
	struct learn_call_result result;
	int64_t ret;

	if (!learn_ref_integer(&op->ref[LEARN_RET], seen->event, &ret) ||
			!learn_syscalls_leave(seen->stream->source->syscalls,
				seen->runner_tid, ret, op->flags, &result))
		return STATUS_OK;
	if (result.call == LEARN_CALL_MISSED) {
		learn_whole_missed(seen->stream->source, seen->moment);
		return STATUS_OK;
	}
	if (result.call == LEARN_CALL_RENAME && result.tid_is_root)
		learn_set_moment(seen->stream->source->last_calls, result.tid,
			seen->moment);
	if (!result.tid_is_root)
		domain = learn_boot_namespace(boot, learn_boot_namespace_of(
			boot, seen->runner_tid, seen->moment));
	return learn_status_of(commcache_history_renamed(
		commcache_history_thread(domain, result.tid, seen->cpu),
		result.since, seen->moment,
		result.call == LEARN_CALL_EXEC && result.comm.str[0] ?
			&result.comm : NULL));
}
