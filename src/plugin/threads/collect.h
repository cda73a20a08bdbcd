/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_COLLECT_H
#define COMMCACHE_PLUGIN_THREADS_COLLECT_H

#include "ir/mirror.h"
#include "learn/learn.h"
#include "threads/thread.h"

/*
 * Counts an event, with the thread that ran it; and takes what it tells of
 * threads besides names: their process, their PID namespace, their CPU time.
 */
void threads_collect_event(struct threads *threads,
		const struct mirror_event *event,
		const struct learn_event *seen);

/* Events of that stream may be missing here. */
void threads_collect_gap(struct threads *threads,
		const struct learn_stream *stream);

/* Nothing was recorded of its CPU's switches then. */
void threads_collect_hole(struct threads *threads,
		const struct learn_stream *stream,
		const struct learn_hole *hole);

#endif /* COMMCACHE_PLUGIN_THREADS_COLLECT_H */
