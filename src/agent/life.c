/* SPDX-License-Identifier: MIT */

#include <errno.h>

#include "feed/feed.h"
#include "life.h"
#include "names.h"
#include "proc.h"
#include "process.h"
#include "procname.h"
#include "provider.h"
#include "rename.h"
#include "thread.h"

/*
 * The caller's name, which is in the cache then. The creator may name the
 * caller at the same time: if it was there first, its name is the right one.
 */
static void save_own_comm(pid_t tid, struct commcache_comm *comm)
{
	agent_attention = true;
	agent_proc_own_comm(comm);
	if (agent_names_save(tid, comm, NULL) != COMMCACHE_SAVE_RENAMED)
		return;
	agent_proc_own_comm(comm);
	(void) agent_names_save(tid, comm, NULL);
}

void agent_life_start(pid_t parent_tid, uint64_t ts)
{
	struct agent_rename rename = { .own = true };
	struct commcache_comm now;
	int saved_errno = errno;

	agent_count(AGENT_THREADS_STARTED);
	if (!lttng_ust_tracepoint_enabled(commcache, thread_start) ||
			!agent_process_followed())
		goto end;
	rename.tid = agent_thread_tid();
	save_own_comm(rename.tid, &rename.prev);
	lttng_ust_tracepoint(commcache, thread_start, agent_process->pid,
			rename.tid, parent_tid, rename.prev.str, ts);
	/*
	 * If the creator named this thread after that, it may have written so
	 * before we wrote the start; it saved the name before it wrote.
	 */
	if (!agent_names_find(rename.tid, &now))
		agent_proc_own_comm(&now);
	if (!commcache_comm_equal(&now, &rename.prev))
		agent_rename_write(&rename, &now);
	agent_procname_started();
end:
	errno = saved_errno;
}

void agent_life_end(void)
{
	struct commcache_comm comm;
	int saved_errno = errno;
	pid_t tid;

	agent_count(AGENT_THREADS_ENDED);
	if (!agent_process_followed())
		goto end;
	if (lttng_ust_tracepoint_enabled(commcache, thread_exit)) {
		tid = agent_thread_tid();
		/* The cache does not know what only the kernel tells. */
		if (agent_feed_is_on() || !agent_names_find(tid, &comm))
			agent_proc_own_comm(&comm);
		lttng_ust_tracepoint(commcache, thread_exit,
				agent_process->pid, tid, comm.str);
	}
	/* The number may be another thread's soon. */
	if (agent_attention)
		agent_names_forget(agent_thread_tid());
end:
	errno = saved_errno;
}
