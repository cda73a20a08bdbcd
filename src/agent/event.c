/* SPDX-License-Identifier: MIT */

#include <stdlib.h>
#include <string.h>

#include <commcache/cache.h>

#include "debug.h"
#include "event.h"
#include "process.h"

bool agent_event_has_after;
bool agent_event_is_kept;

static bool leaves_procname;

void agent_event_start(void)
{
	const char *value = getenv("COMMCACHE_PROCNAME");

	leaves_procname = value && !strcmp(value, "keep");
	if (leaves_procname)
		agent_debug("procname: left as LTTng-UST has it, COMMCACHE_PROCNAME=keep");
	if (agent_debugging)
		agent_event_expect_after();
}

void agent_event_expect_after(void)
{
	__atomic_store_n(&agent_event_has_after, true, __ATOMIC_RELAXED);
}

void agent_event_session(void)
{
	if (!leaves_procname)
		__atomic_store_n(&agent_event_is_kept, true, __ATOMIC_RELAXED);
	agent_event_expect_after();
}

void agent_event_rename(pid_t tid, pid_t by_tid,
		const struct commcache_comm *prev,
		const struct commcache_comm *comm, uint64_t ts)
{
	lttng_ust_tracepoint(commcache, thread_rename, agent_process()->pid,
			tid, by_tid, prev->str, comm->str, ts);
}
