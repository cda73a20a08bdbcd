/* SPDX-License-Identifier: MIT */
#include "changes.h"
#include "comms.h"
#include "heap.h"

int64_t changes_search(const struct changes *changes,
		struct commcache_moment moment)
{
	uint32_t low = 0;
	uint32_t high = changes->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (moment_before(moment, change_moment(
				&changes->array[middle])))
			high = middle;
		else
			low = middle + 1;
	}
	return (int64_t) low - 1;
}

int64_t changes_position(struct changes *changes,
		struct commcache_moment moment)
{
	int64_t position = (int64_t) changes->hint - 1;

	/* Here, or one of the next two: streams move on. */
	if (position < changes->count && !moment_before(moment,
			changes_moment(changes, position))) {
		for (int step = 0; step < 3 && position < changes->count;
				step++, position++) {
			if (moment_before(moment, changes_moment(changes,
					position + 1)))
				goto found;
		}
	}
	position = changes_search(changes, moment);
found:
	changes->hint = (uint32_t) (position + 1);
	return position;
}

static struct state named(uint32_t comm)
{
	struct state state = { NAME_KNOWN, comm, false };

	/* A birth or a take-over can be of no name. */
	if (comm == COMM_UNKNOWN)
		state.name = NAME_NONE;
	return state;
}

struct state changes_state(const struct changes *changes, int64_t position)
{
	struct state state = { NAME_NONE, COMM_UNKNOWN, false };
	const struct change *change;

	if (position < 0)
		return state;
	change = &changes->array[position];
	switch ((enum change_kind) change->kind) {
	case CHANGE_IS:
	case CHANGE_SET:
	case CHANGE_WAS:
	case CHANGE_BORN:
	case CHANGE_BORN_AS:
	case CHANGE_TOOK:
		state = named(change->value);
		break;
	case CHANGE_BORN_OF:
	case CHANGE_TAKES:
		state.name = NAME_INHERITED;
		break;
	case CHANGE_RENAMED:
		state.name = NAME_RENAMED;
		break;
	case CHANGE_DIES:
		/* No death follows a death: this ends at once. */
		state = changes_state(changes, position - 1);
		state.dead = true;
		break;
	case CHANGE_JOIN:
		/* Asked only for what comes after the joined life's end. */
		state.dead = true;
		break;
	}
	return state;
}

int64_t changes_life_begin(const struct changes *changes, int64_t position)
{
	while (position >= 0 && !change_starts_life(&changes->array[position]))
		position--;
	return position;
}

int64_t changes_life_end(const struct changes *changes, int64_t position)
{
	do {
		position++;
	}
	while (position < changes->count &&
			!change_starts_life(&changes->array[position]));
	return position;
}

bool changes_reserve(struct changes *changes, uint32_t more, uint64_t *bytes)
{
	uint32_t capacity = changes->capacity + changes->capacity / 2 + 1;
	struct change *array;

	if (more <= changes->capacity - changes->count)
		return true;
	if (capacity < changes->capacity)
		return false;
	if (capacity < changes->count + more)
		capacity = changes->count + more;
	array = heap_resize(bytes, changes->array,
			changes->capacity * sizeof(*array),
			capacity * sizeof(*array));
	if (!array)
		return false;
	changes->array = array;
	changes->capacity = capacity;
	return true;
}

/* Does it bound a life: its beginning, or its end? */
static bool bounds_life(const struct change *change)
{
	return change->kind == CHANGE_DIES || change_starts_life(change);
}

void changes_insert(struct changes *changes, int64_t position,
		const struct change *change)
{
	struct change *place = &changes->array[position];

	memmove(place + 1, place, (changes->count - (size_t) position) *
			sizeof(*place));
	*place = *change;
	changes->count++;
	if (bounds_life(change))
		changes->lives_version++;
}

