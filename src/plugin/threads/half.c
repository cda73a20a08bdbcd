/* SPDX-License-Identifier: MIT */
#include "threads/half.h"

#include "threads/cpu.h"

static guint hash_turn(gconstpointer data)
{
	const struct threads_turn *turn = data;

	return g_direct_hash(turn->thread) ^ (guint) turn->cpu;
}

static gboolean is_same_turn(gconstpointer a, gconstpointer b)
{
	const struct threads_turn *one = a, *other = b;

	return one->thread == other->thread && one->cpu == other->cpu;
}

GHashTable *threads_turns_create(void)
{
	return g_hash_table_new_full(hash_turn, is_same_turn, NULL, g_free);
}

/*
 * By its CPU, too: two CPUs' records are not always in order, and a thread's
 * turn on the next can be told before the end of the last.
 */
static void begin_turn(struct threads_boot *boot,
		const struct threads_turn *turn)
{
	struct threads_turn *copy = g_new(struct threads_turn, 1);

	*copy = *turn;
	g_hash_table_add(boot->turns, copy);
}

static void end_turn(struct threads *threads, struct threads_boot *boot,
		const struct threads_turn *now, bool preempted)
{
	const struct threads_turn *turn = g_hash_table_lookup(boot->turns, now);
	struct threads_thread *thread = threads_get(threads, now->thread);

	threads_count_switch(thread, commcache_moment(now->since, UINT32_MAX),
		preempted);
	if (!turn)
		return;
	threads_add_time(threads, thread, turn->since, now->since, preempted);
	g_hash_table_remove(boot->turns, now);
}

void threads_take_half(struct threads *threads, struct threads_boot *boot,
		const struct learn_event *seen, const struct learn_op *op)
{
	const struct learn_id id = {
		.ref = op->ref[LEARN_TID],
		.is_virtual = op->is_virtual,
	};
	struct threads_turn turn = {
		.thread = learn_find_thread(seen, &id),
		.since = seen->moment.time,
	};
	int64_t in, told, preempted = 0;

	if (!turn.thread || !learn_ref_integer(&op->ref[LEARN_CPU], seen->event,
			&turn.cpu) || !learn_ref_integer(&op->ref[LEARN_IN],
			seen->event, &in))
		return;
	if (learn_told_time(op, seen, &told))
		turn.since = told;
	boot->has_turns = true;
	if (in) {
		begin_turn(boot, &turn);
		return;
	}
	boot->tells_preemptions |= learn_ref_integer(
		&op->ref[LEARN_PREEMPTED], seen->event, &preempted);
	end_turn(threads, boot, &turn, preempted != 0);
}

static gboolean is_on(gpointer data, gpointer value, gpointer cpu)
{
	(void) value;
	return ((const struct threads_turn *) data)->cpu ==
		*(const int64_t *) cpu;
}

void threads_take_lost(struct threads_boot *boot,
		const struct learn_event *seen, const struct learn_op *op)
{
	int64_t cpu;

	if (learn_ref_integer(&op->ref[LEARN_CPU], seen->event, &cpu)) {
		g_hash_table_foreach_remove(boot->turns, is_on, &cpu);
	}
}

void threads_half_gap(struct threads_boot *boot)
{
	g_hash_table_remove_all(boot->turns);
}
