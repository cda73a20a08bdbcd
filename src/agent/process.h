/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_PROCESS_H
#define COMMCACHE_AGENT_PROCESS_H

/*
 * The process that we follow, and whether we do.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <urcu/pointer.h>

#include "debug.h"

/*
 * Renames of threads whose tids have the same remainder: those by other threads
 * that began, and that ended; those of a thread by itself that came across one.
 * See settle() in rename.c.
 */
struct agent_renames {
	uint32_t others_began;
	uint32_t others_ended;
	uint32_t disputes;
};

#define AGENT_RENAMES	64
#define AGENT_ENDED	4096

enum agent_names_state {
	/* The cache has what was true before; at first, and after a fork. */
	AGENT_NAMES_OLD,
	AGENT_NAMES_SURE,
	/* The cache refused a change. */
	AGENT_NAMES_REFUSED,
};

/*
 * What is true of one process only. It is in memory that the kernel empties in
 * the child of any fork (MADV_WIPEONFORK, madvise(2)), however it was made:
 * then nothing is written until LTTng-UST shows that it is alive in the child
 * too. Without LTTng-UST's own fork handling its locks may be held for ever
 * by threads that do not exist in the child.
 */
struct agent_process {
	/* 0: not followed. */
	pid_t pid;
	/* A statedump is under way. */
	int dumping;
	/* The thread whose name is being read for it, or 0. */
	pid_t dumped_tid;
	/* LTTng-UST's statedumps, ours among them. */
	uint32_t statedumps_begun;
	uint32_t statedumps_ended;
	/* Held by the thread that makes a statedump. */
	int dump_lock;
	/* Whether the cache has names that are none any more: see names.h. */
	enum agent_names_state names_state;
	/* The last threads that ended, by the remainder of their tids. */
	pid_t ended[AGENT_ENDED];
	struct agent_renames renames[AGENT_RENAMES];
	uint64_t counts[AGENT_NR_COUNTS];
};

/* Owned by process.c, mapped for good. See agent_process(). */
extern struct agent_process *agent_process_published
		__attribute__((visibility("hidden")));

/* Never NULL: at first, and where the agent is off, that of no process. */
static inline struct agent_process *agent_process(void)
{
	return rcu_dereference(agent_process_published);
}

/* Follow this process; false if there is no memory. errno may change. */
bool agent_process_start(void);

/*
 * Follow this process if it was not yet: it is a child, and LTTng-UST is alive
 * in it. Only in the thread that makes a statedump.
 */
void agent_process_follow(void);

/* The caller is the child of a fork: nothing is written until it is followed. */
void agent_process_leave(void);

/* At exit, with COMMCACHE_DEBUG=1. */
void agent_process_tell_counts(void);

/* Whether the kernel really empties it: not where that is only said. */
bool agent_process_is_wiped(void);

static inline bool agent_process_followed(void)
{
	return __atomic_load_n(&agent_process()->pid, __ATOMIC_RELAXED) != 0;
}

/* Async-signal-safe. */
static inline void agent_count(enum agent_count count)
{
	if (__builtin_expect(agent_debugging, 0))
		__atomic_fetch_add(&agent_process()->counts[count], 1,
				__ATOMIC_RELAXED);
}

#endif /* COMMCACHE_AGENT_PROCESS_H */
