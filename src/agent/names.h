/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_NAMES_H
#define COMMCACHE_AGENT_NAMES_H

/*
 * The names of this process's threads: the cache, and whether it is right.
 *
 * It is as long as all renames come by here: not after a rename of which no
 * session wanted to know, and not in the child of a fork, whose threads are
 * others. Then it is emptied when the next session starts. Until then each
 * rename counts as a change, of a name that the kernel is asked for.
 *
 * The cache never waits, and refuses a change rather than that (see Progress in
 * commcache/cache.h). Then it has a name that the thread bears no more, and a
 * later rename to just that name would seem to change nothing. So we wait on
 * its behalf, as long as a stopped thread may need to go on; if that was in
 * vain, the cache is not asked any more either.
 */

#include <stdbool.h>
#include <sys/types.h>

#include <commcache/cache.h>

#include "process.h"

/* Once a process image. False: no memory. */
bool agent_names_start(void);

/* At exit, with COMMCACHE_DEBUG=1. */
void agent_names_tell_counts(void);

/* What follows is async-signal-safe, where nothing else is said. errno may change. */

static inline bool agent_names_are_sure(void)
{
	return __atomic_load_n(&agent_process()->names_state,
			__ATOMIC_ACQUIRE) == AGENT_NAMES_SURE;
}

/* A thread was renamed, and nobody wanted to know. */
void agent_names_doubt(void);

/* What a thread is called; false where that is not known for sure. */
bool agent_names_find(pid_t tid, struct commcache_comm *comm);

/* As commcache_for_each(), of what is known for sure. Not async-signal-safe. */
void agent_names_for_each(bool (*visit)(pid_t tid,
		const struct commcache_comm *comm, void *data), void *data);

/*
 * As commcache_save(), of a thread that has not ended. COMMCACHE_SAVE_BUSY: the
 * cache is not asked any more.
 */
enum commcache_save_status agent_names_save(pid_t tid,
		const struct commcache_comm *comm, struct commcache_comm *prev);

void agent_names_forget(pid_t tid);

/*
 * The caller, which has that tid, begins, or ends: it is forgotten then, and not
 * saved any more, even if others name it until the kernel has ended it too.
 */
void agent_names_begin(pid_t tid);
void agent_names_end(pid_t tid);

/* A session starts, and wants names. Not async-signal-safe. */
void agent_names_begin_anew(void);

#endif /* COMMCACHE_AGENT_NAMES_H */
