/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <commcache/cache.h>

#include "event.h"
#include "feed/feed.h"
#include "names.h"
#include "nap.h"
#include "proc.h"
#include "process.h"
#include "provider.h"
#include "statedump.h"

/*
 * How long a rename waits for the statedump to pass by, which takes some
 * microseconds, at the longest: it must not hang if the statedump's thread is
 * stopped by a debugger, or starved by our own priority.
 */
#define WAIT_TRIES	5000

/* Long enough for a store to be seen by all processors. */
#define ETERNITY_NS	1000000L

/* A thread is started while another ends, between two readings of /proc. */
#define WALKS		3

#define MISSED_SESSIONS	32

struct dump {
	/* Weak, owned by LTTng-UST. Compared, never looked into. */
	struct lttng_ust_session *session;
	/* Only threads that the cache does not know. */
	bool only_unknown;
	/* Set as a thread is written: the session has the event. */
	bool is_wanted;
	unsigned int threads;
};

/* The library's constructor has run: events can be written. */
static bool loaded;

/* Sessions that started before. Weak, owned by LTTng-UST; never looked into. */
static struct lttng_ust_session *missed[MISSED_SESSIONS];
static unsigned int nr_missed;

void agent_statedump_wait_slowly(pid_t tid)
{
	int tries;

	/*
	 * Pairs with the fence in dump_thread(): either our rename is in time
	 * to be read, or the statedump is in time to be waited for.
	 */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (tries = 0; tries < WAIT_TRIES; tries++) {
		if (__atomic_load_n(&agent_process()->dumped_tid,
				__ATOMIC_ACQUIRE) != tid)
			return;
		agent_nap(AGENT_NAP_NS);
	}
}

/* From here on each rename of each thread looks where the statedump is. */
static void announce(void)
{
	__atomic_store_n(&agent_process()->dumping, 1, __ATOMIC_SEQ_CST);
	/*
	 * Pairs with agent_statedump_wait(): a thread that has not seen it yet
	 * has made its rename, and that is seen here. Without membarrier, an
	 * eternity does as well.
	 */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0))
		agent_nap(ETERNITY_NS);
}

/* One statedump at a time: of two sessions, or of ours and the first session's. */
static void lock(void)
{
	while (__atomic_exchange_n(&agent_process()->dump_lock, 1,
			__ATOMIC_ACQUIRE))
		agent_nap(AGENT_NAP_NS);
}

static void unlock(void)
{
	__atomic_store_n(&agent_process()->dump_lock, 0, __ATOMIC_RELEASE);
}

static void write_thread(struct dump *dump, pid_t tid,
		const struct commcache_comm *comm, uint64_t ts)
{
	lttng_ust_tracepoint(commcache, statedump_thread, dump->session,
			&dump->is_wanted, agent_process()->pid, tid, comm->str,
			ts);
	dump->threads++;
}

/* Whether to go on: it shows with the first one whether the session wants it. */
static bool dump_thread(const struct agent_proc_thread *thread, void *data)
{
	struct dump *dump = data;
	struct commcache_comm comm, known;
	bool is_known = agent_names_find(thread->tid, &known);
	uint64_t ts;

	if (is_known && dump->only_unknown)
		return true;
	__atomic_store_n(&agent_process()->dumped_tid, thread->tid,
			__ATOMIC_RELAXED);
	/* Pairs with agent_statedump_wait_slowly(). */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!agent_feed_comm(thread, &comm, &ts))
		goto end;
	write_thread(dump, thread->tid, &comm, ts);
	/*
	 * A name that is known is left to the thread itself: if it is about to
	 * save another, it must see that this is a change and write it to the
	 * sessions that run already.
	 */
	if (!is_known && dump->is_wanted)
		(void) agent_names_save(thread->tid, &comm, NULL);
	agent_count(AGENT_STATEDUMP_THREADS);
end:
	__atomic_store_n(&agent_process()->dumped_tid, 0, __ATOMIC_RELEASE);
	return dump->is_wanted || !dump->threads;
}

