/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_LIFE_H
#define COMMCACHE_AGENT_LIFE_H

/*
 * What is written of a thread's start and end, by the thread itself, and that its
 * end is seen.
 */

#include <stdint.h>
#include <sys/types.h>

struct commcache_comm;

/* Once a process image. 0 or an error number. */
int agent_life_start(void);

/*
 * Before any code of the program runs in the caller. ts: when it was about to
 * be created, if the kernel tells of its first switches, which come before it
 * can write; else 0. inherited: what its creator was called then, where that is
 * known; NULL where it is not.
 */
void agent_life_begin(pid_t parent_tid, uint64_t ts,
		const struct commcache_comm *inherited);

/*
 * Have the caller's end seen, unless who started it sees to that.
 * Async-signal-safe.
 */
void agent_life_watch_end(void);

/* The caller ends. */
void agent_life_end(void);

#endif /* COMMCACHE_AGENT_LIFE_H */
