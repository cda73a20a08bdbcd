/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_CHANGES_H
#define COMMCACHE_HISTORY_CHANGES_H

/*
 * What changed in the lives of one number: a sorted array, 16 bytes a change.
 *
 * It is kept normal: no change in it says what the ones before it say already.
 * So the state at any moment is told by the last change at or before it and a
 * neighbour or two, and a look-up is one search.
 */

#include "cursor.h"

enum change_kind {
	/* Called value, as a record shows it. */
	CHANGE_IS,
	/* From now on called value. Note: NOTE_OLD_UNKNOWN, NOTE_LATE. */
	CHANGE_SET,
	/*
	 * Right before a SET at the same moment: until then called value. Only
	 * where that is not what the state before it says.
	 */
	CHANGE_WAS,
	/* From now on called otherwise, not told how. */
	CHANGE_RENAMED,
	/* A life begins, called value (COMM_UNKNOWN: not told). Note: tellers. */
	CHANGE_BORN,
	/* A life begins, called as thread value is then. Note: tellers. */
	CHANGE_BORN_OF,
	/* A life begins, inherited name value. Note: tellers. */
	CHANGE_BORN_AS,
	/* From now on called as thread value is then. */
	CHANGE_TAKES,
	/* From now on called value, taken from another thread. */
	CHANGE_TOOK,
	CHANGE_DIES,
	/* A life begins: the one of join value. */
	CHANGE_JOIN,
};

/* A life that begins with this has no recorded birth. */
#define NOTE_START		1U
#define NOTE_OLD_UNKNOWN	2U
/* It took effect before it was told. */
#define NOTE_LATE		4U
/* Of what is held: not shown, but nothing tells otherwise. */
#define NOTE_PRESUMED		8U

struct change {
	int64_t time;
	uint32_t order : ORDER_BITS;
	uint32_t kind : 4;
	/* Tellers of a birth, one bit each from TELLER_FORK on, or NOTE_*. */
	uint32_t note : 4;
	uint32_t value;
};

_Static_assert(sizeof(struct change) == COMMCACHE_HISTORY_CHANGE_BYTES,
		"the header promises it");

struct changes {
	/* Owned by this. */
	struct change *array;
	uint32_t count;
	uint32_t capacity;
	/* Where the last search ended: position + 1. */
	uint32_t hint;
	/* Goes up when the bounds of lives change. */
	uint32_t lives_version;
};

/* What is known of the name after a change. */
enum name_state {
	NAME_NONE,
	NAME_KNOWN,
	/* As another thread's was. */
	NAME_INHERITED,
	/* Renamed, not told how. */
	NAME_RENAMED,
};

struct state {
	enum name_state name;
	/* With NAME_KNOWN. */
	uint32_t comm;
	/* The life has ended; its thread may still run on. */
	bool dead;
};

#define MOMENT_MIN ((struct commcache_moment) { INT64_MIN, 0 })
/* After all moments that can be given. */
#define MOMENT_END ((struct commcache_moment) { INT64_MAX, UINT32_MAX })

static inline struct commcache_moment moment_later(struct commcache_moment a,
		struct commcache_moment b)
{
	return moment_before(a, b) ? b : a;
}

static inline struct commcache_moment moment_earlier(struct commcache_moment a,
		struct commcache_moment b)
{
	return moment_before(b, a) ? b : a;
}

static inline struct commcache_moment change_moment(const struct change *change)
{
	return commcache_moment(change->time, change->order);
}

static inline bool change_is_birth(const struct change *change)
{
	return change->kind == CHANGE_BORN || change->kind == CHANGE_BORN_OF ||
			change->kind == CHANGE_BORN_AS;
}

/* Is its value the index of a thread? */
static inline bool change_names_thread(const struct change *change)
{
	return change->kind == CHANGE_BORN_OF || change->kind == CHANGE_TAKES;
}

/* Is its value the id of a comm? */
static inline bool change_names_comm(const struct change *change)
{
	return !change_names_thread(change) && change->kind != CHANGE_RENAMED &&
			change->kind != CHANGE_DIES &&
			change->kind != CHANGE_JOIN;
}

/* Does a life begin with it? */
static inline bool change_starts_life(const struct change *change)
{
	if (change->kind == CHANGE_JOIN || change_is_birth(change))
		return true;
	return change->note & NOTE_START;
}

/* Position of the last change at or before the moment, -1 if there is none. */
int64_t changes_search(const struct changes *changes,
		struct commcache_moment moment);

/* The same, begun where the last one ended. */
int64_t changes_position(struct changes *changes,
		struct commcache_moment moment);

/* The moment of a change; of none, before all and after all. */
static inline struct commcache_moment changes_moment(
		const struct changes *changes, int64_t position)
{
	if (position < 0)
		return MOMENT_MIN;
	if (position >= changes->count)
		return MOMENT_END;
	return change_moment(&changes->array[position]);
}

/* The state after the change at the position, -1: before all. */
struct state changes_state(const struct changes *changes, int64_t position);

/* Position where the life at the position begins, -1: before all records. */
int64_t changes_life_begin(const struct changes *changes, int64_t position);

/* Position where the next life begins, count if none does. */
int64_t changes_life_end(const struct changes *changes, int64_t position);

/* Room for that many more. False: no memory. */
bool changes_reserve(struct changes *changes, uint32_t more, uint64_t *bytes);

/* Put a change at a position, where room was reserved. */
void changes_insert(struct changes *changes, int64_t position,
		const struct change *change);

void changes_remove(struct changes *changes, int64_t position, uint32_t count);

/*
 * What the change has to be after that state: its NOTE_START set or not. False:
 * it says nothing new.
 */
bool changes_judge(struct state state, struct change *change);

/*
 * After the changes before `position` have changed, and the state before it with
 * them (`before` is what it was): make it and those after it normal again.
 * False: no memory; what is there stays sound, if not normal.
 */
bool changes_settle(struct changes *changes, int64_t position,
		struct state before, uint64_t *bytes);

void changes_fini(struct changes *changes, uint64_t *bytes);

#endif /* COMMCACHE_HISTORY_CHANGES_H */
