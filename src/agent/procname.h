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

/*
 * The calling thread began, and we wrote so: LTTng-UST is not to remember the
 * name that the thread had then, but that at its own first event, by when its
 * creator may have named it.
 */
void agent_procname_started(void);

#endif /* COMMCACHE_AGENT_PROCNAME_H */
