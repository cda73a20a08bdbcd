/* SPDX-License-Identifier: MIT */
#include "learn/op.h"

int64_t learn_op_id(const struct learn_op *op, enum learn_role role,
		const struct learn_event *seen)
{
	return learn_ref_id(&op->ref[role], seen->event);
}

struct commcache_history_domain *learn_op_domain(const struct learn_op *op,
		const struct learn_event *seen)
{
	return op->is_virtual ? seen->virtual_domain :
		seen->stream->source->boot->root;
}

struct commcache_history_thread *learn_op_thread(const struct learn_op *op,
		enum learn_role role, const struct learn_event *seen)
{
	struct commcache_history_domain *domain = learn_op_domain(op, seen);

	/* The id of no thread makes none. */
	return domain ? commcache_history_thread(domain,
		learn_op_id(op, role, seen), seen->cpu) : NULL;
}

struct commcache_history_thread *learn_op_subject(const struct learn_op *op,
		const struct learn_event *seen)
{
	return op->of_runner ? seen->runner :
		learn_op_thread(op, LEARN_TID, seen);
}

const struct commcache_comm *learn_op_comm(const struct learn_op *op,
		enum learn_role role, const struct learn_event *seen,
		struct commcache_comm *comm)
{
	if (!learn_ref_comm(&op->ref[role], seen->event, comm) ||
			(op->flags & LEARN_SHOWN && commcache_comm_equal(comm,
				&seen->stream->source->learn->unknown)))
		return NULL;
	return comm;
}

bool learn_told_time(const struct learn_op *op, const struct learn_event *seen,
		int64_t *time)
{
	/* It is in nanoseconds. */
	return seen->stream->source->in_nanoseconds &&
		learn_ref_integer(&op->ref[LEARN_TIME], seen->event, time) &&
		*time > 0 && *time <= seen->moment.time;
}

struct commcache_moment learn_op_moment(const struct learn_op *op,
		const struct learn_event *seen)
{
	int64_t time;

	if (learn_told_time(op, seen, &time))
		return commcache_moment(time, 0);
	if (op->flags & LEARN_BEFORE_CHANGE)
		return commcache_moment_after(seen->moment);
	return seen->moment;
}

enum status learn_status_of(enum commcache_history_status status)
{
	/* INVALID: evidence of no thread, which is no evidence. */
	return status == COMMCACHE_HISTORY_NO_MEMORY ? STATUS_MEMORY_ERROR :
		STATUS_OK;
}
