/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_PROCNAME_H
#define COMMCACHE_AGENT_PROCNAME_H

/*
 * LTTng-UST's procname context, which it reads once for each thread.
 */

#include <pthread.h>
#include <stdbool.h>

#include <lttng/ust-events.h>

/* A session may have read it, and it is not to be left as it is. */
extern bool agent_procname_read;

/* Reads COMMCACHE_PROCNAME: `keep` leaves the context as LTTng has it. */
void agent_procname_start(void);

/* A session starts. */
void agent_procname_session(void);

/*
 * The calling thread has named a thread: if itself, its context is to be read
 * again. Not async-signal-safe (lttng/ust-events.h).
 */
static inline void agent_procname_renamed(pthread_t thread)
{
	if (__builtin_expect(__atomic_load_n(&agent_procname_read,
			__ATOMIC_RELAXED), 0) &&
			pthread_equal(thread, pthread_self()))
		lttng_ust_context_procname_reset();
}

#endif /* COMMCACHE_AGENT_PROCNAME_H */
