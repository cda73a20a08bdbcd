/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_START_H
#define COMMCACHE_AGENT_START_H

/*
 * The agent's own start, once a process image.
 */

#include <stdbool.h>

/*
 * Start the agent unless it was tried. True if it is on. Called by whatever
 * comes first, LTTng-UST's constructor by way of pthread_create() or our own.
 */
bool agent_start(void);

#endif /* COMMCACHE_AGENT_START_H */
