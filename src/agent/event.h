/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_EVENT_H
#define COMMCACHE_AGENT_EVENT_H

/*
 * What LTTng-UST is told of a rename: our event, and that the name is old which
 * it keeps itself, once for each thread (its context procname).
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <lttng/ust-events.h>

#include "provider.h"

struct commcache_comm;

/*
 * Something may be left to do after a rename that no session wants to know of:
 * there was one, or things are counted. With agent_event_is_wanted() the price
 * of all renames of all programs that nobody traces.
 */
extern bool agent_event_has_after __attribute__((visibility("hidden")));

/* A session may have kept the old name, and that is not left as it is. */
extern bool agent_event_is_kept __attribute__((visibility("hidden")));

/* Whether a session wants to know of renames. */
static inline bool agent_event_is_wanted(void)
{
	return lttng_ust_tracepoint_enabled(commcache, thread_rename);
}

/* Read the environment: COMMCACHE_PROCNAME=keep leaves LTTng-UST's as it is. */
void agent_event_start(void);

/* From here on something may be left to do. */
void agent_event_expect_after(void);

/* A session starts. */
void agent_event_session(void);

/* by_tid named tid; ts as in provider.h. Async-signal-safe. */
void agent_event_rename(pid_t tid, pid_t by_tid,
		const struct commcache_comm *prev,
		const struct commcache_comm *comm, uint64_t ts);

/*
 * The calling thread has named a thread: if itself, LTTng-UST is to read its
 * name again. Not async-signal-safe (lttng/ust-events.h).
 */
static inline void agent_event_procname(pthread_t thread)
{
	if (__builtin_expect(__atomic_load_n(&agent_event_is_kept,
			__ATOMIC_RELAXED), 0) &&
			pthread_equal(thread, pthread_self()))
		lttng_ust_context_procname_reset();
}

#endif /* COMMCACHE_AGENT_EVENT_H */
