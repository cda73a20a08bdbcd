/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_PROGRAM_H
#define COMMCACHE_PLUGIN_LEARN_PROGRAM_H

#include "learn/source.h"

/*
 * What LTTng-UST showed of threads and processes last: a boot's, for the traces
 * of per-PID buffers are one a program.
 */
GHashTable *learn_programs_create(void);

/* Drops those that the history has forgotten. */
void learn_programs_forget(GHashTable *programs);

/* The agent told of process `vpid`, in this event. */
void learn_program_is_told(const struct learn_event *seen, int64_t vpid);

/* The event shows a name that may be stale, perhaps that of another program. */
enum status learn_take_procname(const struct learn_op *op,
		const struct learn_event *seen,
		struct commcache_history_thread *thread,
		const struct commcache_comm *comm);

#endif /* COMMCACHE_PLUGIN_LEARN_PROGRAM_H */
