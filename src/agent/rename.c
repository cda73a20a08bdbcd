/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <unistd.h>

#include "event.h"
#include "feed/feed.h"
#include "life.h"
#include "names.h"
#include "proc.h"
#include "process.h"
#include "rename.h"
#include "statedump.h"
#include "tid.h"

/* Renames that overlap come to an end at some time; till then, so often. */
#define SETTLE_TRIES	10

/*
 * How often the caller renamed itself where that was traced: tells whether a
 * signal handler did so in the midst of another rename. All preloaded libraries
 * share a small pool of thread-local storage. Of the initial-exec model, so
 * that it is there in signal handlers.
 */
static __thread volatile sig_atomic_t own_renames
		__attribute__((tls_model("initial-exec")));

static bool is_traced(void)
{
	return agent_event_is_wanted() && agent_process_followed();
}

/* What the kernel says, of a thread that the cache may not know. */
static bool read_comm(const struct agent_rename *rename,
		struct commcache_comm *comm)
{
	return rename->own ? agent_proc_own_comm(comm) :
			agent_proc_comm(rename->tid, comm);
}

static struct agent_renames *renames_like(const struct agent_rename *rename)
{
	return &agent_process()->renames[(unsigned int) rename->tid %
			AGENT_RENAMES];
}

static void note_begin(struct agent_rename *rename)
{
	const struct agent_renames *renames = renames_like(rename);

	rename->renames = own_renames;
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

	return !rename->known || !read_comm(rename, &now) ||
			!commcache_comm_equal(&now, &rename->prev);
}

static void begin_traced(struct agent_rename *rename)
{
	rename->tid = agent_tid_of(rename->thread);
	if (!rename->tid)
		return;
	note_begin(rename);
	if (!rename->own)
		__atomic_fetch_add(&renames_like(rename)->others_began, 1,
				__ATOMIC_SEQ_CST);
	rename->known = agent_names_find(rename->tid, &rename->prev);
	rename->prev_is_told = rename->known ||
			read_comm(rename, &rename->prev);
	/* The caller's tid is asked for only where the feed wants it. */
	rename->note = agent_feed_is_on() ?
			agent_feed_rename_begin(agent_tid_own()) : 0;
	rename->left = rename->note && is_behind(rename);
}

static void set_out(struct agent_rename *rename, pthread_t thread)
{
	rename->thread = thread;
	rename->own = pthread_equal(thread, pthread_self());
	rename->traced = is_traced();
}

void agent_rename_begin(struct agent_rename *rename, pthread_t thread)
{
	int saved_errno = errno;

	set_out(rename, thread);
	if (rename->traced)
		begin_traced(rename);
	errno = saved_errno;
}

static void leave(const struct agent_rename *rename)
{
	if (!rename->tid)
		return;
	if (rename->note)
		agent_feed_rename_end(agent_tid_own(), rename->note);
	if (rename->own)
		own_renames++;
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

	*prev = rename->prev_is_told ? rename->prev : *comm;
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

static void write_event(pid_t tid, pid_t by_tid,
		const struct commcache_comm *prev,
		const struct commcache_comm *comm)
{
	agent_count(AGENT_RENAMES_WRITTEN);
	agent_event_rename(tid, by_tid, prev, comm, 0);
}

/* It is called comm now, whatever the cache says. */
static void write_again(const struct agent_rename *rename,
		const struct commcache_comm *comm)
{
	(void) agent_names_save(rename->tid, comm, NULL);
	write_event(rename->tid, rename->by_tid, &rename->prev, comm);
}

/* Whether somebody else may have named the thread since this rename began. */
static bool disputed(const struct agent_rename *rename)
{
	const struct agent_renames *renames = renames_like(rename);
	uint32_t others = __atomic_load_n(&renames->others_began,
			__ATOMIC_SEQ_CST) - rename->others_ended;

	if (rename->own)
		return others || own_renames != rename->renames;
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
		if (!read_comm(&again, &now))
			break;
		if (!tries || !commcache_comm_equal(&now, &again.prev))
			write_again(&again, &now);
		again.prev = now;
	}
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
	if (!rename->by_tid)
		return;
	if (rename->own)
		agent_life_watch_end();
	agent_names_forget(rename->tid);
}

/*
 * The C library takes the caller for another thread, as clone(2) made it. Of
 * that one the cache may know a name, of this one it never does: nobody would
 * tell when it ends. The kernel's records have it as it is.
 */
static void write_stranger(const struct agent_rename *rename,
		const struct commcache_comm *comm)
{
	const bool is_told = rename->prev_is_told && !rename->known;

	if (!rename->note)
		write_event(rename->by_tid, rename->by_tid,
				is_told ? &rename->prev : comm, comm);
}

static void save_and_write(const struct agent_rename *rename,
		const struct commcache_comm *comm)
{
	struct commcache_comm prev;

	if (rename->own)
		agent_life_watch_end();
	agent_statedump_wait(rename->tid);
	if (!save(rename, comm, &prev))
		agent_count(AGENT_RENAMES_UNCHANGED);
	else if (!rename->note || agent_feed_rename_take(agent_tid_own(),
			rename->note))
		write_event(rename->tid, rename->by_tid, &prev, comm);
	settle(rename, comm);
}

static void end_traced(struct agent_rename *rename, const char *name)
{
	struct commcache_comm comm;

	if (!rename->tid)
		return;
	commcache_comm_from_string(&comm, name);
	if (!rename->left && changes_nothing(rename, &comm)) {
		agent_count(AGENT_RENAMES_UNCHANGED);
		goto leave;
	}
	/* Asked only where there is something to write: a system call. */
	rename->by_tid = agent_tid_real();
	if (rename->left)
		leave_to_feed(rename);
	else if (rename->by_tid && rename->own &&
			rename->by_tid != rename->tid)
		write_stranger(rename, &comm);
	else if (rename->by_tid)
		save_and_write(rename, &comm);
leave:
	leave(rename);
}

/*
 * No session wanted to know when the rename began. If one started meanwhile, it
 * may have read the name before; one that has not will read the new one.
 */
static void end_untraced(struct agent_rename *rename, const char *name)
{
	if (!agent_process_followed())
		return;
	if (!is_traced()) {
		agent_names_doubt();
		return;
	}
	begin_traced(rename);
	/* That is what it is called now. */
	if (!rename->known)
		rename->prev_is_told = false;
	end_traced(rename, name);
}

static void count_success(const struct agent_rename *rename)
{
	agent_count(rename->own ? AGENT_RENAMES_OF_SELF :
			AGENT_RENAMES_OF_OTHERS);
}

void agent_rename_end(struct agent_rename *rename, const char *name)
{
	int saved_errno = errno;

	count_success(rename);
	if (rename->traced)
		end_traced(rename, name);
	else
		end_untraced(rename, name);
	errno = saved_errno;
}

void agent_rename_came_to_light(pthread_t thread, const char *name)
{
	struct agent_rename rename;
	int saved_errno = errno;

	set_out(&rename, thread);
	count_success(&rename);
	end_untraced(&rename, name);
	errno = saved_errno;
}

void agent_rename_failed(const struct agent_rename *rename)
{
	agent_count(AGENT_RENAMES_FAILED);
	if (rename->traced)
		leave(rename);
}
