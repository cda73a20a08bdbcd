/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_LIFE_H
#define COMMCACHE_AGENT_LIFE_H

/*
 * What is written of a thread's start and end, by the thread itself.
 */

#include <sys/types.h>

/* Before any code of the program runs in the caller. */
void agent_life_start(pid_t parent_tid);

/* The caller ends. */
void agent_life_end(void);

#endif /* COMMCACHE_AGENT_LIFE_H */
