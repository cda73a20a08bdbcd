/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "cancel.h"
#include "event.h"
#include "feed/feed.h"
#include "life.h"
#include "names.h"
#include "proc.h"
#include "process.h"
#include "provider.h"
#include "tid.h"

/*
 * The end of a thread that we did not start is seen by the destructor of a key.
 * Destructors run in rounds, for keys that were set meanwhile
 * (pthread_key_create(3)). Ours acts in the second: what those of the program
 * write in the first comes before. Not later: LTTng-UST registers the thread
 * anew to write, and needs a round after that to take it back.
 */
enum end_key_value {
	/* Values of a key; NULL means unset. */
	END_FIRST_ROUND = 1,
	END_SECOND_ROUND,
	/* The one who started the thread sees to it. */
	END_SEEN_TO,
};

static pthread_key_t end_key;

static void set_end(enum end_key_value value)
{
	pthread_setspecific(end_key, (void *) (uintptr_t) value);
}

static void end_round(void *value)
{
	struct agent_cancel cancel;

	switch ((enum end_key_value) (uintptr_t) value) {
	case END_FIRST_ROUND:
		set_end(END_SECOND_ROUND);
		break;
	case END_SECOND_ROUND:
		cancel = agent_cancel_off();
		agent_life_end();
		agent_cancel_restore(cancel);
		break;
	case END_SEEN_TO:
		break;
	}
}

int agent_life_start(void)
{
	return pthread_key_create(&end_key, end_round);
}

void agent_life_watch_end(void)
{
	if (!pthread_getspecific(end_key))
		set_end(END_FIRST_ROUND);
}

/* The kernel's word, or where that is refused what the thread began with. */
static bool read_own_comm(struct commcache_comm *comm,
		const struct commcache_comm *inherited)
{
	if (agent_proc_own_comm(comm))
		return true;
	if (inherited)
		*comm = *inherited;
	return inherited;
}

/*
 * The caller's name, which is in the cache then. The creator may name the
 * caller at the same time: if it was there first, its name is the right one.
 */
static bool save_own_comm(pid_t tid, struct commcache_comm *comm,
		const struct commcache_comm *inherited)
{
	struct commcache_comm creators;

	if (!read_own_comm(comm, inherited))
		return false;
	if (agent_names_save(tid, comm, &creators) != COMMCACHE_SAVE_RENAMED)
		return true;
	if (!read_own_comm(comm, &creators))
		return false;
	(void) agent_names_save(tid, comm, NULL);
	return true;
}

static void write_start(pid_t tid, pid_t parent_tid, uint64_t ts,
		const struct commcache_comm *inherited)
{
	struct commcache_comm comm, now;

	if (!save_own_comm(tid, &comm, inherited))
		return;
	lttng_ust_tracepoint(commcache, thread_start, agent_process()->pid,
			tid, parent_tid, comm.str, ts);
	/*
	 * If the creator named this thread after that, it may have written so
	 * before we wrote the start; it saved the name before it wrote.
	 */
	if (!agent_names_find(tid, &now) && !agent_proc_own_comm(&now))
		return;
	if (commcache_comm_equal(&now, &comm))
		return;
	(void) agent_names_save(tid, &now, NULL);
	agent_count(AGENT_RENAMES_WRITTEN);
	agent_event_rename(tid, tid, &comm, &now, 0);
}

void agent_life_begin(pid_t parent_tid, uint64_t ts,
		const struct commcache_comm *inherited)
{
	const pid_t tid = agent_tid_own();
	int saved_errno = errno;

	set_end(END_SEEN_TO);
	agent_count(AGENT_THREADS_STARTED);
	agent_names_begin(tid);
	if (!lttng_ust_tracepoint_enabled(commcache, thread_start) ||
			!agent_process_followed())
		goto end;
	write_start(tid, parent_tid, ts, inherited);
	/*
	 * LTTng-UST is not to remember the name of now, but that at the
	 * thread's own first event, by when its creator may have named it.
	 */
	lttng_ust_context_procname_reset();
end:
	errno = saved_errno;
}

static void write_end(pid_t tid)
{
	struct commcache_comm comm, now;
	bool known = agent_names_find(tid, &comm);

	/* The cache does not know what only the kernel tells. */
	if ((agent_feed_is_on() || !known) && agent_proc_own_comm(&now)) {
		comm = now;
		known = true;
	}
	if (known)
		lttng_ust_tracepoint(commcache, thread_exit,
				agent_process()->pid, tid, comm.str);
}

void agent_life_end(void)
{
	int saved_errno = errno;
	pid_t tid;

	agent_count(AGENT_THREADS_ENDED);
	if (!agent_process_followed())
		goto end;
	tid = agent_tid_own();
	if (lttng_ust_tracepoint_enabled(commcache, thread_exit))
		write_end(tid);
	/* The number may be another thread's soon. */
	agent_names_end(tid);
end:
	errno = saved_errno;
}
