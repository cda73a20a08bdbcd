/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_PROCNAME_H
#define COMMCACHE_AGENT_PROCNAME_H

/*
 * LTTng-UST's procname context, which it reads once for each thread.
 */

/* Reads COMMCACHE_PROCNAME: `keep` leaves the context as LTTng has it. */
void agent_procname_start(void);

/*
 * The calling thread has renamed itself: its context is to be read again. Not
 * async-signal-safe (lttng/ust-events.h).
 */
void agent_procname_renamed(void);

#endif /* COMMCACHE_AGENT_PROCNAME_H */