/* Where there is no /proc: what the cache knows. */
static bool dump_known(pid_t tid, const struct commcache_comm *comm,
		void *data)
{
	struct dump *dump = data;

	write_thread(dump, tid, comm, 0);
	return dump->is_wanted;
}

static void dump_threads(struct dump *dump)
{
	unsigned int before, walk;

	for (walk = 0; walk < WALKS; walk++) {
		before = dump->threads;
		if (!agent_proc_for_each_thread(dump_thread, dump)) {
			agent_names_for_each(dump_known, dump);
			return;
		}
		if (!dump->is_wanted || (walk && dump->threads == before))
			return;
		/* It cannot tell whom it has seen. */
		if (!agent_names_are_sure())
			return;
		dump->only_unknown = true;
	}
}

static void dump_process(struct lttng_ust_session *session)
{
	/* Under the lock: a stack may be small. */
	static char exe[PATH_MAX];
	struct commcache_comm comm;

	if (!lttng_ust_tracepoint_enabled(commcache, process))
		return;
	if (!agent_proc_main_comm(&comm) &&
			!agent_names_find(agent_process()->pid, &comm))
		return;
	agent_proc_exe(exe, sizeof(exe));
	lttng_ust_tracepoint(commcache, process, session, agent_process()->pid,
			agent_proc_pid_ns(), getppid(), comm.str, exe);
}

static void dump_into(struct lttng_ust_session *session)
{
	struct dump dump = { .session = session };

	/* Both before the first name is read. */
	if (lttng_ust_tracepoint_enabled(commcache, thread_rename))
		agent_names_begin_anew();
	if (!lttng_ust_tracepoint_enabled(commcache, statedump_thread))
		return;
	agent_count(AGENT_STATEDUMPS);
	announce();
	dump_process(session);
	lttng_ust_tracepoint(commcache, statedump_start, session,
			agent_process()->pid);
	dump_threads(&dump);
	__atomic_store_n(&agent_process()->dumping, 0, __ATOMIC_RELEASE);
	lttng_ust_tracepoint(commcache, statedump_end, session,
			agent_process()->pid, dump.threads);
}

/*
 * LTTng-UST's listener thread calls this for each session that starts, in each
 * process, with its lock held and all signals blocked.
 */
static void session_starts(void *data, struct lttng_ust_session *session)
{
	int saved_errno = errno;

	(void) data;
	__atomic_fetch_add(&agent_process()->statedumps_begun, 1,
			__ATOMIC_RELAXED);
	agent_event_session();
	agent_feed_call();
	lock();
	agent_process_follow();
	if (loaded)
		dump_into(session);
	else if (nr_missed < MISSED_SESSIONS)
		missed[nr_missed++] = session;
	else
		agent_debug("more than %d sessions started while the process did: no names in some",
				MISSED_SESSIONS);
	unlock();
	errno = saved_errno;
}

/* All events of LTTng-UST's own are written, too. */
static void session_has_started(void *data, struct lttng_ust_session *session)
{
	(void) data;
	(void) session;
	__atomic_fetch_add(&agent_process()->statedumps_ended, 1,
			__ATOMIC_RELEASE);
}

static int on_statedump(const char *event,
		void (*probe)(void *data, struct lttng_ust_session *session))
{
	return lttng_ust_tracepoint_provider_register("lttng_ust_statedump",
			event, (void (*)(void)) probe, NULL,
			"struct lttng_ust_session *, session");
}

int agent_statedump_start(void)
{
	int ret;

	/* LTTng-UST's RCU has done so before, which makes it cheap. */
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0);
	ret = on_statedump("start", session_starts);
	return ret ? ret : on_statedump("end", session_has_started);
}

void agent_statedump_loaded(void)
{
	sigset_t all, saved;
	unsigned int i;

	/* A handler that forks would wait for who waits for this lock. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &saved);
	lock();
	loaded = true;
	for (i = 0; i < nr_missed; i++)
		dump_into(missed[i]);
	nr_missed = 0;
	unlock();
	pthread_sigmask(SIG_SETMASK, &saved, NULL);
}
