/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_MERGE_H
#define COMMCACHE_AGENT_FEED_MERGE_H

/*
 * Reading the rings of all CPUs as one, by time: a thread is renamed on one
 * CPU and switched to on another.
 */

#include <stddef.h>

#include "ring.h"

/*
 * Give each record from before `limit` to take(), earliest first; what is later
 * stays. Records that tell nothing are dropped. `heap` has room for a pointer
 * to each ring. Rings that have no page are left out.
 */
void feed_merge(struct feed_ring *rings, size_t count, struct feed_ring **heap,
		uint64_t limit, void (*take)(struct feed_ring *ring));

#endif /* COMMCACHE_AGENT_FEED_MERGE_H */
