/* SPDX-License-Identifier: MIT */

/*
 * The tracepoint provider `commcache`: what the agent writes.
 *
 * Ids are those that the process itself sees (vpid, vtid). Readers know these
 * events by their fields: fields may be added at the end, never changed.
 *
 * LTTng-UST reads this header many times over: no include guard around it all.
 */

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER commcache

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "agent/provider.h"

#if !defined(COMMCACHE_AGENT_PROVIDER_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define COMMCACHE_AGENT_PROVIDER_H

#include <stdbool.h>
#include <stdint.h>

#include <lttng/tracepoint.h>
#include <lttng/ust-events.h>

/*
 * A thread began. Written by the thread itself before any code of the
 * program runs in it. ts, if not 0: when it was about to be created.
 */
LTTNG_UST_TRACEPOINT_EVENT(commcache, thread_start,
	LTTNG_UST_TP_ARGS(
		int, pid,
		int, tid,
		int, parent_tid,
		const char *, comm,
		uint64_t, ts
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(int, tid, tid)
		lttng_ust_field_integer(int, parent_tid, parent_tid)
		lttng_ust_field_string(comm, comm)
		lttng_ust_field_integer(uint64_t, ts, ts)
	)
)

/*
 * A thread's name changed, by itself (by_tid is tid) or by another. Or a thread
 * was named of which nothing was known, perhaps as it was called before.
 *
 * ts: when it was, in nanoseconds of CLOCK_MONOTONIC, LTTng-UST's clock, if the
 * kernel told us of it, and the event was written later; else 0. by_tid is 0 if
 * the kernel's record was lost, and the name was found changed at ts.
 */
LTTNG_UST_TRACEPOINT_EVENT(commcache, thread_rename,
	LTTNG_UST_TP_ARGS(
		int, pid,
		int, tid,
		int, by_tid,
		const char *, prev_comm,
		const char *, comm,
		uint64_t, ts
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(int, tid, tid)
		lttng_ust_field_integer(int, by_tid, by_tid)
		lttng_ust_field_string(prev_comm, prev_comm)
		lttng_ust_field_string(comm, comm)
		lttng_ust_field_integer(uint64_t, ts, ts)
	)
)

/*
 * A thread ends. What destructors of thread-specific data write comes after, or
 * before if the C library started the thread by itself. If one renames the
 * thread, another end is written.
 */
LTTNG_UST_TRACEPOINT_EVENT(commcache, thread_exit,
	LTTNG_UST_TP_ARGS(
		int, pid,
		int, tid,
		const char *, comm
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(int, tid, tid)
		lttng_ust_field_string(comm, comm)
	)
)

/*
 * A thread got a CPU (in is 1) or left it (0), and if so, whether it had more to
 * do (preempted). Its last one of a thread is its end. Written by the feed of
 * the kernel's records (feed/feed.h), ts nanoseconds of CLOCK_MONOTONIC, some
 * time later; those of one thread are in order, and so are those of one CPU.
 */
LTTNG_UST_TRACEPOINT_EVENT(commcache, sched_switch,
	LTTNG_UST_TP_ARGS(
		int, pid,
		int, tid,
		const char *, comm,
		int, cpu,
		int, in,
		int, preempted,
		uint64_t, ts
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(int, tid, tid)
		lttng_ust_field_string(comm, comm)
		lttng_ust_field_integer(int, cpu, cpu)
		lttng_ust_field_integer(uint8_t, in, in)
		lttng_ust_field_integer(uint8_t, preempted, preempted)
		lttng_ust_field_integer(uint64_t, ts, ts)
	)
)

/*
 * On that CPU the kernel had no room for some records, before ts: count of them,
 * 0 where that is not known. What is lost is switches, and renames too, but all
 * names are looked at then, and those that changed are written.
 */
LTTNG_UST_TRACEPOINT_EVENT(commcache, lost,
	LTTNG_UST_TP_ARGS(
		int, pid,
		int, cpu,
		uint64_t, count,
		uint64_t, ts
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(int, cpu, cpu)
		lttng_ust_field_integer(uint64_t, count, count)
		lttng_ust_field_integer(uint64_t, ts, ts)
	)
)

/*
 * What follows is written into the one session that starts: the classes are
 * in provider-session.h.
 */

/* The process, before its threads. */
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(commcache_session, process,
	commcache, process,
	LTTNG_UST_TP_ARGS(
		struct lttng_ust_session *, session,
		int, pid,
		uint64_t, pid_ns,
		int, ppid,
		const char *, comm,
		const char *, exe
	)
)

LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(commcache_session, statedump_start,
	commcache, statedump_start,
	LTTNG_UST_TP_ARGS(
		struct lttng_ust_session *, session,
		int, pid
	)
)

/* ts, if not 0: before the name was read; what the kernel told since then is newer. */
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(commcache_session, statedump_thread,
	commcache, statedump_thread,
	LTTNG_UST_TP_ARGS(
		struct lttng_ust_session *, session,
		bool *, is_wanted,
		int, pid,
		int, tid,
		const char *, comm,
		uint64_t, ts
	)
)

LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(commcache_session, statedump_end,
	commcache, statedump_end,
	LTTNG_UST_TP_ARGS(
		struct lttng_ust_session *, session,
		int, pid,
		unsigned int, threads
	)
)

#endif /* COMMCACHE_AGENT_PROVIDER_H */

#include <lttng/tracepoint-event.h>
