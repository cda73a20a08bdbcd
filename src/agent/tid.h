/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_TID_H
#define COMMCACHE_AGENT_TID_H

/*
 * Which number a thread has. All of it is async-signal-safe after
 * agent_tid_start().
 */

#include <pthread.h>
#include <sys/types.h>

/* Once a process image. */
void agent_tid_start(void);

/* The caller's, as the C library knows it. */
pid_t agent_tid_own(void);

/*
 * The caller's, as the kernel knows it; 0 if it is not in the process that we
 * follow. Threads that clone(2) made may be in the memory, and even seem to
 * the C library to be a thread, of another one's. The kernel is asked only where
 * that may be so.
 */
pid_t agent_tid_real(void);

/*
 * From here on another may run in the caller's memory as the caller, which is
 * stopped meanwhile; or as any thread, at the same time.
 */
void agent_tid_doubt(void);
void agent_tid_doubt_all(void);

/*
 * That of a living thread of this process, or 0 where it cannot be told. The
 * thread must not have been joined or, if detached, have ended: just what
 * pthread_setname_np() demands too.
 */
pid_t agent_tid_of(pthread_t thread);

#endif /* COMMCACHE_AGENT_TID_H */
