/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_RENAME_H
#define COMMCACHE_AGENT_RENAME_H

/*
 * A thread's name changes: from before the call that does it to after. All of
 * it is async-signal-safe as far as LTTng-UST's tracepoints are, and keeps
 * errno.
 */

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include <commcache/cache.h>

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
};

/* The caller is about to rename thread, itself perhaps. */
void agent_rename_begin(struct agent_rename *rename, pthread_t thread);

/* The call succeeded, or did not. */
void agent_rename_end(const struct agent_rename *rename, const char *name);
void agent_rename_failed(const struct agent_rename *rename);

/* Write that a thread is called comm now, whatever the cache says. */
void agent_rename_write(const struct agent_rename *rename,
		const struct commcache_comm *comm);

#endif /* COMMCACHE_AGENT_RENAME_H */
