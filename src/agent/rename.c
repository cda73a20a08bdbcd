/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <unistd.h>

#include "feed/feed.h"
#include "names.h"
#include "proc.h"
#include "rename.h"
#include "statedump.h"
#include "thread.h"

/* Renames that overlap come to an end at some time; till then, so often. */
#define SETTLE_TRIES	10

/* What the kernel says, of a thread that the cache may not know. */
static void read_comm(const struct agent_rename *rename,
		struct commcache_comm *comm)
{
	if (rename->own)
		agent_proc_own_comm(comm);
	else if (!agent_proc_comm(rename->tid, comm))
		commcache_comm_from_string(comm, "");
}

static struct agent_renames *renames_like(const struct agent_rename *rename)
{
	return &agent_process->renames[(unsigned int) rename->tid %
			AGENT_RENAMES];
}

static void note_begin(struct agent_rename *rename)
{
	const struct agent_renames *renames = renames_like(rename);

	rename->renames = agent_thread_renames;
	rename->others_ended = __atomic_load_n(&renames->others_ended,
			__ATOMIC_SEQ_CST);
	rename->disputes = __atomic_load_n(&renames->disputes,
			__ATOMIC_SEQ_CST);
}

/*
 * The thread was renamed by other ways since the cache knew it: that is still to
 * be read and written, and this rename after it, or readers that skip what says
 * nothing new would skip this one for being told first.
 */
static bool is_behind(const struct agent_rename *rename)
{
	struct commcache_comm now;

	if (!rename->known)
		return true;
	read_comm(rename, &now);
	return !commcache_comm_equal(&now, &rename->prev);
}

void agent_rename_begin_traced(struct agent_rename *rename)
{
	int saved_errno = errno;

	rename->tid = agent_thread_tid_of(rename->thread);
	if (!rename->tid)
		goto end;
	note_begin(rename);
	if (!rename->own)
		__atomic_fetch_add(&renames_like(rename)->others_began, 1,
				__ATOMIC_SEQ_CST);
	rename->known = agent_names_find(rename->tid, &rename->prev);
	if (!rename->known)
		read_comm(rename, &rename->prev);
	/* The caller's tid is asked for only where the feed wants it. */
	rename->note = agent_feed_is_on() ?
			agent_feed_rename_begin(agent_thread_tid()) : 0;
	rename->left = rename->note && is_behind(rename);
end:
	errno = saved_errno;
}

