/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_ROWS_H
#define COMMCACHE_PLUGIN_THREADS_ROWS_H

#include <glib.h>

#include "threads/params.h"
#include "threads/thread.h"

/*
 * What is to be printed: rows of names, chosen and in order, and the threads
 * that they belong to. A thread is one life of a number: who has it next is
 * another thread.
 */

struct threads_row {
	/* Weak. */
	const struct threads_boot *boot;
	/*
	 * Ids; THREADS_NO_ID: not known. Where `is_virtual`, as the process
	 * sees them in its own PID namespace.
	 */
	int64_t pid;
	int64_t tid;
	bool is_virtual;
	/* Of an idle thread, or -1. */
	int64_t cpu;
	uint32_t life;
	/* Which of the thread's names. */
	guint place;
	/* COMMCACHE_HISTORY_NS_UNKNOWN: not told. */
	uint64_t ns_inum;
	/* The number in that namespace. */
	int64_t vtid;
	/* When the thread ended, in the boot's clock; INT64_MAX: not told. */
	int64_t end;
	/* Weak, owned by the watcher; NULL: nothing was told of it. */
	const struct lane *lane;

	/* Nanoseconds from the origin; THREADS_NO_TIME: before all records. */
	int64_t since;
	struct commcache_history_name name;
	/* The name as it is shown. Weak, owned by `rows`. */
	const char *text;
	struct threads_counts counts;

	/* Of a thread: its names, from `first_name` on in `names`. */
	guint first_name;
	guint name_count;
};

/*
 * Whether it is the name before it, in a line of its own for it may be the next one
 * already.
 */
bool row_goes_on(const struct threads_row *row,
		const struct threads_row *before);

/* Whether the traces tell how often it gave way to others. */
bool row_tells_switches(const struct threads_row *row);

/* And how often it was made to. */
bool row_tells_preemptions(const struct threads_row *row);

/* Whether it is like one of the NULL-terminated patterns, if there are any. */
bool rows_name_matches(char **patterns, const char *text);

struct rows {
	/* Weak. */
	const struct threads_params *params;
	/* struct threads_row, the names of a thread in a row. Owned by this. */
	GArray *names;
	/* struct threads_row, sorted: sums, and the last name. Owned by this. */
	GArray *threads;
	/* Where text is kept, each name once. Owned by this. */
	GStringChunk *texts;
};

/* Both have to outlive it. */
void rows_init(struct rows *rows, const struct threads *threads,
		const struct threads_params *params);
void rows_finish(struct rows *rows);

/*
 * Names or, if that is asked for, threads: as sorted. `names` is of no use as an
 * index any more afterwards.
 */
const GArray *rows_sorted(struct rows *rows);

#endif /* COMMCACHE_PLUGIN_THREADS_ROWS_H */
