/* SPDX-License-Identifier: MIT */
/*
 * What an event says of names, and of what names depend on.
 */
#include "learn/op.h"
#include "learn/program.h"

static enum status move_cpu(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct commcache_cpus *cpus;

	if (learn_stream_begin_recording(seen->stream) != STATUS_OK)
		return STATUS_MEMORY_ERROR;
	seen->stream->last_switch = seen->moment;
	if (seen->cpu < 0 || seen->cpu > COMMCACHE_HISTORY_CPU_MAX)
		return STATUS_OK;
	seen->stream->source->cpu_limit = MAX(seen->cpu + 1,
		seen->stream->source->cpu_limit);
	cpus = learn_source_cpus(seen->stream->source);
	if (!cpus)
		return STATUS_OK;
	return learn_status_of(commcache_cpus_switch(cpus, seen->cpu,
		seen->moment, learn_op_id(op, LEARN_TID, seen),
		learn_op_id(op, LEARN_NEXT_TID, seen)));
}

static enum status take_switch(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct commcache_comm buffer;
	const struct commcache_comm *comm;

	seen->stream->run_tid = -1;
	if (move_cpu(op, seen) != STATUS_OK ||
			learn_take_is(op, seen) != STATUS_OK)
		return STATUS_MEMORY_ERROR;
	comm = learn_op_comm(op, LEARN_NEXT_COMM, seen, &buffer);
	return comm ? learn_add_is(seen, learn_op_id(op, LEARN_NEXT_TID, seen),
		learn_op_thread(op, LEARN_NEXT_TID, seen), seen->moment, comm) :
		STATUS_OK;
}

static void take_alias(const struct learn_op *op,
		const struct learn_event *seen)
{
	int64_t inode;

	if (!learn_ref_integer(&op->ref[LEARN_NS], seen->event, &inode))
		return;
	seen->stream->source->learn->numbers_version++;
	learn_boot_alias(seen->stream->source->boot,
		learn_op_id(op, LEARN_TID, seen),
		learn_op_id(op, LEARN_VTID, seen), inode, seen->moment);
}

static void take_lives_in(const struct learn_op *op, struct learn_event *seen)
{
	const int64_t vpid = learn_op_id(op, LEARN_TID, seen);
	int64_t inode;

	if (vpid > 0 && learn_ref_integer(&op->ref[LEARN_NS], seen->event,
			&inode) && inode > 0) {
		learn_processes_lives_in(seen->stream->source->processes, vpid,
			inode, seen->moment);
		seen->stream->source->learn->numbers_version++;
		learn_see_runner(seen);
		learn_program_is_told(seen, vpid);
	}
}

/* A call that may rename. */
static enum status take_call(const struct learn_op *op,
		const struct learn_event *seen)
{
	if (seen->runner_tid <= 0) {
		learn_whole_missed(seen->stream->source, seen->moment);
		return STATUS_OK;
	}
	if (op->kind == LEARN_LEAVE)
		return learn_leave_call(op, seen);
	learn_enter_call(op, seen);
	return STATUS_OK;
}

static enum status take(const struct learn_op *op,
		struct learn_event *seen)
{
	switch (op->kind) {
	case LEARN_IS:
		return learn_take_is(op, seen);
	case LEARN_BECOMES:
		return learn_take_becomes(op, seen);
	case LEARN_BORN:
		return learn_take_born(op, seen);
	case LEARN_ENDING:
		return learn_take_ending(op, seen);
	case LEARN_DIES:
		return learn_take_dies(op, seen);
	case LEARN_EXEC:
		return learn_take_exec(op, seen);
	case LEARN_SWITCH:
		return take_switch(op, seen);
	case LEARN_HALF_SWITCH:
	case LEARN_HALVES_LOST:
		return STATUS_OK;
	case LEARN_MEMBER_OF:
		learn_boot_member(seen->stream->source->boot,
			learn_op_id(op, LEARN_TID, seen),
			learn_op_id(op, LEARN_PID, seen));
		return STATUS_OK;
	case LEARN_ALIAS:
		take_alias(op, seen);
		return STATUS_OK;
	case LEARN_LIVES_IN:
		take_lives_in(op, seen);
		return STATUS_OK;
	case LEARN_CALLS:
		if (seen->runner_tid > 0)
			learn_note_call(seen->stream->source, seen->runner_tid,
				seen->moment);
		return STATUS_OK;
	default:
		return take_call(op, seen);
	}
}

enum status learn_take_ops(struct learn_event *seen)
{
	const struct learn_plan *plan = seen->plan;
	size_t i;

	for (i = 0; i < plan->op_count; i++) {
		if (take(&plan->ops[i], seen) != STATUS_OK)
			return STATUS_MEMORY_ERROR;
	}
	return STATUS_OK;
}

enum status learn_follow(const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < seen->plan->op_count && status == STATUS_OK; i++) {
		const struct learn_op *op = &seen->plan->ops[i];

		if (op->kind == LEARN_SWITCH)
			status = move_cpu(op, seen);
		else if (op->kind == LEARN_EXEC && source->cpus)
			status = learn_status_of(commcache_cpus_exec(
				source->cpus, seen->cpu, seen->moment,
				commcache_moment(INT64_MIN, 0),
				learn_op_id(op, LEARN_TID, seen),
				learn_op_id(op, LEARN_OLD_TID, seen), NULL));
	}
	return status;
}
