/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_BENCH_REPLAY_H
#define COMMCACHE_TESTS_BENCH_REPLAY_H

/*
 * A recorded sequence of switches. The file, made by record-replay, has a
 * line for each name when it is first seen (they are numbered from 0) and
 * one for each switch:
 *
 *	n NAME
 *	CPU PREV_NAME NEXT_TID NEXT_NAME [PREV_TID]
 *
 * where PREV_TID is told only if it is not the last NEXT_TID of that CPU.
 */

#include <stddef.h>
#include <sys/types.h>

#include <commcache/cache.h>

#define REPLAY_NAMES_MAX	4096
#define REPLAY_CPUS_MAX		1024

struct replay_switch {
	pid_t prev_tid, next_tid;
	/* Weak, owned by the replay. */
	const struct commcache_comm *prev_comm, *next_comm;
};

struct replay {
	size_t length;
	/* Owned by this, both. */
	struct replay_switch *switches;
	struct commcache_comm *names;
};

/* NULL, and a line on stderr, if it cannot be read. */
struct replay *replay_load(const char *path);
void replay_destroy(struct replay *replay);

#endif /* COMMCACHE_TESTS_BENCH_REPLAY_H */
