/* SPDX-License-Identifier: MIT */

/*
 * Classes of the events that go to one session only, the one that starts:
 * LTTNG_UST_TP_SESSION_CHECK compares their argument `session`. That holds for
 * all of a header, so these classes have one of their own. The provider
 * `commcache_session` has no events; provider.h makes them of these classes.
 */

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER commcache_session

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "agent/provider-session.h"

#if !defined(COMMCACHE_AGENT_PROVIDER_SESSION_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define COMMCACHE_AGENT_PROVIDER_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <lttng/tracepoint.h>
#include <lttng/ust-events.h>

/*
 * A field is looked at only if the event is enabled in that session: so it is
 * told. Once for all readings of this header.
 */
#ifndef COMMCACHE_AGENT_PROVIDER_TELL
#define COMMCACHE_AGENT_PROVIDER_TELL
static inline const char *agent_provider_tell(bool *is_wanted,
		const char *comm)
{
	*is_wanted = true;
	return comm;
}
#endif

LTTNG_UST_TRACEPOINT_EVENT_CLASS(commcache_session, process,
	LTTNG_UST_TP_ARGS(
		struct lttng_ust_session *, session,
		int, pid,
		uint64_t, pid_ns,
		int, ppid,
		const char *, comm,
		const char *, exe
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_unused(session)
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(uint64_t, pid_ns, pid_ns)
		lttng_ust_field_integer(int, ppid, ppid)
		lttng_ust_field_string(comm, comm)
		lttng_ust_field_string(exe, exe)
	)
)

LTTNG_UST_TRACEPOINT_EVENT_CLASS(commcache_session, statedump_start,
	LTTNG_UST_TP_ARGS(
		struct lttng_ust_session *, session,
		int, pid
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_unused(session)
		lttng_ust_field_integer(int, pid, pid)
	)
)

LTTNG_UST_TRACEPOINT_EVENT_CLASS(commcache_session, statedump_thread,
	LTTNG_UST_TP_ARGS(
		struct lttng_ust_session *, session,
		bool *, is_wanted,
		int, pid,
		int, tid,
		const char *, comm,
		uint64_t, ts
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_unused(session)
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(int, tid, tid)
		lttng_ust_field_string(comm,
			agent_provider_tell(is_wanted, comm))
		lttng_ust_field_integer(uint64_t, ts, ts)
	)
)

LTTNG_UST_TRACEPOINT_EVENT_CLASS(commcache_session, statedump_end,
	LTTNG_UST_TP_ARGS(
		struct lttng_ust_session *, session,
		int, pid,
		unsigned int, threads
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_unused(session)
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(unsigned int, threads, threads)
	)
)

#endif /* COMMCACHE_AGENT_PROVIDER_SESSION_H */

#include <lttng/tracepoint-event.h>
