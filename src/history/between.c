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
 * Does the change tell that the name was another by then, and not since when? A
 * rename that tells its moment says what came right before it.
 */
static bool is_unsure(const struct changes *changes, int64_t position)
{
	const struct change *change;

	if (position >= changes->count)
		return false;
	change = &changes->array[position];
	if (change_starts_life(change))
		return false;
	return change->kind == CHANGE_IS || change->kind == CHANGE_WAS ||
			change->kind == CHANGE_RENAMED ||
			(change->kind == CHANGE_SET &&
			change->note & NOTE_PROVISIONAL);
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

	if (place < 0 || moment_before(changes_moment(&thread->held, place),
			changes_moment(changes, position)) ||
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

bool thread_hold(struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment moment)
{
	struct change held = {
		.time = moment.time,
		.order = moment.order & ORDER_MAX,
		.kind = CHANGE_IS,
	};
	int64_t place;

	if (position < 0 || !is_unsure(&thread->changes, position + 1) ||
			!moment_before(held_until(thread, position), moment))
		return true;
	held.value = changes_state(&thread->changes, position).comm;
	place = find_held(thread, position);
	if (place >= 0) {
		thread->held.array[place] = held;
		return true;
	}
	if (!changes_reserve(&thread->held, 1, &thread->history->bytes))
		return false;
	changes_insert(&thread->held, changes_search(&thread->held, moment) + 1,
			&held);
	return true;
}

bool thread_hold_call(struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment)
{
	const struct changes *changes = &thread->changes;
	int64_t position = changes_search(changes, since);

	/* The first change of the name within the call, of one life. */
	if (position < 0 || moment_before(moment, changes_moment(changes,
			position + 1)) || !moment_before(moment,
			changes_moment(changes, changes_life_end(changes,
			position))) || moment_before(held_until(thread,
			position), thread->domain->group->all_told))
		return true;
	return thread_hold(thread, position, since);
}

bool between_begins(struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment *begin)
{
	if (position < 0 || !is_unsure(&thread->changes, position + 1))
		return false;
	*begin = held_until(thread, position);
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
