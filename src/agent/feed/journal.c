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

/* Between its time and its ring a record can be passed by by others. */
#define DISORDER_NS	1000000

static struct feed_page *page_of(struct feed_journal *journal, pid_t by_tid)
{
	return &journal->pages[(unsigned int) by_tid % FEED_PAGES];
}

static struct feed_note *find(struct feed_page *page, uint32_t serial)
{
	return &page->notes[serial % FEED_NOTES];
}

static uint32_t state_of(uint32_t serial, uint32_t state)
{
	return serial % SERIALS * NOTE_STATES + state;
}

uint32_t feed_journal_begin(struct feed_journal *journal, pid_t by_tid,
		uint64_t now)
{
	struct feed_page *page = page_of(journal, by_tid);
	struct feed_note *note;
	uint32_t serial;

	do {
		serial = __atomic_fetch_add(&page->next, 1, __ATOMIC_RELAXED);
	} while (!serial);
	note = find(page, serial);
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

bool feed_journal_take(struct feed_journal *journal, pid_t by_tid,
		uint32_t serial)
{
	struct feed_note *note = find(page_of(journal, by_tid), serial);

	/* A note that was lost to a newer call says nothing: write. */
	return take(note, serial, NOTE_BY_CALL) ||
			__atomic_load_n(&note->state, __ATOMIC_RELAXED) !=
			state_of(serial, NOTE_BY_READER);
}

void feed_journal_end(struct feed_journal *journal, pid_t by_tid,
		uint32_t serial, uint64_t now)
{
	struct feed_note *note = find(page_of(journal, by_tid), serial);

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
static uint32_t skip_ended(struct feed_page *page, uint64_t time)
{
	const uint32_t next = __atomic_load_n(&page->next, __ATOMIC_ACQUIRE);
	struct feed_note copy;

	if (next - page->first > FEED_NOTES)
		page->first = next - FEED_NOTES;
	for (; page->first != next; page->first++) {
		/* No call has the number 0. */
		if (!page->first)
			continue;
		if (!read_note(find(page, page->first), page->first, &copy) ||
				!copy.end || copy.end + DISORDER_NS >= time)
			break;
	}
	return next;
}

enum feed_rename feed_journal_find(struct feed_journal *journal, pid_t by_tid,
		uint64_t time)
{
	struct feed_page *page = page_of(journal, by_tid);
	const uint32_t next = skip_ended(page, time);
	struct feed_note copy;
	uint32_t serial;

	for (serial = page->first; serial != next; serial++) {
		struct feed_note *note = find(page, serial);

		if (!serial || !read_note(note, serial, &copy) ||
				copy.by_tid != by_tid)
			continue;
		/* Those of one thread are in order. */
		if (copy.begin > time)
			break;
		if (copy.end && copy.end < time)
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
