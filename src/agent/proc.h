/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_PROC_H
#define COMMCACHE_AGENT_PROC_H

/*
 * What /proc tells of this process. Plain system calls: neither a preloaded
 * library that counts file descriptors nor a cancellation point comes between.
 * No allocation. errno may change.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct commcache_comm;

/* Whether the thread lives and its name could be read. Async-signal-safe. */
bool agent_proc_comm(pid_t tid, struct commcache_comm *comm);

/* The caller's own name. Async-signal-safe. */
void agent_proc_own_comm(struct commcache_comm *comm);

/*
 * Call visit for each thread of this process. Threads that end or start
 * meanwhile may be left out. False if /proc is not there.
 */
bool agent_proc_for_each_thread(void (*visit)(pid_t tid, void *data),
		void *data);

/* The same, in memory of the caller's, for another thread at the same time. */
bool agent_proc_for_each_thread_in(void *buffer, size_t size,
		void (*visit)(pid_t tid, void *data), void *data);

/* The inode number of the PID namespace; 0 if unknown. */
uint64_t agent_proc_pid_ns(void);

/* The path of the executable; "" if unknown. */
void agent_proc_exe(char *path, size_t size);

#endif /* COMMCACHE_AGENT_PROC_H */
