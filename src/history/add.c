/* SPDX-License-Identifier: MIT */

/*
 * Taking evidence: each kind becomes a change or two, at its place in time, if
 * it says something new there.
 */

#include "history-private.h"

/*
 * A death is told late by the time that RCU takes, in which a new thread does not
 * change its name more often than that.
 */
#define LATE_DEATH_CHANGES 8

void thread_changed(struct commcache_history_thread *thread)
{
	const struct changes *changes = &thread->changes;
	struct state state = changes_state(changes, (int64_t) changes->count -
			1);

	thread->cursor.version = 0;
	thread->history->version++;
	thread->last_comm = NULL;
	if (state.name == NAME_KNOWN && !state.dead)
		thread->last_comm = comms_get(&thread->history->comms,
				state.comm);
}

static enum commcache_history_status lost(
		struct commcache_history_thread *thread)
{
	thread->history->lost++;
	return COMMCACHE_HISTORY_NO_MEMORY;
}

static struct commcache_moment last_moment(const struct changes *changes)
{
	return changes_moment(changes, (int64_t) changes->count - 1);
}

/* The last name was seen again. */
static void note_last(struct commcache_history_thread *thread,
		struct commcache_moment moment)
{
	if (moment_before(moment, last_moment(&thread->changes)))
		return;
	if (thread->has_sighting && moment_before(moment, thread->sighting))
		return;
	thread->has_sighting = true;
	thread->sighting = moment;
}

/* The name after the change at the position was seen again. */
static enum commcache_history_status note_sighting(
		struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment moment)
{
	note_last(thread, moment);
	return thread_hold(thread, position, moment) ?
			COMMCACHE_HISTORY_UNCHANGED : lost(thread);
}

/* Insert what says something new. Returns how many did. Room is reserved. */
static uint32_t insert_new(struct changes *changes, int64_t position,
		struct commcache_moment moment, const struct change *news,
		uint32_t count)
{
	uint32_t inserted = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct change change = news[i];

		change.time = moment.time;
		change.order = moment.order & ORDER_MAX;
		if (!changes_judge(changes_state(changes, position - 1),
				&change))
			continue;
		changes_insert(changes, position++, &change);
		inserted++;
	}
	return inserted;
}

/* Does any of it say something new? */
static bool is_new(struct state state, const struct change *news,
		uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct change change = news[i];

		if (changes_judge(state, &change))
			return true;
	}
	return false;
}

/*
 * Late news split the time between the last name and its newest sighting: the
 * sighting says something again.
 */
static void insert_sighting(struct commcache_history_thread *thread,
		uint32_t comm)
{
	struct changes *changes = &thread->changes;
	struct change is = { .kind = CHANGE_IS, .value = comm };

	if (insert_new(changes, changes->count, thread->sighting, &is, 1))
		thread->has_sighting = false;
}

enum commcache_history_status thread_add(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, const struct change *news,
		uint32_t count)
{
	struct changes *changes = &thread->changes;
	uint64_t *bytes = &thread->history->bytes;
	int64_t position = changes_position(changes, moment) + 1;
	struct state before = changes_state(changes, position - 1);
	bool is_late = position < changes->count;
	struct commcache_moment sighting = thread->sighting;
	bool is_held = !is_late && thread->has_sighting;
	bool is_split = is_held && moment_before(moment, sighting);
	struct change last = { .kind = CHANGE_DIES };
	uint32_t inserted;

	if (!is_new(before, news, count))
		return note_sighting(thread, position - 1, moment);
	if (!changes_reserve(changes, count + is_split, bytes))
		return lost(thread);
	if (changes->count)
		last = changes->array[changes->count - 1];
	inserted = insert_new(changes, position, moment, news, count);
	if (is_split)
		insert_sighting(thread, before.comm);
	else if (!is_late)
		thread->has_sighting = false;
	thread->history->late += is_late || is_split;
	if (!changes_settle(changes, position + inserted, before, bytes)) {
		thread_changed(thread);
		return lost(thread);
	}
	/* The last change went: it showed the name that is the last now. */
	if (is_late && last.kind != CHANGE_DIES &&
			moment_before(last_moment(changes),
			change_moment(&last)))
		note_last(thread, change_moment(&last));
	thread_changed(thread);
	if (is_held && !is_split && !thread_hold(thread, position - 1,
			sighting))
		return lost(thread);
	return COMMCACHE_HISTORY_CHANGED;
}

