/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cancel.h"
#include "copies.h"
#include "debug.h"
#include "event.h"
#include "feed/launch.h"
#include "fork.h"
#include "life.h"
#include "names.h"
#include "next.h"
#include "proc.h"
#include "process.h"
#include "start.h"
#include "statedump.h"
#include "tid.h"

enum agent_start_state agent_start_state = AGENT_NOT_STARTED;

static bool disabled(void)
{
	const char *value = getenv("COMMCACHE_DISABLE");

	if (!value || strcmp(value, "1"))
		return false;
	agent_debug("off: COMMCACHE_DISABLE=1");
	return true;
}

/* Where there is no /proc, its name is not to be had by others later on. */
static void know_main_thread(void)
{
	struct commcache_comm comm;

	if (!agent_proc_main_comm(&comm) &&
			agent_tid_own() == agent_process()->pid &&
			agent_proc_own_comm(&comm)) {
		agent_event_expect_after();
		(void) agent_names_save(agent_process()->pid, &comm, NULL);
	}
}

static bool start(void)
{
	int ret;

	agent_debug_start();
	agent_event_start();
	agent_next_find();
	if (!agent_copies_is_first()) {
		agent_debug("off: another copy of this library is on");
		return false;
	}
	ret = agent_fork_start();
	if (ret)
		agent_debug("forks: left off: %s", strerror(ret));
	if (disabled())
		return false;
	ret = agent_life_start();
	if (ret) {
		agent_debug("off: no key for thread ends: %s", strerror(ret));
		return false;
	}
	if (!agent_names_start() || !agent_process_start()) {
		agent_debug("off: no memory");
		return false;
	}
	agent_tid_start();
	know_main_thread();
	ret = agent_statedump_start();
	if (ret)
		agent_debug("statedumps: left off, LTTng-UST refuses a probe: %d",
				ret);
	agent_feed_start();
	agent_life_watch_end();
	agent_debug("on: pthread_create, thrd_create, pthread_setname_np, prctl, ends of threads, starts of sessions");
	return true;
}

bool agent_start_slowly(void)
{
	enum agent_start_state state = AGENT_NOT_STARTED;
	struct agent_cancel cancel = agent_cancel_off();
	int saved_errno = errno;

	if (!__atomic_compare_exchange_n(&agent_start_state, &state,
			AGENT_STARTING, false, __ATOMIC_ACQUIRE,
			__ATOMIC_ACQUIRE)) {
		/*
		 * Another thread is at it, or we are in the midst of it:
		 * dlsym() may allocate, and so end up here. Whoever it is goes
		 * on without the agent.
		 */
		if (state == AGENT_STARTING)
			agent_next_find();
		goto end;
	}
	state = start() ? AGENT_ON : AGENT_OFF;
	__atomic_store_n(&agent_start_state, state, __ATOMIC_RELEASE);
end:
	agent_cancel_restore(cancel);
	errno = saved_errno;
	return state == AGENT_ON;
}