void agent_rename_leave(const struct agent_rename *rename)
{
	if (!rename->tid)
		return;
	if (rename->note)
		agent_feed_rename_end(agent_thread_tid(), rename->note);
	if (rename->own)
		agent_thread_renames++;
	else
		__atomic_fetch_add(&renames_like(rename)->others_ended, 1,
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
	switch (agent_names_save(rename->tid, comm, &old)) {
	case COMMCACHE_SAVE_RENAMED:
		*prev = old;
		return true;
	case COMMCACHE_SAVE_UNCHANGED:
		/*
		 * Of a thread that nobody knew when the rename began sessions
		 * are to hear, also if it is named as it was, or if a statedump
		 * of another session was faster than we to save the new name.
		 */
		return !rename->known;
	default:
		break;
	}
	return !rename->known || !commcache_comm_equal(prev, comm);
}

static void write_event(pid_t tid, const struct commcache_comm *prev,
		const struct commcache_comm *comm)
{
	agent_count(AGENT_RENAMES_WRITTEN);
	lttng_ust_tracepoint(commcache, thread_rename, agent_process->pid,
			tid, agent_thread_tid(), prev->str, comm->str, 0);
}

void agent_rename_write(const struct agent_rename *rename,
		const struct commcache_comm *comm)
{
	agent_attention = true;
	(void) agent_names_save(rename->tid, comm, NULL);
	write_event(rename->tid, &rename->prev, comm);
}

/* Whether somebody else may have named the thread since this rename began. */
static bool disputed(const struct agent_rename *rename)
{
	const struct agent_renames *renames = renames_like(rename);
	uint32_t others = __atomic_load_n(&renames->others_began,
			__ATOMIC_SEQ_CST) - rename->others_ended;

	if (rename->own)
		return others || agent_thread_renames != rename->renames;
	return others > 1 || __atomic_load_n(&renames->disputes,
			__ATOMIC_SEQ_CST) != rename->disputes;
}

/*
 * Two threads name a third, or one that names itself, or a signal handler comes
 * in the midst of it: what was written last may not be what the kernel was told
 * last. Whoever was not alone asks the kernel, and writes what it says, once in
 * any case and again as long as that changes.
 *
 * Of two renames that overlap, the one that ends last sees the other. Renames
 * of other threads, which are rare, are counted, for all to see; one of the own
 * thread is not, as long as it meets none of those. If it does, it says so
 * before it writes again: the other, if it writes after that, will see it.
 */
static void settle(const struct agent_rename *rename,
		const struct commcache_comm *comm)
{
	struct agent_rename again = *rename;
	struct commcache_comm now;
	int tries;

	again.prev = *comm;
	for (tries = 0; tries < SETTLE_TRIES && disputed(&again); tries++) {
		if (again.own)
			__atomic_fetch_add(&renames_like(rename)->disputes, 1,
					__ATOMIC_SEQ_CST);
		note_begin(&again);
		read_comm(&again, &now);
		if (!tries || !commcache_comm_equal(&now, &again.prev))
			agent_rename_write(&again, &now);
		again.prev = now;
	}
}

/*
 * The child of vfork() is in our memory, and the C library takes it for its
 * parent: what it does to its own name is not ours. Asked only where there is
 * something to write: it costs a system call.
 */
static bool is_this_process(void)
{
	return getpid() == agent_process->pid;
}

/*
 * The gate, for most renames of a program that sets a name again and again: it
 * is the one that was known when the rename began, and nobody else gave another
 * meanwhile.
 */
static bool changes_nothing(const struct agent_rename *rename,
		const struct commcache_comm *comm)
{
	return rename->known && commcache_comm_equal(comm, &rename->prev) &&
			!disputed(rename);
}

/*
 * The next one is to be left to it too, or it would be written before this one.
 */
static void leave_to_feed(const struct agent_rename *rename)
{
	if (!is_this_process())
		return;
	if (rename->own)
		agent_thread_watch_end();
	agent_names_forget(rename->tid);
}

void agent_rename_end_traced(const struct agent_rename *rename,
		const char *name)
{
	int saved_errno = errno;
	struct commcache_comm prev, comm;

	if (!rename->tid)
		goto end;
	if (rename->left) {
		leave_to_feed(rename);
		goto leave;
	}
	commcache_comm_from_string(&comm, name);
	if (changes_nothing(rename, &comm)) {
		agent_count(AGENT_RENAMES_UNCHANGED);
		goto leave;
	}
	if (!is_this_process())
		goto leave;
	if (rename->own)
		agent_thread_watch_end();
	agent_statedump_wait(rename->tid);
	agent_attention = true;
	if (!save(rename, &comm, &prev))
		agent_count(AGENT_RENAMES_UNCHANGED);
	else if (!rename->note || agent_feed_rename_take(agent_thread_tid(),
			rename->note))
		write_event(rename->tid, &prev, &comm);
	settle(rename, &comm);
leave:
	agent_rename_leave(rename);
end:
	errno = saved_errno;
}

/*
 * No session wanted to know when the rename began. What the cache has of the
 * thread, from an earlier session or one that started meanwhile, is wrong now.
 */
void agent_rename_end_untraced(const struct agent_rename *rename,
		const char *name)
{
	int saved_errno = errno;
	struct agent_rename now = *rename;

	if (!agent_process_followed())
		goto end;
	if (agent_rename_is_traced()) {
		agent_rename_begin_traced(&now);
		if (!now.known)
			commcache_comm_from_string(&now.prev, name);
		agent_rename_end_traced(&now, name);
	} else if (is_this_process()) {
		now.tid = agent_thread_tid_of(now.thread);
		if (now.tid)
			agent_names_forget(now.tid);
	}
end:
	errno = saved_errno;
}
