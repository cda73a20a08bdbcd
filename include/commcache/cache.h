/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_CACHE_H
#define COMMCACHE_CACHE_H

/*
 * The cache: which name (comm) each thread bears now.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Bytes of a comm, its NUL included: the kernel's TASK_COMM_LEN
 * (include/linux/sched.h).
 */
#define COMMCACHE_COMM_LEN 16

/*
 * A cache takes at most COMMCACHE_FIXED_BYTES and, for each thread of its
 * capacity, COMMCACHE_BYTES_PER_THREAD (between 40 and 80: tables grow by
 * doubling), where pages have 4096 bytes.
 */
#define COMMCACHE_FIXED_BYTES		8192
#define COMMCACHE_BYTES_PER_THREAD	80

/*
 * A thread's name as Linux keeps it, a value: at most 15 bytes, then NUL to
 * the end, so that equality is two 64-bit compares.
 */
struct commcache_comm {
	union {
		char str[COMMCACHE_COMM_LEN];
		uint64_t half[2];
	};
};

/* What became of a save. Negative: the name was not saved. */
enum commcache_save_status {
	COMMCACHE_SAVE_UNCHANGED = 0,
	COMMCACHE_SAVE_ADDED = 1,
	COMMCACHE_SAVE_RENAMED = 2,
	/* The tid is not one of a thread (0 or negative). */
	COMMCACHE_SAVE_INVALID_TID = -1,
	/* Too many changes wait for a stopped thread; try again later. */
	COMMCACHE_SAVE_BUSY = -2,
};

enum commcache_status {
	COMMCACHE_OK = 0,
	COMMCACHE_INVALID = -1,
	COMMCACHE_NO_MEMORY = -2,
	COMMCACHE_BUSY = -3,
	COMMCACHE_NOT_FOUND = -4,
};

/* What became of the two saves of a switch. */
struct commcache_switch_status {
	enum commcache_save_status prev;
	enum commcache_save_status next;
};

struct commcache;

/* Counted since commcache_create(). Unchanged saves are not counted. */
struct commcache_stats {
	/* At most so many threads are kept, and so many are. */
	uint64_t capacity;
	uint64_t threads;
	/* Bytes of memory that the cache takes at most at this capacity. */
	uint64_t bytes;

	uint64_t adds;
	uint64_t renames;
	uint64_t forgets;
	/* Threads dropped for newer ones, by an add or by a resize. */
	uint64_t evictions;
	uint64_t resizes;

	/* Names that were not saved, by reason. */
	uint64_t not_saved_busy;
	uint64_t not_saved_invalid_tid;
	/* Forgets that were refused as busy. */
	uint64_t not_forgotten_busy;
};

static inline bool commcache_comm_equal(const struct commcache_comm *a,
		const struct commcache_comm *b)
{
	return a->half[0] == b->half[0] && a->half[1] == b->half[1];
}

/*
 * Make a comm of a C string: cut to 15 bytes as the kernel does, the rest
 * zeroed. Async-signal-safe.
 */
void commcache_comm_from_string(struct commcache_comm *comm, const char *str);

struct commcache *commcache_create(size_t capacity);
void commcache_destroy(struct commcache *cache);

enum commcache_save_status commcache_save(struct commcache *cache, pid_t tid,
		const struct commcache_comm *comm, struct commcache_comm *prev);
struct commcache_switch_status commcache_sched_switch(
		struct commcache *cache,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm);
bool commcache_find(struct commcache *cache, pid_t tid,
		struct commcache_comm *comm);
enum commcache_status commcache_forget(struct commcache *cache, pid_t tid,
		struct commcache_comm *last);
enum commcache_status commcache_for_each(struct commcache *cache,
		bool (*visit)(pid_t tid, const struct commcache_comm *comm,
				void *data), void *data);
enum commcache_status commcache_resize(struct commcache *cache,
		size_t capacity);
void commcache_get_stats(struct commcache *cache,
		struct commcache_stats *stats);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* COMMCACHE_CACHE_H */
