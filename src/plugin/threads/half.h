/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_HALF_H
#define COMMCACHE_PLUGIN_THREADS_HALF_H

#include "learn/learn.h"
#include "threads/thread.h"

/*
 * CPU time and switches of threads whose process tells its own turns: that this
 * thread got that CPU, that it gave it up, and nothing of others.
 *
 * Only whole turns count: what had begun before the records, or was not over at
 * their end, is nobody's. Where switches of the same boot are recorded too, these
 * tell it all, and halves count for nothing.
 */

/* For struct threads_boot. */
GHashTable *threads_turns_create(void);

/* The row LEARN_HALF_SWITCH of an event. */
void threads_take_half(struct threads *threads, struct threads_boot *boot,
		const struct learn_event *seen, const struct learn_op *op);

/* The row LEARN_HALVES_LOST: of its CPU. */
void threads_take_lost(struct threads_boot *boot,
		const struct learn_event *seen, const struct learn_op *op);

/* Some of them may be missing here, of any CPU. */
void threads_half_gap(struct threads_boot *boot);

#endif /* COMMCACHE_PLUGIN_THREADS_HALF_H */
