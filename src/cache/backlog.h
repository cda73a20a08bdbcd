/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_SRC_CACHE_BACKLOG_H
#define COMMCACHE_SRC_CACHE_BACKLOG_H

/*
 * The backlog: changes that could not be made because another thread, or the
 * code below this signal handler, was making one. They count from the moment
 * they are in it: readers look here first. Whoever next has the lock makes
 * them, in their order.
 *
 * Each change has a ticket; the change with ticket t is in cell t modulo the
 * number of cells. A cell is a slot whose change number is the ticket. Who
 * took a ticket and is stopped before it filled the cell has not changed
 * anything yet; the changes behind it wait in the backlog until it goes on.
 */

#include <stdbool.h>
#include <stdint.h>

#include "slot.h"

#define BACKLOG_CELLS	64

struct cache_backlog {
	struct cache_slot cells[BACKLOG_CELLS];
};

/*
 * The next ticket (32 bits) and how many before it are waiting (32 bits); one
 * word, so that both change together. It lies apart from the cells, with
 * what every reader reads.
 */
/* Aligned as atomics are to be, on 32-bit machines too. */
typedef uint64_t backlog_state __attribute__((aligned(8)));

enum backlog_result {
	/* The table tells. */
	BACKLOG_NONE,
	BACKLOG_SAVED,
	BACKLOG_FORGOTTEN,
	/* The change was made while it was read; start anew. */
	BACKLOG_MOVED,
};

static inline uint32_t backlog_waiting(const backlog_state *state)
{
	return (uint32_t) __atomic_load_n(state, __ATOMIC_ACQUIRE);
}

/* The next ticket. */
static inline uint32_t backlog_next(const backlog_state *state)
{
	return __atomic_load_n(state, __ATOMIC_ACQUIRE) >> 32;
}

/* Whether the oldest change that waits has a ticket before this one. */
static inline bool backlog_is_before(const backlog_state *state,
		uint32_t ticket)
{
	backlog_state now = __atomic_load_n(state, __ATOMIC_ACQUIRE);
	uint32_t oldest = (uint32_t) (now >> 32) - (uint32_t) now;

	return (int32_t) (oldest - ticket) < 0;
}

/* The newest change of tid that waits. */
enum backlog_result backlog_find(const struct cache_backlog *backlog,
		const backlog_state *state, uint32_t tid,
		struct commcache_comm *comm);

/* comm NULL: tid is to be forgotten. False if the backlog is full. */
bool backlog_add(struct cache_backlog *backlog, backlog_state *state,
		uint32_t tid, const struct commcache_comm *comm);

/*
 * For the lock's holder: the oldest change. False if there is none, or if it
 * is not complete yet. backlog_done() takes it off, once it is in the table.
 */
bool backlog_oldest(const struct cache_backlog *backlog,
		const backlog_state *state, uint32_t *tid,
		struct commcache_comm *comm, bool *forget);
void backlog_done(backlog_state *state);

#endif /* COMMCACHE_SRC_CACHE_BACKLOG_H */
