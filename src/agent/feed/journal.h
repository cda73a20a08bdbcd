/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_JOURNAL_H
#define COMMCACHE_AGENT_FEED_JOURNAL_H

/*
 * The gate between the two feeds: each rename is written once, by the call that
 * we stand before, or by who reads the kernel's records.
 *
 * A call notes when it began; the kernel's record of its rename is of a time
 * since then, and of the same thread. Whoever comes first to write, the call
 * or the reader, takes the note, and the other lets it be.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * So many of the last calls are known, of threads whose tids have the same
 * remainder; both powers of two.
 */
#define FEED_NOTES	512
#define FEED_PAGES	64

struct feed_note {
	/* Serial number of the call, and what became of it: enum in journal.c. */
	uint32_t state;
	pid_t by_tid;
	uint64_t begin;
	/* 0: not yet. */
	uint64_t end;
};

struct feed_page {
	uint32_t next;
	/* The reader's: what is before does not matter any more. */
	uint32_t first;
	struct feed_note notes[FEED_NOTES];
};

/* All zero at first. */
struct feed_journal {
	struct feed_page pages[FEED_PAGES];
};

/*
 * The caller is about to rename a thread. Not 0: the serial number, for what
 * follows. Async-signal-safe, as those are.
 */
uint32_t feed_journal_begin(struct feed_journal *journal, pid_t by_tid,
		uint64_t now);

/* Whether the caller is to write its rename. */
bool feed_journal_take(struct feed_journal *journal, pid_t by_tid,
		uint32_t serial);

/* The rename is over, whether it was made and written or not. */
void feed_journal_end(struct feed_journal *journal, pid_t by_tid,
		uint32_t serial, uint64_t now);

enum feed_rename {
	/* By no call that we stand before. */
	FEED_RENAME_RAW,
	/* The call leaves it to the reader. */
	FEED_RENAME_LEFT,
	/* The call writes it. */
	FEED_RENAME_THEIRS,
};

/*
 * What the reader is to know of a rename that by_tid made at that time. Times
 * ascend from call to call. For one thread.
 */
enum feed_rename feed_journal_find(struct feed_journal *journal, pid_t by_tid,
		uint64_t time);

#endif /* COMMCACHE_AGENT_FEED_JOURNAL_H */
