/* SPDX-License-Identifier: MIT */

#include <errno.h>

#include <commcache/cache.h>

#include "life.h"
#include "proc.h"
#include "process.h"
#include "provider.h"
#include "rename.h"
#include "thread.h"

static void save(pid_t tid, const struct commcache_comm *comm)
{
	if (commcache_save(agent_cache, tid, comm, NULL) < 0)
		agent_count(AGENT_NOT_SAVED);
	agent_cache_used = true;
}

void agent_life_start(pid_t parent_tid)
{
	struct agent_rename rename = { .own = true };
	struct commcache_comm now;
	int saved_errno = errno;

	agent_count(AGENT_THREADS_STARTED);
	if (!lttng_ust_tracepoint_enabled(commcache, thread_start) ||
			!agent_process_followed())
		goto end;
	rename.tid = agent_thread_tid();
	agent_proc_own_comm(&rename.prev);
	save(rename.tid, &rename.prev);
	lttng_ust_tracepoint(commcache, thread_start, agent_process->pid,
			rename.tid, parent_tid, rename.prev.str);
	/*
	 * The creator may have named this thread meanwhile, and have written
	 * that before we wrote the start with the name it had till then.
	 */
	agent_proc_own_comm(&now);
	if (!commcache_comm_equal(&now, &rename.prev))
		agent_rename_write(&rename, &now);
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
		if (!commcache_find(agent_cache, tid, &comm))
			agent_proc_own_comm(&comm);
		lttng_ust_tracepoint(commcache, thread_exit,
				agent_process->pid, tid, comm.str);
	}
	/* The number may be another thread's soon. */
	if (agent_cache_used)
		(void) commcache_forget(agent_cache, agent_thread_tid(), NULL);
end:
	errno = saved_errno;
}
