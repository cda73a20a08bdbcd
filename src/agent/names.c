/* SPDX-License-Identifier: MIT */

#include "names.h"
#include "nap.h"
#include "process.h"

/*
 * Some 30 ms. In vain only if a debugger stopped the thread that is changing
 * the cache, or if it is the caller itself, below a signal handler.
 */
#define TRIES	400

bool agent_names_unsure(void)
{
	return __atomic_load_n(&agent_process->names_unsure, __ATOMIC_ACQUIRE);
}

static void give_up(void)
{
	agent_count(AGENT_NOT_SAVED);
	__atomic_store_n(&agent_process->names_unsure, true, __ATOMIC_RELEASE);
}

bool agent_names_find(pid_t tid, struct commcache_comm *comm)
{
	return !agent_names_unsure() && commcache_find(agent_cache, tid, comm);
}

/* The cache was busy: whether to try again. */
static bool wait_for_cache(int *tries)
{
	if (agent_names_unsure())
		return false;
	if (++*tries > TRIES) {
		give_up();
		return false;
	}
	agent_nap(AGENT_NAP_NS);
	return true;
}

enum commcache_save_status agent_names_save(pid_t tid,
		const struct commcache_comm *comm, struct commcache_comm *prev)
{
	enum commcache_save_status status;
	int tries = 0;

	if (agent_names_unsure())
		return COMMCACHE_SAVE_BUSY;
	do {
		status = commcache_save(agent_cache, tid, comm, prev);
	} while (status == COMMCACHE_SAVE_BUSY && wait_for_cache(&tries));
	return status;
}

void agent_names_forget(pid_t tid)
{
	enum commcache_status status;
	int tries = 0;

	if (agent_names_unsure())
		return;
	do {
		status = commcache_forget(agent_cache, tid, NULL);
	} while (status == COMMCACHE_BUSY && wait_for_cache(&tries));
}

static bool forget(pid_t tid, const struct commcache_comm *comm, void *data)
{
	(void) comm;
	(void) data;
	agent_names_forget(tid);
	return true;
}

void agent_names_forget_all(void)
{
	if (commcache_for_each(agent_cache, forget, NULL) == COMMCACHE_BUSY)
		give_up();
}
