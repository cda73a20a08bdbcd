/* SPDX-License-Identifier: MIT */

#include <errno.h>

#include "proc.h"
#include "process.h"
#include "procname.h"
#include "provider.h"
#include "rename.h"
#include "statedump.h"
#include "thread.h"

static bool tracing(void)
{
	return lttng_ust_tracepoint_enabled(commcache, thread_rename) &&
			agent_process_followed();
}

/* What the kernel says, of a thread that the cache may not know. */
static void read_comm(const struct agent_rename *rename,
		struct commcache_comm *comm)
{
	if (rename->own)
		agent_proc_own_comm(comm);
	else if (!agent_proc_comm(rename->tid, comm))
		commcache_comm_from_string(comm, "");
}

static void begin_traced(struct agent_rename *rename)
{
	int saved_errno = errno;

	rename->tid = agent_thread_tid_of(rename->thread);
	if (!rename->tid)
		goto end;
	if (!rename->own)
		__atomic_fetch_add(&agent_process->renames_of_others, 1,
				__ATOMIC_SEQ_CST);
	rename->known = commcache_find(agent_cache, rename->tid,
			&rename->prev);
	if (!rename->known)
		read_comm(rename, &rename->prev);
end:
	errno = saved_errno;
}

void agent_rename_begin(struct agent_rename *rename, pthread_t thread)
{
	rename->thread = thread;
	rename->own = pthread_equal(thread, pthread_self());
	rename->traced = tracing();
	if (rename->traced)
		begin_traced(rename);
}

/* The other thread may rename itself again as it likes. */
static void leave_other(const struct agent_rename *rename)
{
	if (rename->traced && rename->tid && !rename->own)
		__atomic_fetch_sub(&agent_process->renames_of_others, 1,
				__ATOMIC_SEQ_CST);
}

/*
 * The gate: whether the name changed since it was last known. *prev is the
 * name before, which the cache knows best: another thread may have changed it
 * since this rename began.
 */
static bool save(const struct agent_rename *rename,
		const struct commcache_comm *comm, struct commcache_comm *prev)
{
	struct commcache_comm old;

	*prev = rename->prev;
	switch (commcache_save(agent_cache, rename->tid, comm, &old)) {
	case COMMCACHE_SAVE_RENAMED:
		*prev = old;
		return true;
	case COMMCACHE_SAVE_UNCHANGED:
		/*
		 * If it was not known when the rename began, it was a
		 * statedump that saved the new name: not a word to sessions
		 * that run longer.
		 */
		return !rename->known && !commcache_comm_equal(prev, comm);
	case COMMCACHE_SAVE_ADDED:
		break;
	default:
		agent_count(AGENT_NOT_SAVED);
		break;
	}
	return !commcache_comm_equal(prev, comm);
}

static void write_event(pid_t tid, const struct commcache_comm *prev,
		const struct commcache_comm *comm)
{
	agent_count(AGENT_RENAMES_WRITTEN);
	lttng_ust_tracepoint(commcache, thread_rename, agent_process->pid,
			tid, agent_thread_tid(), prev->str, comm->str);
}

void agent_rename_write(const struct agent_rename *rename,
		const struct commcache_comm *comm)
{
	agent_cache_used = true;
	(void) commcache_save(agent_cache, rename->tid, comm, NULL);
	write_event(rename->tid, &rename->prev, comm);
}

/*
 * Two threads that name a third, or one that names it while it names itself:
 * what was written last may not be what the kernel was told last. Whoever sees
 * that it was not alone asks the kernel, and has the last word.
 */
static void settle(const struct agent_rename *rename,
		const struct commcache_comm *comm)
{
	struct agent_rename again = *rename;
	struct commcache_comm now;

	if (rename->own) {
		if (!__atomic_load_n(&agent_process->renames_of_others,
				__ATOMIC_SEQ_CST))
			return;
	} else if (commcache_find(agent_cache, rename->tid, &now) &&
			commcache_comm_equal(&now, comm)) {
		return;
	}
	read_comm(rename, &now);
	if (commcache_comm_equal(&now, comm))
		return;
	again.prev = *comm;
	agent_rename_write(&again, &now);
}

static void end_traced(const struct agent_rename *rename, const char *name)
{
	struct commcache_comm prev, comm;

	if (!rename->tid)
		return;
	if (rename->own)
		agent_thread_watch_end();
	commcache_comm_from_string(&comm, name);
	agent_statedump_wait(rename->tid);
	agent_cache_used = true;
	if (save(rename, &comm, &prev))
		write_event(rename->tid, &prev, &comm);
	else
		agent_count(AGENT_RENAMES_UNCHANGED);
	settle(rename, &comm);
}

/*
 * No session wanted to know when the rename began. What the cache has of the
 * thread, from an earlier session or one that started meanwhile, is wrong now.
 */
static void end_untraced(const struct agent_rename *rename, const char *name)
{
	struct agent_rename traced = *rename;

	traced.tid = agent_thread_tid_of(rename->thread);
	if (!traced.tid)
		return;
	if (tracing()) {
		commcache_comm_from_string(&traced.prev, name);
		traced.known = true;
		traced.traced = true;
		end_traced(&traced, name);
	} else {
		(void) commcache_forget(agent_cache, traced.tid, NULL);
	}
}

void agent_rename_end(const struct agent_rename *rename, const char *name)
{
	int saved_errno = errno;

	agent_count(rename->own ? AGENT_RENAMES_OF_SELF :
			AGENT_RENAMES_OF_OTHERS);
	if (rename->own)
		agent_procname_renamed();
	if (rename->traced)
		end_traced(rename, name);
	else if (agent_cache_used && agent_process_followed())
		end_untraced(rename, name);
	leave_other(rename);
	errno = saved_errno;
}

void agent_rename_failed(const struct agent_rename *rename)
{
	agent_count(AGENT_RENAMES_FAILED);
	leave_other(rename);
}
