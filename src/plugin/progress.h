/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_PROGRESS_H
#define COMMCACHE_PLUGIN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * One line on the standard error that tells how far a long read is, if that is a
 * terminal: from the second second on, and gone at the end. Without any escape
 * code, so that every terminal bears it.
 */
struct progress {
	bool is_wanted;
	/* What is done. Weak. */
	const char *what;
	uint64_t messages;
	/* Those of an earlier pass; 0: not known. */
	uint64_t total;
	/* Monotonic, in milliseconds: of the beginning, of the last line. */
	int64_t begin;
	int64_t shown;
	/* Columns that are written to. */
	int width;
};

/* `is_wanted`: where there is a terminal. */
void progress_init(struct progress *progress, bool is_wanted);

/* A pass begins; the one before read as many messages as this one will. */
void progress_begin(struct progress *progress, const char *what);

/* Looks at the clock and writes. */
void progress_show(struct progress *progress);

/* So many messages more. */
static inline void progress_add(struct progress *progress, uint64_t messages)
{
	progress->messages += messages;
	if (progress->is_wanted)
		progress_show(progress);
}

/* Leaves nothing behind: at the end, and before anything else is written. */
void progress_erase(struct progress *progress);

#endif /* COMMCACHE_PLUGIN_PROGRESS_H */
