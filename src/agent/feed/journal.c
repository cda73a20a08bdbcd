/* SPDX-License-Identifier: MIT */

#include "journal.h"

/* The low bits of a note's state. */
enum {
	/* Not filled in. */
	NOTE_EMPTY,
	NOTE_OPEN,
	/* The call has written its rename, or is about to. */
	NOTE_BY_CALL,
	NOTE_BY_READER,
	NOTE_STATES,
};

#define SERIALS		(UINT32_MAX / NOTE_STATES)

/*
 * Between its number and its time a call can be passed by by others, as can a
 * record between its time and its ring.
 */
#define DISORDER_NS	1000000

static struct feed_note *find(struct feed_journal *journal, uint32_t serial)
{
	return &journal->notes[serial % FEED_NOTES];
}

static uint32_t state_of(uint32_t serial, uint32_t state)
{
	return serial % SERIALS * NOTE_STATES + state;
}

uint32_t feed_journal_begin(struct feed_journal *journal, pid_t by_tid,
		uint64_t now)
{
	uint32_t serial;
	struct feed_note *note;

	do {
		serial = __atomic_fetch_add(&journal->next, 1,
				__ATOMIC_RELAXED);
	} while (!serial);
	note = find(journal, serial);
	__atomic_store_n(&note->state, state_of(serial, NOTE_EMPTY),
			__ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&note->by_tid, by_tid, __ATOMIC_RELAXED);
	__atomic_store_n(&note->begin, now, __ATOMIC_RELAXED);
	__atomic_store_n(&note->end, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&note->state, state_of(serial, NOTE_OPEN),
			__ATOMIC_RELEASE);
	return serial;
}

static bool take(struct feed_note *note, uint32_t serial, uint32_t taken)
{
	uint32_t state = state_of(serial, NOTE_OPEN);

	return __atomic_compare_exchange_n(&note->state, &state,
			state_of(serial, taken), false, __ATOMIC_ACQ_REL,
			__ATOMIC_RELAXED);
}

bool feed_journal_take(struct feed_journal *journal, uint32_t serial)
{
	struct feed_note *note = find(journal, serial);

	/* A note that was lost to a newer call says nothing: write. */
	return take(note, serial, NOTE_BY_CALL) ||
			__atomic_load_n(&note->state, __ATOMIC_RELAXED) !=
			state_of(serial, NOTE_BY_READER);
}

void feed_journal_end(struct feed_journal *journal, uint32_t serial,
		uint64_t now)
{
	struct feed_note *note = find(journal, serial);

	if (__atomic_load_n(&note->state, __ATOMIC_RELAXED) / NOTE_STATES ==
			serial % SERIALS)
		__atomic_store_n(&note->end, now, __ATOMIC_RELEASE);
}

/* A note as it is at this moment; false: of another call, or empty. */
static bool read_note(struct feed_note *note, uint32_t serial,
		struct feed_note *copy)
{
	copy->state = __atomic_load_n(&note->state, __ATOMIC_ACQUIRE);
	copy->by_tid = __atomic_load_n(&note->by_tid, __ATOMIC_RELAXED);
	copy->begin = __atomic_load_n(&note->begin, __ATOMIC_RELAXED);
	copy->end = __atomic_load_n(&note->end, __ATOMIC_ACQUIRE);
	return copy->state / NOTE_STATES == serial % SERIALS &&
			copy->state != state_of(serial, NOTE_EMPTY);
}

/* Past calls that ended before, and those that newer ones took the place of. */
static uint32_t skip_ended(struct feed_journal *journal, uint64_t time)
{
	const uint32_t next = __atomic_load_n(&journal->next,
			__ATOMIC_ACQUIRE);
	struct feed_note copy;

	if (next - journal->first > FEED_NOTES)
		journal->first = next - FEED_NOTES;
	while (journal->first != next) {
		if (!journal->first) {
			journal->first++;
			continue;
		}
		if (!read_note(find(journal, journal->first), journal->first,
				&copy) || !copy.end ||
				copy.end + DISORDER_NS >= time)
			break;
		journal->first++;
	}
	return next;
}

enum feed_rename feed_journal_find(struct feed_journal *journal, pid_t by_tid,
		uint64_t time)
{
	const uint32_t next = skip_ended(journal, time);
	struct feed_note copy;
	uint32_t serial;

	for (serial = journal->first; serial != next; serial++) {
		struct feed_note *note = find(journal, serial);

		if (!serial || !read_note(note, serial, &copy))
			continue;
		if (copy.begin > time + DISORDER_NS)
			break;
		if (copy.by_tid != by_tid || copy.begin > time ||
				(copy.end && copy.end < time))
			continue;
		if (take(note, serial, NOTE_BY_READER) ||
				__atomic_load_n(&note->state,
					__ATOMIC_RELAXED) !=
				state_of(serial, NOTE_BY_CALL))
			return FEED_RENAME_LEFT;
		return FEED_RENAME_THEIRS;
	}
	return FEED_RENAME_RAW;
}
