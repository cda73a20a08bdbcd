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

struct agent_rename {
	pthread_t thread;
	bool own;
	/* A session wanted to know when the rename began; valid only then: */
	bool traced;
	/* 0: cannot be told, left alone. */
	pid_t tid;
	/* Who renames it; at the end. */
	pid_t by_tid;
	/* The name before: what the cache or else the kernel says. */
	struct commcache_comm prev;
	/* One of them said it, or the cache did. */
	bool prev_is_told;
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

/* The caller is about to rename thread, itself perhaps. */
void agent_rename_begin(struct agent_rename *rename, pthread_t thread);

/* The call succeeded. */
void agent_rename_end(struct agent_rename *rename, const char *name);

/* It did not. */
void agent_rename_failed(const struct agent_rename *rename);

/*
 * A rename succeeded that no session wanted to know of when it began, and that
 * was not begun here.
 */
void agent_rename_came_to_light(pthread_t thread, const char *name);

#endif /* COMMCACHE_AGENT_RENAME_H */
