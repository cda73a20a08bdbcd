/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_PROCESS_H
#define COMMCACHE_PLUGIN_LEARN_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <commcache/history.h>

#include "history/parts.h"

/*
 * In which PID namespace the processes of a UST trace live, by their pid as
 * they see it themselves, and by time: a pid comes again in another namespace.
 */
struct learn_processes;

/* Two processes at once say that they have that pid, in two namespaces. */
#define LEARN_NAMESPACE_AMBIGUOUS	UINT64_MAX

struct learn_processes *learn_processes_create(void);
void learn_processes_destroy(struct learn_processes *processes);

/* The process says that it has that pid, in that namespace. */
void learn_processes_lives_in(struct learn_processes *processes, int64_t vpid,
		uint64_t inode, struct commcache_moment moment);

/* Its main thread ended: the pid can be another's. */
void learn_processes_ended(struct learn_processes *processes, int64_t vpid,
		struct commcache_moment moment);

/*
 * For endless streams: drops processes whose main thread ended before, where
 * there are many: a process can go on without it.
 */
void learn_processes_forget(struct learn_processes *processes,
		int64_t horizon);

/*
 * The namespace of that process at that time; COMMCACHE_HISTORY_NS_UNKNOWN: it
 * was not told; LEARN_NAMESPACE_AMBIGUOUS: nothing tells which of two.
 */
uint64_t learn_processes_namespace(const struct learn_processes *processes,
		int64_t vpid, struct commcache_moment moment);

/* Whether the answer may be another at another moment, of any process. */
bool learn_processes_move(const struct learn_processes *processes);

/* As bytes, and from bytes, into one that was told nothing. */
void learn_processes_save(const struct learn_processes *processes,
		struct parts_writer *writer);
void learn_processes_load(struct learn_processes *processes,
		struct parts_reader *reader);

#endif /* COMMCACHE_PLUGIN_LEARN_PROCESS_H */
