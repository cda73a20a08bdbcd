/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_RENAME_H
#define COMMCACHE_AGENT_RENAME_H

/*
 * A thread's name changes: from before the call that does it to after. All of
 * it is async-signal-safe as far as LTTng-UST's tracepoints are, and keeps
 * errno.
 */

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <commcache/cache.h>

#include "process.h"
#include "procname.h"
#include "provider.h"

struct agent_rename {
	pthread_t thread;
	bool own;
	/* A session wanted to know when the rename began; valid only then: */
	bool traced;
	/* 0: cannot be told, left alone. */
	pid_t tid;
	/* The name before: what the cache or else the kernel says. */
	struct commcache_comm prev;
	/* The cache said it. */
	bool known;
	/* When the rename began: of this thread, and of all: agent_renames. */
	sig_atomic_t renames;
	uint32_t others_ended;
	uint32_t disputes;
	/* Of the gate to the kernel's records: feed/journal.h. 0: off. */
	uint32_t note;
	/* Who reads them is to write it. */
	bool left;
};

/* The parts that a rename goes through only where it is traced. */
void agent_rename_begin_traced(struct agent_rename *rename);
void agent_rename_end_traced(const struct agent_rename *rename,
		const char *name);
void agent_rename_end_untraced(const struct agent_rename *rename,
		const char *name);
void agent_rename_leave(const struct agent_rename *rename);

static inline bool agent_rename_is_traced(void)
{
	return lttng_ust_tracepoint_enabled(commcache, thread_rename) &&
			agent_process_followed();
}

/*
 * Whether a rename is nobody's business, before it is made. One branch: the
 * price of all renames of all programs that nobody traces.
 */
static inline bool agent_rename_is_private(void)
{
	return !(__atomic_load_n(&agent_attention, __ATOMIC_RELAXED) |
			lttng_ust_tracepoint_enabled(commcache, thread_rename));
}

/*
 * And after it was made: else a session started meanwhile, and may have read
 * the name before. One that has not read it yet will read the new one.
 */
static inline bool agent_rename_was_private(void)
{
	return !__atomic_load_n(&agent_attention, __ATOMIC_RELAXED);
}

static inline void agent_rename_begin_untraced(struct agent_rename *rename,
		pthread_t thread)
{
	rename->thread = thread;
	rename->own = pthread_equal(thread, pthread_self());
	rename->traced = false;
}

/* The caller is about to rename thread, itself perhaps. */
static inline void agent_rename_begin(struct agent_rename *rename,
		pthread_t thread)
{
	agent_rename_begin_untraced(rename, thread);
	rename->traced = agent_rename_is_traced();
	if (rename->traced)
		agent_rename_begin_traced(rename);
}

/* The call succeeded. */
static inline void agent_rename_end(const struct agent_rename *rename,
		const char *name)
{
	agent_count(rename->own ? AGENT_RENAMES_OF_SELF :
			AGENT_RENAMES_OF_OTHERS);
	if (rename->own)
		agent_procname_renamed();
	if (rename->traced)
		agent_rename_end_traced(rename, name);
	else
		agent_rename_end_untraced(rename, name);
}

/* It did not. */
static inline void agent_rename_failed(const struct agent_rename *rename)
{
	agent_count(AGENT_RENAMES_FAILED);
	if (rename->traced)
		agent_rename_leave(rename);
}

/* Write that a thread is called comm now, whatever the cache says. */
void agent_rename_write(const struct agent_rename *rename,
		const struct commcache_comm *comm);

#endif /* COMMCACHE_AGENT_RENAME_H */
