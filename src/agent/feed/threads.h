/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_THREADS_H
#define COMMCACHE_AGENT_FEED_THREADS_H

/* What the parts of the feed know of each other. */

#include <stdbool.h>
#include <stdint.h>

#include "feed.h"
#include "open.h"

/* Of the waiter, and then of the reader. */
extern struct feed_rings feed_rings;

/* The threads' functions, for pthread_create(). */
void *feed_wait(void *data);
void *feed_read(void *data);

/* The state is another now, if it was `from`; whoever waits for it is woken. */
bool feed_change_state(enum feed_state from, enum feed_state to);

/* Read all records from before `limit`. False: another thread is at it. */
bool feed_read_until(uint64_t limit);

/* The caller's name. */
void feed_name_thread(const char *name);

#endif /* COMMCACHE_AGENT_FEED_THREADS_H */
