/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_RING_H
#define COMMCACHE_AGENT_FEED_RING_H

/*
 * The reading side of a ring that the kernel writes, one for each CPU. By one
 * thread at a time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <urcu/pointer.h>

#include "record.h"

struct perf_event_mmap_page;

struct feed_ring {
	int cpu;
	/* Mapped for good: threads may read at any time. NULL: none. */
	struct perf_event_mmap_page *page;
	/* In it: records, a power of two of bytes. */
	const unsigned char *data;
	uint64_t size;
	/* What came when nobody wanted it filled the ring: no loss. */
	bool overfull;
	/*
	 * There was no room at the end of a reading: records may be lost, which
	 * the kernel tells only with the next one that finds room.
	 */
	bool full;

	/* What a reading sees: up to where there is data, and where it is. */
	uint64_t head;
	uint64_t tail;
	/* The record at tail, and its size. */
	struct feed_record record;
	uint64_t record_size;
};

/* The ring in that mapping. */
void feed_ring_open(struct feed_ring *ring, struct perf_event_mmap_page *page);

/* Whether there is one; if so, all of it is to be seen. For everybody. */
static inline bool feed_ring_is_open(const struct feed_ring *ring)
{
	return rcu_dereference(ring->page) != NULL;
}

/* Whether a quarter is used, at which the kernel calls. For everybody. */
bool feed_ring_is_filling(const struct feed_ring *ring);

/* A reading begins, of what there is at this moment. */
void feed_ring_begin(struct feed_ring *ring);

/*
 * Look at the next record, which is in ring->record then; false at the end.
 * Of a ring that is not as it should be the rest is dropped, as a loss of
 * which nobody knows the count (0).
 */
bool feed_ring_peek(struct feed_ring *ring);

/* Go past the record that was looked at. */
void feed_ring_pass(struct feed_ring *ring);

/* The reading ends: what was passed is the kernel's again. */
void feed_ring_end(struct feed_ring *ring);

/* Drop all that is there. */
void feed_ring_drop(struct feed_ring *ring);

#endif /* COMMCACHE_AGENT_FEED_RING_H */
