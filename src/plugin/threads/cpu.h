/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_CPU_H
#define COMMCACHE_PLUGIN_THREADS_CPU_H

#include "learn/learn.h"
#include "threads/thread.h"

/*
 * CPU time and switches, as sched_switch tells them.
 *
 * A thread has the time from the switch to it until the switch away from it,
 * where nothing is missing between: not across discarded events, and not where
 * the switch away is from another thread than the one that was switched to (a
 * session that tracks one process). At the ends, from the CPU's first event and
 * up to its last one. Each of its names has the part that fell to it.
 */

/* Any event of a source that tells which thread its CPUs run, with a clock. */
void threads_cpu_event(struct threads *threads, struct threads_boot *boot,
		const struct learn_event *seen);

/* Switches on that CPU may be missing here. */
void threads_cpu_gap(struct threads_boot *boot, int64_t cpu);

/* Nothing was recorded of that CPU then: that time is no thread's. */
void threads_cpu_hole(struct threads *threads, struct threads_boot *boot,
		int64_t cpu, const struct learn_hole *hole);

/* It had a CPU; at the end it was made to give way, or not. */
void threads_add_time(struct threads *threads, struct threads_thread *thread,
		int64_t from, int64_t to, bool preempted);

/* It gave way. */
void threads_count_switch(struct threads_thread *thread,
		struct commcache_moment moment, bool preempted);

/* There are no more events. */
void threads_cpu_end(struct threads *threads);

#endif /* COMMCACHE_PLUGIN_THREADS_CPU_H */
