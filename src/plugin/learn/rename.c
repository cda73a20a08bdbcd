/* SPDX-License-Identifier: MIT */
/*
 * What a thread is called, and that it is renamed.
 */
#include "learn/op.h"
#include "learn/program.h"

static struct learn_renaming *find_renaming(struct learn_source *source,
		int64_t tid)
{
	if (G_LIKELY(g_hash_table_size(source->renamings) == 0))
		return NULL;
	return g_hash_table_lookup(source->renamings,
		GINT_TO_POINTER((int) tid));
}

/* The old name is taken to have held on up to that moment. */
static enum status move_renaming(struct learn_renaming *renaming,
		struct commcache_history_thread *thread,
		struct commcache_moment moment)
{
	enum status status = learn_status_of(commcache_history_is(thread,
		renaming->moment, &renaming->old));

	renaming->moment = moment;
	renaming->is_late = true;
	if (status != STATUS_OK)
		return status;
	return learn_status_of(commcache_history_becomes(thread, moment,
		&renaming->old, &renaming->comm));
}

/*
 * At the event's moment the thread is called `comm`.
 *
 * Of a rename that was told right before it took effect, a record can still
 * show the old name: an interrupt, or another CPU, comes between the two. That
 * moves the rename; unless it was told once more when it had taken effect, for
 * then another CPU read the name before and the clock after.
 */
enum status learn_add_is(const struct learn_event *seen, int64_t tid,
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm)
{
	struct learn_source *source = seen->stream->source;
	struct learn_renaming *renaming = find_renaming(source, tid);

	if (renaming && commcache_comm_equal(comm, &renaming->old))
		return renaming->is_done ? STATUS_OK : move_renaming(renaming,
			thread, commcache_moment_after(moment));
	if (renaming)
		g_hash_table_remove(source->renamings,
			GINT_TO_POINTER((int) tid));
	return learn_status_of(commcache_history_is(thread, moment, comm));
}

enum status learn_take_is(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct commcache_history_thread *thread = learn_op_subject(op, seen);
	struct commcache_comm buffer;
	const struct commcache_comm *comm;

	if (!thread)
		return STATUS_OK;
	comm = learn_op_comm(op, LEARN_COMM, seen, &buffer);
	if (!comm)
		return STATUS_OK;
	if (op->flags & LEARN_WEAK)
		return learn_take_procname(op, seen, thread, comm);
	return learn_add_is(seen, op->of_runner ? seen->runner_tid :
			learn_op_id(op, LEARN_TID, seen), thread,
		learn_op_moment(op, seen), comm);
}

static enum status take_renaming(const struct learn_event *seen,
		int64_t tid, struct commcache_history_thread *thread,
		const struct commcache_comm *old,
		const struct commcache_comm *comm)
{
	struct learn_renaming *renaming;
	enum status status = learn_add_is(seen, tid, thread, seen->moment,
		old);

	if (status != STATUS_OK || commcache_comm_equal(old, comm))
		return status;
	renaming = g_new0(struct learn_renaming, 1);
	renaming->moment = commcache_moment_after(seen->moment);
	renaming->old = *old;
	renaming->comm = *comm;
	g_hash_table_insert(seen->stream->source->renamings,
		GINT_TO_POINTER((int) tid), renaming);
	return learn_status_of(commcache_history_becomes(thread,
		renaming->moment, old, comm));
}

/* The rename took effect, as a record tells that comes after it. */
static enum status finish_renaming(struct learn_renaming *renaming,
		struct commcache_history_thread *thread,
		struct commcache_moment moment)
{
	enum status status = STATUS_OK;

	/* What comes in between, after the old name was seen, has it too. */
	if (renaming->is_late)
		status = move_renaming(renaming, thread, moment);
	renaming->is_done = true;
	if (status != STATUS_OK)
		return status;
	return learn_status_of(commcache_history_becomes(thread, moment, NULL,
		&renaming->comm));
}

enum status learn_take_becomes(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct commcache_history_thread *thread = learn_op_subject(op, seen);
	const int64_t tid = learn_op_id(op, LEARN_TID, seen);
	const struct commcache_comm *old, *comm;
	struct commcache_comm buffer, old_buffer;
	struct learn_renaming *renaming;
	int64_t time;

	old = learn_op_comm(op, LEARN_OLD_COMM, seen, &old_buffer);
	comm = learn_op_comm(op, LEARN_COMM, seen, &buffer);
	if (!thread || !comm)
		return STATUS_OK;
	if (op->flags & LEARN_BEFORE_CHANGE && old)
		return take_renaming(seen, tid, thread, old, comm);
	renaming = find_renaming(seen->stream->source, tid);
	if (renaming && commcache_comm_equal(comm, &renaming->comm))
		return finish_renaming(renaming, thread, seen->moment);
	if (seen->stream->ran && !learn_told_time(op, seen, &time))
		return learn_status_of(commcache_history_became(thread,
			seen->stream->ran->before, seen->moment, old, comm));
	return learn_status_of(commcache_history_becomes(thread,
		learn_op_moment(op, seen), old, comm));
}
