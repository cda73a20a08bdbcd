/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_LAUNCH_H
#define COMMCACHE_AGENT_FEED_LAUNCH_H

/* The second feed's start and its end in a process: see feed.h. */

/*
 * Read the environment, and start the feed if it asks for that and the kernel
 * allows it: before the program has other threads than the caller. errno may
 * change.
 */
void agent_feed_start(void);

/* The same in a child in which LTTng-UST is about to start. */
void agent_feed_follow(void);

/*
 * Wait, a tenth of a second at most, until the rings are read, if a session
 * wants it, and the statedump is made: before the program goes on.
 */
void agent_feed_wait(void);

/* The process ends: write what is there. Waits for little. */
void agent_feed_end(void);

#endif /* COMMCACHE_AGENT_FEED_LAUNCH_H */
