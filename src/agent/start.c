/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "next.h"
#include "process.h"
#include "procname.h"
#include "start.h"
#include "statedump.h"
#include "thread.h"

enum start_state {
	START_NOT_TRIED,
	START_UNDER_WAY,
	START_ON,
	START_OFF,
};

static int state = START_NOT_TRIED;

static bool disabled(void)
{
	const char *value = getenv("COMMCACHE_DISABLE");

	if (!value || strcmp(value, "1"))
		return false;
	agent_debug("off: COMMCACHE_DISABLE=1");
	return true;
}

static bool start(void)
{
	int ret;

	agent_debug_start();
	agent_procname_start();
	agent_next_find();
	if (disabled())
		return false;
	ret = agent_thread_start();
	if (ret) {
		agent_debug("off: no key for thread ends: %s", strerror(ret));
		return false;
	}
	if (!agent_process_start())
		return false;
	ret = agent_statedump_start();
	if (ret) {
		agent_debug("statedumps: left off, LTTng-UST refuses a probe: %d",
				ret);
	}
	agent_thread_watch_end();
	agent_debug("on: pthread_create, thrd_create, pthread_setname_np, prctl, ends of threads, starts of sessions");
	return true;
}

bool agent_start(void)
{
	int saved_errno = errno;
	int not_tried = START_NOT_TRIED;

	if (__atomic_compare_exchange_n(&state, &not_tried, START_UNDER_WAY,
			false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		__atomic_store_n(&state, start() ? START_ON : START_OFF,
				__ATOMIC_RELEASE);
		errno = saved_errno;
	}
	switch (__atomic_load_n(&state, __ATOMIC_ACQUIRE)) {
	case START_ON:
		return true;
	case START_UNDER_WAY:
		/*
		 * Another thread is at it, or we are in the midst of it:
		 * dlsym() may allocate, and so end up here. Whoever it is goes
		 * on without the agent.
		 */
		agent_next_find();
		return false;
	default:
		return false;
	}
}
