/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_THREAD_H
#define COMMCACHE_AGENT_THREAD_H

/*
 * The calling thread: its id, and its end.
 */

#include <pthread.h>
#include <sys/types.h>

/* Once a process. 0 or an error number. */
int agent_thread_start(void);

/* The caller's tid. Async-signal-safe. */
pid_t agent_thread_tid(void);

/*
 * Have the caller's end seen, unless it is seen to. Both are async-signal-safe
 * after agent_thread_start().
 */
void agent_thread_watch_end(void);
void agent_thread_end_is_seen_to(void);

/*
 * The tid of a living thread of this process, or 0 where it cannot be told.
 * The thread must not have been joined or, if detached, have ended: just what
 * pthread_setname_np() demands too.
 */
pid_t agent_thread_tid_of(pthread_t thread);

#endif /* COMMCACHE_AGENT_THREAD_H */
