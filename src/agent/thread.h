/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_THREAD_H
#define COMMCACHE_AGENT_THREAD_H

/*
 * The calling thread: its id, and its end.
 */

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

/*
 * How often the caller renamed itself where that was traced: tells whether a
 * signal handler did so in the midst of another rename. Our only thread-local
 * storage: all preloaded libraries share a small pool of it. Of the
 * initial-exec model, so that it is there in signal handlers.
 */
extern __thread volatile sig_atomic_t agent_thread_renames
		__attribute__((tls_model("initial-exec")));

/* Once a process. 0 or an error number. */
int agent_thread_start(void);

/* The caller's tid, as the C library knows it. Async-signal-safe. */
pid_t agent_thread_tid(void);

/*
 * The caller's tid, as the kernel knows it; 0 if it is not in the process that
 * we follow. Threads that clone(2) made may be in the memory, and even seem to
 * the C library to be a thread, of another one's. Async-signal-safe.
 */
pid_t agent_thread_real_tid(void);

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