/* A name that may be stale is of no use beside a known one or after a rename. */
static bool is_weak_of_use(const struct changes *changes, int64_t position)
{
	struct state state = changes_state(changes, position);

	return state.name != NAME_KNOWN && state.name != NAME_RENAMED &&
			!state.dead;
}

enum commcache_history_status thread_add_weak(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, uint32_t comm)
{
	const struct changes *changes = &thread->changes;
	struct changes *weak = &thread->weak;
	struct change is = {
		.time = moment.time,
		.order = moment.order & ORDER_MAX,
		.kind = CHANGE_IS,
		.value = comm,
	};
	int64_t position = changes_search(changes, moment);
	int64_t place;

	if (!is_weak_of_use(changes, position))
		return COMMCACHE_HISTORY_UNCHANGED;
	place = changes_search(weak, moment);
	if (place >= 0 && weak->array[place].value == comm &&
			!moment_before(change_moment(&weak->array[place]),
			changes_moment(changes, position)))
		return COMMCACHE_HISTORY_UNCHANGED;
	if (!changes_reserve(weak, 1, &thread->history->bytes))
		return lost(thread);
	changes_insert(weak, place + 1, &is);
	thread_changed(thread);
	return COMMCACHE_HISTORY_CHANGED;
}

/* The comm's id; false: no memory. */
static bool intern(struct commcache_history_thread *thread,
		const struct commcache_comm *comm, uint32_t *id)
{
	*id = COMM_UNKNOWN;
	if (!comm)
		return true;
	*id = comms_intern(&thread->history->comms, comm);
	return *id != COMM_UNKNOWN;
}

static enum commcache_history_status add_is(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, const struct commcache_comm *comm)
{
	struct change is = { .kind = CHANGE_IS };

	thread = thread_route(thread, moment);
	if (thread->last_comm && commcache_comm_equal(thread->last_comm, comm) &&
			!moment_before(moment, last_moment(&thread->changes))) {
		note_last(thread, moment);
		return COMMCACHE_HISTORY_UNCHANGED;
	}
	if (!intern(thread, comm, &is.value))
		return lost(thread);
	return thread_add(thread, moment, &is, 1);
}

enum commcache_history_status commcache_history_is(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm)
{
	if (!thread || !comm)
		return COMMCACHE_HISTORY_INVALID;
	moment = moment_fit(moment);
	/*
	 * Most evidence shows once more what was known and seen: no search, no
	 * hash, not even a look at the changes.
	 */
	if (thread->last_comm && commcache_comm_equal(thread->last_comm, comm) &&
			thread->has_sighting && !thread->join_count &&
			!moment_before(moment, thread->sighting)) {
		thread->sighting = moment;
		return COMMCACHE_HISTORY_UNCHANGED;
	}
	return add_is(thread, moment, comm);
}

enum commcache_history_status commcache_history_procname(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm)
{
	uint32_t id;

	if (!thread || !comm)
		return COMMCACHE_HISTORY_INVALID;
	moment = moment_fit(moment);
	thread = thread_route(thread, moment);
	if (!is_weak_of_use(&thread->changes, changes_position(
			&thread->changes, moment)))
		return COMMCACHE_HISTORY_UNCHANGED;
	if (!intern(thread, comm, &id))
		return lost(thread);
	return thread_add_weak(thread, moment, id);
}

/* `note` is that of the SET. */
static enum commcache_history_status add_set(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, const struct commcache_comm *old,
		const struct commcache_comm *comm, unsigned int note)
{
	struct change news[2] = {
		{ .kind = CHANGE_WAS },
		{ .kind = CHANGE_SET, .note = note & 0xf },
	};
	struct state state;

	moment = moment_fit(moment);
	thread = thread_route(thread, moment);
	if (!intern(thread, comm, &news[1].value))
		return lost(thread);
	/* Told once more: the old name is none of the present life's. */
	state = changes_state(&thread->changes, changes_position(
			&thread->changes, moment));
	if (state.name == NAME_KNOWN && state.comm == news[1].value)
		return thread_add(thread, moment, &news[1], 1);
	if (!old) {
		news[1].note |= NOTE_OLD_UNKNOWN;
		return thread_add(thread, moment, &news[1], 1);
	}
	if (!intern(thread, old, &news[0].value))
		return lost(thread);
	return thread_add(thread, moment, news, 2);
}

