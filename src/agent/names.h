/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_NAMES_H
#define COMMCACHE_AGENT_NAMES_H

/*
 * The names of this process's threads: the cache, and whether it is right.
 *
 * The cache never waits, and refuses a change rather than that (see Progress in
 * commcache/cache.h). Then it has a name that the thread bears no more, and a
 * later rename to just that name would seem to change nothing. So we wait on
 * its behalf, as long as a stopped thread may need to go on; if that was in
 * vain, the cache is not asked any more, in this process. Then each rename
 * counts as a change, and costs some system calls.
 */

#include <stdbool.h>
#include <sys/types.h>

#include <commcache/cache.h>

/* All of it is async-signal-safe. errno may change. */

/* The cache is not asked any more. */
bool agent_names_unsure(void);

/* What a thread is called; false where that is not known for sure. */
bool agent_names_find(pid_t tid, struct commcache_comm *comm);

/* As commcache_save(). COMMCACHE_SAVE_BUSY: the cache is not asked any more. */
enum commcache_save_status agent_names_save(pid_t tid,
		const struct commcache_comm *comm, struct commcache_comm *prev);

void agent_names_forget(pid_t tid);

/* In the child of a fork: the tids are those of the parent's threads. */
void agent_names_forget_all(void);

#endif /* COMMCACHE_AGENT_NAMES_H */
