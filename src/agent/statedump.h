/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_STATEDUMP_H
#define COMMCACHE_AGENT_STATEDUMP_H

/*
 * The names of all living threads, into each session that starts.
 */

#include <sys/types.h>

#include "process.h"

/*
 * Have the start of sessions seen; as early as can be: the first can start
 * while LTTng-UST is still being loaded. 0 or a negative error number.
 */
int agent_statedump_start(void);

/* The library is loaded: dump into the sessions that started before. */
void agent_statedump_loaded(void);

/* Whether there was one, and none is under way. */
static inline bool agent_statedump_is_over(void)
{
	uint32_t ended = __atomic_load_n(&agent_process()->statedumps_ended,
			__ATOMIC_ACQUIRE);

	return ended && ended == __atomic_load_n(
			&agent_process()->statedumps_begun, __ATOMIC_RELAXED);
}

void agent_statedump_wait_slowly(pid_t tid);

/*
 * Wait, after a rename and before it is written, until no statedump is between
 * reading tid's name and writing it: else the old name could be written after
 * the new. Async-signal-safe: the statedump's thread waits for nobody.
 *
 * No fence here: the statedump sees to it that all threads have seen `dumping`
 * before it reads the first name (membarrier(2)).
 */
static inline void agent_statedump_wait(pid_t tid)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(__atomic_load_n(&agent_process()->dumping,
			__ATOMIC_ACQUIRE), 0))
		agent_statedump_wait_slowly(tid);
}

#endif /* COMMCACHE_AGENT_STATEDUMP_H */
