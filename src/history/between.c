/* SPDX-License-Identifier: MIT */

/*
 * Between two names: a thread is seen as `a`, later as `b`, and nothing tells when
 * it was renamed. Up to when it was surely still `a` is held, one moment for each
 * such stretch; what comes after that moment is between.
 *
 * A moment is held with the name that it is of, so that late evidence of another
 * name makes it void.
 */

#include "history-private.h"

/*
 * Does it tell that the name was another by then, and not since when? A rename that
 * tells its moment says what came right before it.
 */
static bool is_vague(const struct change *change)
{
	return change->kind == CHANGE_IS || change->kind == CHANGE_WAS ||
			change->kind == CHANGE_RENAMED ||
			(change->kind == CHANGE_SET &&
			change->note & NOTE_LATE);
}

/* The same of the change at a position, in the life that was there before. */
static bool is_unsure(const struct changes *changes, int64_t position)
{
	return position < changes->count &&
			!change_starts_life(&changes->array[position]) &&
			is_vague(&changes->array[position]);
}

int64_t between_end(const struct changes *changes, int64_t position)
{
	if (position < 0)
		return -1;
	if (is_unsure(changes, position + 1))
		return position + 1;
	/* Another life, of which no birth is told: since the death at most. */
	return position + 2 < changes->count &&
			changes->array[position + 1].kind == CHANGE_DIES &&
			is_vague(&changes->array[position + 2]) ?
			position + 2 : -1;
}

/*
 * The place in `held` of what is held between the change at the position and the
 * one after it. -1: nothing is.
 */
static int64_t find_held(struct commcache_history_thread *thread,
		int64_t position)
{
	const struct changes *changes = &thread->changes;
	int64_t place = changes_position(&thread->held, changes_moment(changes,
			position + 1));

	/* One of the change's own moment is of the stretch before it. */
	if (place < 0 || !moment_before(changes_moment(changes, position),
			changes_moment(&thread->held, place)) ||
			thread->held.array[place].value !=
			changes_state(changes, position).comm)
		return -1;
	return place;
}

/* Up to then it was surely called as after the change at the position. */
static struct commcache_moment held_until(
		struct commcache_history_thread *thread, int64_t position)
{
	int64_t place = find_held(thread, position);

	return place < 0 ? changes_moment(&thread->changes, position) :
			changes_moment(&thread->held, place);
}

/* What was answered of it, and of who has its name from it, is void. */
static void drop_answers(struct commcache_history_thread *thread)
{
	thread->cursor.version = 0;
	thread->history->version++;
}

/* `note`: NOTE_PRESUMED or 0; one does not replace the other. False: no memory. */
static bool hold(struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment moment, unsigned int note)
{
	struct change held = {
		.time = moment.time,
		.order = moment.order & ORDER_MAX,
		.kind = CHANGE_IS,
		.note = note & 0xf,
		.value = changes_state(&thread->changes, position).comm,
	};
	int64_t place = find_held(thread, position);

	drop_answers(thread);
	if (place >= 0 && thread->held.array[place].note == held.note) {
		thread->held.array[place] = held;
		return true;
	}
	if (!changes_reserve(&thread->held, 1, &thread->history->bytes))
		return false;
	changes_insert(&thread->held, changes_search(&thread->held, moment) + 1,
			&held);
	return true;
}

bool thread_hold(struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment moment)
{
	if (position < 0 || !is_unsure(&thread->changes, position + 1) ||
			!moment_before(held_until(thread, position), moment))
		return true;
	return hold(thread, position, moment, 0);
}

/*
 * The position before the first change of the name after `since`, up to the moment
 * and in one life. -1: there is none.
 */
static int64_t find_change(const struct changes *changes,
		struct commcache_moment since, struct commcache_moment moment)
{
	int64_t position = changes_search(changes, since);

	if (position < 0 || moment_before(moment, changes_moment(changes,
			position + 1)) || !moment_before(moment,
			changes_moment(changes, changes_life_end(changes,
			position))))
		return -1;
	return position;
}

bool thread_hold_call(struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment)
{
	int64_t position = find_change(&thread->changes, since, moment);
	struct commcache_moment until;
	int64_t place;

	if (position < 0 || !is_unsure(&thread->changes, position + 1))
		return true;
	place = find_held(thread, position);
	if (place >= 0 && thread->held.array[place].note & NOTE_PRESUMED) {
		/* Of several calls at once, the first that was entered. */
		if (!moment_before(since, changes_moment(&thread->held,
				place)))
			return true;
		changes_remove(&thread->held, place, 1);
		drop_answers(thread);
	}
	until = held_until(thread, position);
	if (!moment_before(until, since) || moment_before(until,
			thread->domain->group->all_told))
		return true;
	return hold(thread, position, since, NOTE_PRESUMED);
}

bool thread_hold_name(struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment,
		const struct commcache_comm *comm)
{
	int64_t position = find_change(&thread->changes, since, moment);
	struct state state = changes_state(&thread->changes, position);

	if (state.name != NAME_KNOWN || state.dead || !commcache_comm_equal(
			comms_get(&thread->history->comms, state.comm), comm))
		return true;
	return thread_hold(thread, position, since);
}

bool between_begins(struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment *begin)
{
	int64_t end = between_end(&thread->changes, position);

	if (end < 0)
		return false;
	*begin = end == position + 1 ? held_until(thread, position) :
			changes_moment(&thread->changes, position + 1);
	/* Right after the record that shows the older name. */
	if (begin->order < ORDER_MAX)
		begin->order++;
	return true;
}

void commcache_history_all_told(struct commcache_history_domain *domain,
		struct commcache_moment since)
{
	domain->group->all_told = moment_fit(since);
}
