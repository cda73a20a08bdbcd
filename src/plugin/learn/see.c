/* SPDX-License-Identifier: MIT */
/*
 * An event: its moment, and who ran it where that is who ran the one before. All
 * of it is done for each event.
 */
#include "learn/kept.h"

static inline struct commcache_moment next_moment(struct learn_source *source,
		bool has_clock, uint64_t cycles)
{
	int64_t time;

	if (has_clock)
		time = learn_time_of(cycles);
	else
		time = source->time == TIME_NONE ? 0 : source->time + 1;
	if (time == source->time) {
		source->order += 2;
	} else {
		source->time = time;
		source->order = 0;
	}
	if (time > source->boot->newest)
		source->boot->newest = time;
	return commcache_moment(time, source->order);
}

/*
 * Whether it is of no use to know who ran the event: it tells of no name, its
 * own is not asked for yet, and its thread's numbers help no other event. Those
 * that its CPU tells never do.
 */
static inline bool is_of_no_use(const struct learn_event *seen)
{
	const struct learn_source *source = seen->stream->source;
	const struct learn_plan *plan = seen->plan;

	return source->learn->pass == LEARN_PASS_FIRST &&
		!learn_plan_tells(plan) &&
		(plan->runner.reader == LEARN_ABSENT ||
		(plan->runner_virtual && !source->boot->has_switches));
}

/*
 * Most events tell the same numbers as the one before in their stream. False: not
 * these, or nothing is remembered of them.
 */
static inline bool recall_runner(struct learn_event *seen)
{
	const struct learn_runner *last = &seen->stream->last_runner;
	const struct learn_plan *plan = seen->plan;
	int64_t pid_ns = 0;

	if (last->numbers_version != seen->numbers_version ||
			!plan->runner_virtual ||
			learn_ref_id(&plan->runner, seen->event) !=
				last->vtid ||
			learn_ref_id(&plan->vpid, seen->event) != last->vpid)
		return false;
	(void) learn_ref_integer(&plan->pid_ns, seen->event, &pid_ns);
	if (pid_ns != last->pid_ns)
		return false;
	seen->told = LEARN_TOLD_BY_EVENT;
	seen->runner = last->runner;
	seen->runner_tid = last->runner_tid;
	seen->virtual_domain = last->virtual_domain;
	return true;
}

/*
 * Of which thread of user space the event is: up to that, none of its renames that
 * it tells of afterwards had begun. For look-ahead, where a kernel trace knows
 * of that thread, too.
 */
static void note_ran(const struct learn_event *seen)
{
	struct learn_stream *stream = seen->stream;
	const int64_t tid = seen->runner_tid;

	if (tid <= 0)
		return;
	if (!stream->ran || stream->ran_tid != tid) {
		GHashTable *table = stream->source->ran;

		stream->ran_tid = tid;
		stream->ran = g_hash_table_lookup(table,
			GINT_TO_POINTER((int) tid));
		if (!stream->ran) {
			stream->ran = g_new(struct learn_ran, 1);
			stream->ran->last = commcache_moment(INT64_MIN, 0);
			g_hash_table_insert(table, GINT_TO_POINTER((int) tid),
				stream->ran);
		}
	}
	stream->ran->before = stream->ran->last;
	stream->ran->last = seen->moment;
}

enum status learn_see(struct learn_stream *stream,
		const struct learn_plan *plan, const bt_event *event,
		bool has_clock, uint64_t cycles, struct learn_event *seen)
{
	struct learn_source *source = stream->source;

	/* A stream need not have packets. */
	learn_stream_enter_pass(stream);
	seen->event = event;
	seen->plan = plan;
	seen->stream = stream;
	seen->root = source->boot->root;
	seen->numbers_version = source->learn->numbers_version;
	seen->moment = next_moment(source, has_clock, cycles);
	seen->cpu = stream->cpu;
	if (stream->cpu < 0 && plan->cpu.reader != LEARN_ABSENT &&
			!learn_ref_integer(&plan->cpu, event, &seen->cpu))
		seen->cpu = -1;
	stream->last = seen->moment;
	if (G_UNLIKELY(stream->kept) && learn_kept_see(stream,
			seen->moment.time) != STATUS_OK)
		return STATUS_REFUSED;
	if (is_of_no_use(seen))
		return STATUS_OK;
	if (!recall_runner(seen))
		learn_see_runner(seen);
	if (G_UNLIKELY(source->learn->pass == LEARN_PASS_FIRST &&
			source->boot->has_switches) &&
			source->table->ids_virtual)
		note_ran(seen);
	return source->learn->pass == LEARN_PASS_SECOND && plan->moves_cpu ?
		learn_follow(seen) : STATUS_OK;
}
