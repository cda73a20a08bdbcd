/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_RUNS_H
#define COMMCACHE_HISTORY_RUNS_H

/*
 * All runs of threads on one CPU, for look-ups by time: eight bytes each, the
 * time as a distance from the first run of its block.
 */

#include <commcache/cpu.h>

struct run {
	uint32_t distance;
	int32_t tid;
};

_Static_assert(sizeof(struct run) == COMMCACHE_CPUS_SWITCH_BYTES,
		"the header promises it");

/* Runs that begin less than 2^32 clock units after `time`. */
struct run_block {
	int64_t time;
	uint32_t first;
};

struct runs {
	/* Owned by this. */
	struct run *runs;
	uint32_t count;
	uint32_t capacity;
	/* Owned by this. */
	struct run_block *blocks;
	uint32_t block_count;
	uint32_t block_capacity;
	/* Where the last look-up ended. */
	uint32_t hint;
	uint32_t hint_block;
};

/* From that time on, not before the last one. False: no memory. */
bool runs_append(struct runs *runs, int64_t time, int32_t tid, uint64_t *bytes);

/* -1: before the first run. */
int32_t runs_find(struct runs *runs, int64_t time);

/* Drop what ended at or before that time. */
void runs_forget(struct runs *runs, int64_t time);

void runs_fini(struct runs *runs, uint64_t *bytes);

#endif /* COMMCACHE_HISTORY_RUNS_H */
