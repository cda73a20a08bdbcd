/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_START_H
#define COMMCACHE_AGENT_START_H

/*
 * The agent's own start, once a process image.
 */

#include <stdbool.h>

enum agent_start_state {
	AGENT_NOT_STARTED,
	AGENT_STARTING,
	AGENT_ON,
	AGENT_OFF,
};

extern enum agent_start_state agent_start_state
		__attribute__((visibility("hidden")));

bool agent_start_slowly(void);

/*
 * Start the agent unless it was tried. True if it is on. Called by whatever
 * comes first, LTTng-UST's constructor by way of pthread_create() or our own.
 */
static inline bool agent_start(void)
{
	if (__builtin_expect(__atomic_load_n(&agent_start_state,
			__ATOMIC_ACQUIRE) == AGENT_ON, 1))
		return true;
	return agent_start_slowly();
}

#endif /* COMMCACHE_AGENT_START_H */
