/* SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "names.h"
#include "nap.h"

/*
 * Some 30 ms. In vain only if a debugger stopped the thread that is changing
 * the cache, or if it is the caller itself, below a signal handler.
 */
#define TRIES	400

/*
 * More threads than this at a time, and the oldest names are not known to the
 * cache: the kernel is asked instead, at the price of a system call.
 */
#define CAPACITY	16384

/* Never destroyed. NULL where the agent is off. */
static struct commcache *cache;

bool agent_names_start(void)
{
	cache = commcache_create(CAPACITY);
	return cache;
}

void agent_names_tell_counts(void)
{
	struct commcache_stats stats;

	if (!agent_debugging)
		return;
	commcache_get_stats(cache, &stats);
	agent_debug("%" PRIu64 " threads in the cache at exit", stats.threads);
}

static void set_state(enum agent_names_state state)
{
	__atomic_store_n(&agent_process()->names_state, state, __ATOMIC_RELEASE);
}

static bool is_empty(void)
{
	struct commcache_stats stats;

	commcache_get_stats(cache, &stats);
	return stats.threads == 0;
}

void agent_names_doubt(void)
{
	set_state(AGENT_NAMES_OLD);
}

static void give_up(void)
{
	agent_count(AGENT_NOT_SAVED);
	set_state(AGENT_NAMES_REFUSED);
}

static bool forget(pid_t tid, const struct commcache_comm *comm, void *data)
{
	(void) comm;
	(void) data;
	(void) commcache_forget(cache, tid, NULL);
	return true;
}

/*
 * All but the newest goes with the table that they are in: that takes as long
 * as there are threads in it, and no page of it is touched that was not.
 */
static bool empty(void)
{
	struct commcache_stats stats;
	bool emptied;

	commcache_get_stats(cache, &stats);
	emptied = commcache_resize(cache, 1) == COMMCACHE_OK &&
			commcache_for_each(cache, forget, NULL) ==
			COMMCACHE_OK && is_empty();
	return commcache_resize(cache, stats.capacity) == COMMCACHE_OK &&
			emptied;
}

void agent_names_begin_anew(void)
{
	if (!agent_names_are_sure() && (is_empty() || empty()))
		set_state(AGENT_NAMES_SURE);
}

/* Without a statedump, as if events are enabled one by one. */
static bool become_sure(void)
{
	if (agent_names_are_sure())
		return true;
	if (__atomic_load_n(&agent_process()->names_state, __ATOMIC_ACQUIRE) ==
			AGENT_NAMES_REFUSED || !is_empty())
		return false;
	set_state(AGENT_NAMES_SURE);
	return true;
}

bool agent_names_find(pid_t tid, struct commcache_comm *comm)
{
	return agent_names_are_sure() && commcache_find(cache, tid, comm);
}

void agent_names_for_each(bool (*visit)(pid_t tid,
		const struct commcache_comm *comm, void *data), void *data)
{
	if (agent_names_are_sure())
		(void) commcache_for_each(cache, visit, data);
}

/* The cache was busy: whether to try again. */
static bool wait_for_cache(int *tries)
{
	if (!agent_names_are_sure())
		return false;
	if (++*tries > TRIES) {
		give_up();
		return false;
	}
	agent_nap(AGENT_NAP_NS);
	return true;
}

static pid_t *ended_like(pid_t tid)
{
	return &agent_process()->ended[(unsigned int) tid % AGENT_ENDED];
}

void agent_names_forget(pid_t tid)
{
	enum commcache_status status;
	int tries = 0;

	if (!agent_names_are_sure())
		return;
	do {
		status = commcache_forget(cache, tid, NULL);
	} while (status == COMMCACHE_BUSY && wait_for_cache(&tries));
}

enum commcache_save_status agent_names_save(pid_t tid,
		const struct commcache_comm *comm, struct commcache_comm *prev)
{
	enum commcache_save_status status;
	int tries = 0;

	if (!become_sure())
		return COMMCACHE_SAVE_BUSY;
	do {
		status = commcache_save(cache, tid, comm, prev);
	} while (status == COMMCACHE_SAVE_BUSY && wait_for_cache(&tries));
	/* Pairs with agent_names_end(): one of both comes second, and sees it. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(ended_like(tid), __ATOMIC_RELAXED) == tid)
		agent_names_forget(tid);
	return status;
}

void agent_names_begin(pid_t tid)
{
	pid_t *ended = ended_like(tid);

	if (__atomic_load_n(ended, __ATOMIC_RELAXED) == tid)
		__atomic_store_n(ended, 0, __ATOMIC_RELAXED);
}

void agent_names_end(pid_t tid)
{
	/*
	 * Even while nothing is kept: a session may start before the kernel has
	 * ended the thread, and its statedump would save it.
	 */
	__atomic_store_n(ended_like(tid), tid, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	agent_names_forget(tid);
}