enum commcache_history_status commcache_history_becomes(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *old,
		const struct commcache_comm *comm)
{
	if (!thread || !comm)
		return COMMCACHE_HISTORY_INVALID;
	/* Renamed to what it was called: that is all it says. */
	if (old && commcache_comm_equal(old, comm))
		return commcache_history_is(thread, moment, comm);
	return add_set(thread, moment, old, comm, 0);
}

enum commcache_history_status commcache_history_became(
		struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment,
		const struct commcache_comm *old,
		const struct commcache_comm *comm)
{
	enum commcache_history_status status;

	if (!thread || !comm)
		return COMMCACHE_HISTORY_INVALID;
	if (old && commcache_comm_equal(old, comm))
		return commcache_history_is(thread, moment, comm);
	status = add_set(thread, moment, old, comm, NOTE_LATE);
	moment = moment_fit(moment);
	since = moment_fit(since);
	thread = thread_route(thread, moment);
	if (status >= 0 && old && moment_before(since, moment) &&
			!thread_hold_name(thread, since, moment, old))
		return lost(thread);
	return status;
}

/* Has the name changed after `since` already, at or before the position? */
static bool change_is_told(const struct changes *changes, int64_t position,
		struct commcache_moment since)
{
	for (; position >= 0; position--) {
		const struct change *change = &changes->array[position];
		struct state before = changes_state(changes, position - 1);

		if (!moment_before(since, change_moment(change)) ||
				change_starts_life(change))
			return false;
		switch (change->kind) {
		case CHANGE_SET:
		case CHANGE_RENAMED:
			return true;
		case CHANGE_TAKES:
		case CHANGE_TOOK:
			/* What exec does first; the rename comes after it. */
			return false;
		case CHANGE_IS:
			/* Another name than before. */
			if (before.name == NAME_KNOWN)
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}

/*
 * Is a name shown within the call the first that is told there? It can be the
 * old or the new one: it tells nothing of the time before the call. But where the
 * new one is told (COMM_UNKNOWN: it is not), another is the old one.
 */
static bool is_first_shown_inside(const struct changes *changes,
		int64_t position, struct commcache_moment since, uint32_t comm)
{
	struct state before;
	int64_t first = position + 1;

	while (first > 0 && moment_before(since, change_moment(
			&changes->array[first - 1]))) {
		first--;
		if (changes->array[first].kind != CHANGE_IS ||
				change_starts_life(&changes->array[first]))
			return false;
	}
	if (first > position || (comm != COMM_UNKNOWN &&
			changes->array[first].value != comm))
		return false;
	before = changes_state(changes, first - 1);
	return !before.dead && (before.name == NAME_NONE ||
			before.name == NAME_RENAMED);
}

/* Up to the call it was called as before. `status`, or no memory. */
static enum commcache_history_status hold_call(
		struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment,
		enum commcache_history_status status)
{
	/* The same twice: when the call was entered is not known. */
	if (!moment_before(since, moment) ||
			thread_hold_call(thread, since, moment))
		return status;
	return lost(thread);
}

enum commcache_history_status commcache_history_renamed(
		struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment,
		const struct commcache_comm *provisional)
{
	const struct change mark = { .kind = CHANGE_RENAMED };
	struct change renamed = mark;
	struct commcache_moment inside = moment_fit(commcache_moment_after(
			since));
	enum commcache_history_status status;
	int64_t position;

	if (!thread)
		return COMMCACHE_HISTORY_INVALID;
	moment = moment_fit(moment);
	thread = thread_route(thread, moment);
	position = changes_position(&thread->changes, moment);
	since = moment_fit(since);
	if (!intern(thread, provisional, &renamed.value))
		return lost(thread);
	if (change_is_told(&thread->changes, position, since) &&
			(!provisional || changes_state(&thread->changes,
			position).comm == renamed.value))
		return hold_call(thread, since, moment,
				COMMCACHE_HISTORY_UNCHANGED);
	if (is_first_shown_inside(&thread->changes, position, inside,
			renamed.value)) {
		status = thread_add(thread, inside, &mark, 1);
		if (status < 0)
			return status;
	}
	if (provisional) {
		renamed.kind = CHANGE_SET;
		renamed.note = NOTE_OLD_UNKNOWN | NOTE_LATE;
	}
	status = thread_add(thread, moment, &renamed, 1);
	return status < 0 ? status : hold_call(thread, since, moment, status);
}

/*
 * Is the death of that name rather the one of the life before: this one was born
 * a few changes ago, and has another name?
 */
static bool death_is_of_life_before(const struct changes *changes,
		int64_t position, uint32_t comm)
{
	struct state state = changes_state(changes, position);
	int64_t begin = position;
	struct state before;

	while (begin >= 0 && position - begin < LATE_DEATH_CHANGES &&
			!change_starts_life(&changes->array[begin]))
		begin--;
	if (begin < 0 || !change_is_birth(&changes->array[begin]) ||
			state.name != NAME_KNOWN || state.comm == comm)
		return false;
	before = changes_state(changes, begin - 1);
	return before.name == NAME_KNOWN && before.comm == comm;
}

enum commcache_history_status commcache_history_dies(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm)
{
	struct change news[2] = {
		{ .kind = CHANGE_IS },
		{ .kind = CHANGE_DIES },
	};
	int64_t position;

	if (!thread)
		return COMMCACHE_HISTORY_INVALID;
	moment = moment_fit(moment);
	thread = thread_route(thread, moment);
	position = changes_position(&thread->changes, moment);
	if (changes_state(&thread->changes, position).dead)
		return COMMCACHE_HISTORY_UNCHANGED;
	if (!comm)
		return thread_add(thread, moment, &news[1], 1);
	if (!intern(thread, comm, &news[0].value))
		return lost(thread);
	if (death_is_of_life_before(&thread->changes, position,
			news[0].value))
		return COMMCACHE_HISTORY_UNCHANGED;
	return thread_add(thread, moment, news, 2);
}

/* Is `old` gone already, taken over by the last change of the thread? */
static bool is_taken_over(struct commcache_history_thread *thread,
		struct commcache_history_thread *old,
		struct commcache_moment moment)
{
	struct changes *changes = &thread->changes;
	int64_t position = changes_position(changes, moment);
	const struct change *change;

	if (position < 0)
		return false;
	change = &changes->array[position];
	if (change->kind != CHANGE_TAKES || change->value != old->index)
		return false;
	changes = &thread_route(old, moment)->changes;
	return changes_state(changes, changes_position(changes, moment)).dead;
}

enum commcache_history_status commcache_history_takes_over(
		struct commcache_history_thread *thread,
		struct commcache_history_thread *old,
		struct commcache_moment moment)
{
	struct change takes = { .kind = CHANGE_TAKES };
	enum commcache_history_status taken, died;

	if (!thread || !old || thread->history != old->history)
		return COMMCACHE_HISTORY_INVALID;
	moment = moment_fit(moment);
	thread = thread_route(thread, moment);
	/* Two sessions can tell the same. */
	if (is_taken_over(thread, old, moment))
		return COMMCACHE_HISTORY_UNCHANGED;
	takes.value = old->index;
	taken = thread_add(thread, moment, &takes, 1);
	if (taken < 0)
		return taken;
	died = commcache_history_dies(old, moment, NULL);
	return died < 0 ? died : taken;
}

enum commcache_history_status commcache_history_file(
		struct commcache_history_thread *thread,
		const struct commcache_comm *comm)
{
	uint32_t id;

	if (!thread || !comm)
		return COMMCACHE_HISTORY_INVALID;
	thread = thread_route(thread, MOMENT_MIN);
	if (!intern(thread, comm, &id))
		return lost(thread);
	if (thread->file_comm == id)
		return COMMCACHE_HISTORY_UNCHANGED;
	thread->file_comm = id;
	thread_changed(thread);
	return COMMCACHE_HISTORY_CHANGED;
}
