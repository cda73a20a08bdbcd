/* SPDX-License-Identifier: MIT */

/*
 * Births: which records tell the same one.
 */

#include "history-private.h"

/* One bit each, in the note of a change. */
_Static_assert(COMMCACHE_HISTORY_TELLER_SELF <= 4, "a note has four bits");

static uint32_t teller_bit(enum commcache_history_teller teller)
{
	if (teller <= COMMCACHE_HISTORY_TELLER_ALONE ||
			teller > COMMCACHE_HISTORY_TELLER_SELF)
		return 0;
	return 1U << (teller - 1);
}

/*
 * The birth of the life at the position, if its tellers and these can tell the
 * same one. -1: no.
 */
static int64_t same_birth(const struct changes *changes, int64_t position,
		uint32_t tellers)
{
	const struct change *change;
	int64_t begin;

	if (!tellers || changes_state(changes, position).dead)
		return -1;
	begin = changes_life_begin(changes, position);
	if (begin < 0)
		return -1;
	change = &changes->array[begin];
	if (!change_is_birth(change) || change->note & tellers)
		return -1;
	return begin;
}

/* The birth after the position, before any other bound of a life. -1: none. */
static int64_t next_birth(const struct changes *changes, int64_t position)
{
	for (position++; position < changes->count; position++) {
		const struct change *change = &changes->array[position];

		if (change_is_birth(change))
			return position;
		if (change->kind == CHANGE_DIES || change_starts_life(change))
			break;
	}
	return -1;
}

/* A birth that told no name may be told one, or a parent. */
static void complete(struct change *birth, const struct change *told)
{
	if (birth->kind == CHANGE_BORN && birth->value == COMM_UNKNOWN &&
			told->kind == CHANGE_BORN_OF) {
		birth->kind = told->kind;
		birth->value = told->value;
	}
}

/*
 * A birth told late can be the one that was told already, with a later moment:
 * then that is only a sighting.
 */
static enum commcache_history_status absorb_next(
		struct commcache_history_thread *thread, int64_t position)
{
	struct changes *changes = &thread->changes;
	int64_t next = next_birth(changes, position);
	struct change *birth = &changes->array[position];
	struct change told;
	struct state before;
	bool has_sighting = thread->has_sighting;
	enum commcache_history_status status = COMMCACHE_HISTORY_CHANGED;

	if (next < 0)
		return status;
	told = changes->array[next];
	if (!birth->note || birth->note & told.note)
		return status;
	birth->note |= told.note;
	complete(birth, &told);
	before = changes_state(changes, next);
	/* Set aside: it is one of the name that goes and comes back. */
	thread->has_sighting = false;
	changes_remove(changes, next, 1);
	if (!changes_settle(changes, next, before, &thread->history->bytes))
		status = COMMCACHE_HISTORY_NO_MEMORY;
	thread_changed(thread);
	if (told.kind == CHANGE_BORN && told.value != COMM_UNKNOWN &&
			status >= 0) {
		struct change is = { .kind = CHANGE_IS, .value = told.value };

		status = thread_add(thread, change_moment(&told), &is, 1);
	}
	thread->has_sighting |= has_sighting;
	return status < 0 ? status : COMMCACHE_HISTORY_CHANGED;
}

/* The birth at `position` is told once more. */
static enum commcache_history_status confirm(
		struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment moment, const struct change *told)
{
	struct change *birth = &thread->changes.array[position];
	struct change is = { .kind = CHANGE_IS, .value = told->value };

	birth->note |= told->note;
	complete(birth, told);
	thread_changed(thread);
	if (told->kind != CHANGE_BORN || told->value == COMM_UNKNOWN)
		return COMMCACHE_HISTORY_CHANGED;
	return thread_add(thread, moment, &is, 1);
}

enum commcache_history_status thread_add_birth(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, const struct change *birth)
{
	struct changes *changes = &thread->changes;
	enum commcache_history_status status;
	int64_t position = changes_position(changes, moment);
	int64_t same = same_birth(changes, position, birth->note);

	if (same >= 0)
		return confirm(thread, same, moment, birth);
	status = thread_add(thread, moment, birth, 1);
	if (status < 0)
		return status;
	return absorb_next(thread, position + 1);
}

enum commcache_history_status commcache_history_born(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		enum commcache_history_teller teller,
		struct commcache_history_thread *parent,
		const struct commcache_comm *comm)
{
	struct change birth = { .kind = CHANGE_BORN };

	if (!thread || (parent && parent->history != thread->history))
		return COMMCACHE_HISTORY_INVALID;
	moment = moment_fit(moment);
	thread = thread_route(thread, moment);
	birth.note = teller_bit(teller) & 0xf;
	if (comm) {
		birth.value = comms_intern(&thread->history->comms, comm);
		if (birth.value == COMM_UNKNOWN) {
			thread->history->lost++;
			return COMMCACHE_HISTORY_NO_MEMORY;
		}
	} else if (parent) {
		birth.kind = CHANGE_BORN_OF;
		birth.value = parent->index;
	}
	return thread_add_birth(thread, moment, &birth);
}
