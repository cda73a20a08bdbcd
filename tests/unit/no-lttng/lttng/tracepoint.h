/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_NO_LTTNG_TRACEPOINT_H
#define COMMCACHE_TESTS_NO_LTTNG_TRACEPOINT_H

/*
 * In place of LTTng-UST's header, which a sanitizer cannot see into: sessions
 * and events are played by a test, which reads what events are given.
 */

#include <stdbool.h>
#include <stdint.h>

struct lttng_ust_session;

/* Whether a session is on. */
bool played_is_on(void);
void played_event(int pid, int tid, const char *text, const char *other);

#define LTTNG_UST_TRACEPOINT_EVENT(...)
#define LTTNG_UST_TRACEPOINT_EVENT_CLASS(...)
#define LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(...)

#define lttng_ust_tracepoint_enabled(provider, event)	played_is_on()
#define lttng_ust_tracepoint(provider, event, ...) \
	do { \
		if (played_is_on()) \
			played_##event(__VA_ARGS__); \
	} while (0)

static inline void played_thread_start(int pid, int tid, int parent_tid,
		const char *comm, uint64_t ts)
{
	(void) parent_tid;
	(void) ts;
	played_event(pid, tid, comm, comm);
}

static inline void played_thread_rename(int pid, int tid, int by_tid,
		const char *prev, const char *comm, uint64_t ts)
{
	(void) by_tid;
	(void) ts;
	played_event(pid, tid, prev, comm);
}

static inline void played_thread_exit(int pid, int tid, const char *comm)
{
	played_event(pid, tid, comm, comm);
}

static inline void played_sched_switch(int pid, int tid, const char *comm,
		int cpu, int in, int preempted, uint64_t ts)
{
	(void) cpu;
	(void) in;
	(void) preempted;
	(void) ts;
	played_event(pid, tid, comm, comm);
}

static inline void played_lost(int pid, int cpu, uint64_t count, uint64_t ts)
{
	(void) count;
	(void) ts;
	played_event(pid, cpu, "", "");
}

static inline void played_process(struct lttng_ust_session *session, int pid,
		uint64_t pid_ns, int ppid, const char *comm, const char *exe)
{
	(void) session;
	(void) pid_ns;
	played_event(pid, ppid, comm, exe);
}

static inline void played_statedump_start(struct lttng_ust_session *session,
		int pid)
{
	(void) session;
	played_event(pid, 0, "", "");
}

static inline void played_statedump_thread(struct lttng_ust_session *session,
		bool *is_wanted, int pid, int tid, const char *comm,
		uint64_t ts)
{
	(void) session;
	(void) ts;
	*is_wanted = true;
	played_event(pid, tid, comm, comm);
}

static inline void played_statedump_end(struct lttng_ust_session *session,
		int pid, unsigned int threads)
{
	(void) session;
	played_event(pid, (int) threads, "", "");
}

#endif /* COMMCACHE_TESTS_NO_LTTNG_TRACEPOINT_H */
