/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_OPEN_H
#define COMMCACHE_AGENT_FEED_OPEN_H

/*
 * Asking the kernel for its records: one event and one ring for each CPU, of
 * the first thread and all that descend from it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "ring.h"

/* What a ring has room for, unless the environment or the kernel says less. */
#define FEED_RING_KIB_DEFAULT	256

/* All rings together, if the environment does not say: on large machines. */
#define FEED_RINGS_KIB_MAX	32768

/* Linux's own limit, NR_CPUS_RANGE_END of arch/x86/Kconfig. */
#define FEED_CPUS_MAX		8192

/* The first event of a CPU, whose ring it is. */
struct feed_event {
	/* In the waiter's table of descriptors; -1: no event. */
	int fd;
	/* It was not waited for yet. */
	bool is_new;
	/* All threads that there are have one there. */
	bool is_settled;
};

struct feed_rings {
	/* As many as there can be CPUs. Owned by this, never freed, as all. */
	struct feed_ring *ring;
	size_t count;
	/* Room for a pointer to each ring. */
	struct feed_ring **heap;
	struct feed_event *event;
	/* Of each ring's data. */
	size_t bytes;
};

/* Whether the kernel lets us: 0 or an error number. Leaves nothing open. */
int feed_open_try(void);

/*
 * Allocate for so many CPUs. kib_per_cpu: for one ring's data, or 0. False: no
 * memory.
 */
bool feed_rings_allocate(struct feed_rings *rings, size_t count,
		size_t kib_per_cpu);

/* In the child of a fork: it has none of the rings, nor descriptors. */
void feed_rings_reset(struct feed_rings *rings);

/*
 * Watch threads on the CPUs that nobody is watched on so far: begin, then each
 * of the threads that there are, and those that they make are watched too. 0 or
 * an error number: a thread that has ended is no error, nor is a CPU that is
 * not there. Events inherit, so that a thread that is made meanwhile may be
 * watched or not.
 */
void feed_open_begin(struct feed_rings *rings);
int feed_open_thread(struct feed_rings *rings, pid_t tid);

/* Whether nobody is watched anywhere. */
bool feed_open_is_none(const struct feed_rings *rings);

/*
 * What a user may lock is limited (perf_event_mlock_kb, RLIMIT_MEMLOCK), and
 * other processes have their share of it: close all, for another try with
 * smaller rings. False: none is smaller.
 */
bool feed_open_smaller(struct feed_rings *rings);

#endif /* COMMCACHE_AGENT_FEED_OPEN_H */
