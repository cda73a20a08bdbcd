/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_WRITE_H
#define COMMCACHE_AGENT_FEED_WRITE_H

/*
 * What the kernel's records say of names, in a cache that they feed, and of
 * switches: written as LTTng-UST events. By one thread at a time.
 */

#include <stdbool.h>

#include "ring.h"

/* Whether a session wants any of it. */
bool feed_write_wanted(void);

/*
 * Once a process, before anything is written: in the child of a fork too, where
 * the cache may be as it was in the midst of a change. False: no memory.
 */
bool feed_write_start(void);

/*
 * Look at all threads: what they are called, if it is not known, is known then,
 * and what is known wrongly is written.
 */
void feed_write_look(void);

/* One record, the one that the ring is at: by time. */
void feed_write_record(struct feed_ring *ring);

/* All that there is was read: mend what was lost. */
void feed_write_mend(void);

#endif /* COMMCACHE_AGENT_FEED_WRITE_H */
