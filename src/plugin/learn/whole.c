/* SPDX-License-Identifier: MIT */
/*
 * Whether each rename is told: a source that records all calls that rename, in all
 * its streams, of threads that it knows, and has lost nothing. Then a name holds
 * from where it was seen up to the call that changes it.
 */
#include "learn/source.h"

#include "history/cursor.h"

enum call {
	ENTER_PRCTL = 1 << 0,
	ENTER_WRITE = 1 << 1,
	ENTER_OPEN = 1 << 2,
	ENTER_EXEC = 1 << 3,
	LEAVE_PRCTL = 1 << 4,
	LEAVE_WRITE = 1 << 5,
	LEAVE_OPEN = 1 << 6,
	EXEC = 1 << 7,
	ALL_CALLS = (1 << 8) - 1,
};

static unsigned int call_of(const struct learn_op *op)
{
	static const unsigned int entered[] = {
		[LEARN_ENTER_PRCTL] = ENTER_PRCTL,
		[LEARN_ENTER_WRITE] = ENTER_WRITE,
		[LEARN_ENTER_OPEN] = ENTER_OPEN,
		[LEARN_ENTER_EXEC] = ENTER_EXEC,
		[LEARN_EXEC] = EXEC,
		[LEARN_CALLS] = 0,
	};

	if (op->kind != LEARN_LEAVE)
		return entered[op->kind];
	/* One event for the end of any call. */
	if (!op->flags)
		return LEAVE_PRCTL | LEAVE_WRITE | LEAVE_OPEN;
	return (op->flags & LEARN_OF_PRCTL ? LEAVE_PRCTL : 0) |
		(op->flags & LEARN_OF_WRITE ? LEAVE_WRITE : 0) |
		(op->flags & LEARN_OF_OPEN ? LEAVE_OPEN : 0);
}

void learn_whole_plan(struct learn_source *source,
		const struct learn_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->op_count; i++)
		source->calls |= call_of(&plan->ops[i]);
}

static bool is_whole(const struct learn_source *source)
{
	return source->calls == ALL_CALLS && source->open_streams > 0 &&
		source->open_streams == source->streams;
}

/* The boot's renames are told if one of its sources tells them. */
static void tell(const struct learn_source *source)
{
	const GPtrArray *sources = source->boot->sources;
	struct commcache_moment since = { INT64_MAX, UINT32_MAX };
	guint i;

	if (source->calls != ALL_CALLS ||
			source->learn->pass == LEARN_PASS_SECOND)
		return;
	for (i = 0; i < sources->len; i++) {
		const struct learn_source *other = sources->pdata[i];

		if (is_whole(other) && moment_before(other->whole_since, since))
			since = other->whole_since;
	}
	commcache_history_all_told(source->boot->root, since);
}

void learn_whole_missed(struct learn_source *source,
		struct commcache_moment moment)
{
	if (!moment_before(source->whole_since, moment))
		return;
	source->whole_since = moment;
	tell(source);
}

void learn_whole_begin(struct learn_stream *stream)
{
	struct learn_source *source = stream->source;

	/* What lies between two packets that do not meet was not recorded. */
	if (stream->packet_end != stream->packet_begin)
		learn_whole_missed(source,
			commcache_moment(stream->packet_begin, 0));
	if (stream->is_lossy || stream->is_open)
		return;
	stream->is_open = true;
	source->open_streams++;
	tell(source);
}

void learn_whole_end(struct learn_stream *stream)
{
	struct learn_source *source = stream->source;

	if (stream->is_lossy)
		learn_whole_missed(source,
			commcache_moment(stream->packet_end, UINT32_MAX));
	stream->is_lossy = false;
	if (!stream->is_open)
		return;
	stream->is_open = false;
	source->open_streams--;
	tell(source);
}
