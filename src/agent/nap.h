/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_NAP_H
#define COMMCACHE_AGENT_NAP_H

/*
 * Wait for another thread, which takes some microseconds. Not sched_yield():
 * it would starve a lower priority.
 */

#define AGENT_NAP_NS	20000L

/* Async-signal-safe. No cancellation point. errno may change. */
void agent_nap(long ns);

#endif /* COMMCACHE_AGENT_NAP_H */