void changes_remove(struct changes *changes, int64_t position, uint32_t count)
{
	struct change *place;

	if (!count)
		return;
	place = &changes->array[position];
	for (uint32_t i = 0; i < count; i++) {
		if (bounds_life(&place[i]))
			changes->lives_version++;
	}
	changes->count -= count;
	memmove(place, place + count, (changes->count - (size_t) position) *
			sizeof(*place));
}

bool changes_judge(struct state state, struct change *change)
{
	bool same = state.name == NAME_KNOWN && state.comm == change->value;

	switch ((enum change_kind) change->kind) {
	case CHANGE_IS:
	case CHANGE_SET:
	case CHANGE_WAS:
		if (same)
			return false;
		break;
	case CHANGE_DIES:
		return !state.dead;
	case CHANGE_RENAMED:
	case CHANGE_TAKES:
	case CHANGE_TOOK:
		break;
	case CHANGE_BORN:
	case CHANGE_BORN_OF:
	case CHANGE_BORN_AS:
	case CHANGE_JOIN:
		return true;
	}
	/* Another name after a death is another life. */
	change->note &= ~NOTE_START & 0xf;
	if (state.dead)
		change->note |= NOTE_START;
	return true;
}

/* Judge the change at the position again. False: it went. */
static bool judge_again(struct changes *changes, int64_t position)
{
	struct change *change = &changes->array[position];
	struct change judged = *change;

	if (!changes_judge(changes_state(changes, position - 1), &judged)) {
		changes_remove(changes, position, 1);
		return false;
	}
	if (judged.note != change->note)
		changes->lives_version++;
	*change = judged;
	return true;
}

static bool is_named(struct state state, uint32_t comm)
{
	return state.name == NAME_KNOWN && state.comm == comm;
}

/* A WAS is of use only before its SET, and where both say something new. */
static bool was_is_of_use(const struct changes *changes, int64_t position)
{
	struct state state = changes_state(changes, position - 1);

	return !is_named(state, changes->array[position].value) &&
			!is_named(state, changes->array[position + 1].value);
}

/*
 * A SET without a WAS says that the name before it was the one known then. Where
 * that is not so any more, say it. False: no memory.
 */
static bool tell_old(struct changes *changes, int64_t position,
		struct state before, uint64_t *bytes)
{
	struct change was = changes->array[position];
	struct state state = changes_state(changes, position - 1);

	if (was.note & NOTE_OLD_UNKNOWN || before.name != NAME_KNOWN ||
			is_named(state, was.value) ||
			is_named(state, before.comm))
		return true;
	if (!changes_reserve(changes, 1, bytes))
		return false;
	was.kind = CHANGE_WAS;
	was.note = 0;
	was.value = before.comm;
	changes_insert(changes, position, &was);
	return true;
}

bool changes_settle(struct changes *changes, int64_t position,
		struct state before, uint64_t *bytes)
{
	while (position < changes->count) {
		struct change change = changes->array[position];
		bool after_was = position > 0 &&
				changes->array[position - 1].kind == CHANGE_WAS;

		if (change.kind == CHANGE_WAS &&
				!was_is_of_use(changes, position)) {
			changes_remove(changes, position, 1);
			before = named(change.value);
			continue;
		}
		if (change.kind == CHANGE_SET && !after_was) {
			uint32_t count = changes->count;

			if (!tell_old(changes, position, before, bytes))
				return false;
			if (changes->count != count)
				continue;
		}
		if (!judge_again(changes, position)) {
			if (change.kind == CHANGE_DIES)
				before.dead = true;
			else
				before = named(change.value);
			continue;
		}
		/* What follows is as it was, but after a death or a WAS. */
		if (change.kind == CHANGE_DIES)
			before.dead = true;
		else if (change.kind != CHANGE_WAS)
			return true;
		position++;
	}
	return true;
}

void changes_fini(struct changes *changes, uint64_t *bytes)
{
	heap_free(bytes, changes->array,
			changes->capacity * sizeof(*changes->array));
	*changes = (struct changes) { 0 };
}
