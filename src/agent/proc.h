/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_PROC_H
#define COMMCACHE_AGENT_PROC_H

/*
 * What the kernel tells of this process, by /proc and prctl(2). Plain system
 * calls: neither a preloaded library that counts file descriptors nor a
 * cancellation point comes between. No allocation. errno may change.
 *
 * /proc may be that of another PID namespace (unshare(2), setns(2), a container
 * that was not given its own): there our threads have other numbers, and those
 * that we are told are those of others. It may be none at all (chroot(2)). And
 * any of these calls may be refused (seccomp(2)).
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct commcache_comm;

struct agent_proc_thread {
	/* As the process itself sees it. */
	pid_t tid;
	/* As /proc has it. */
	pid_t number;
};

/*
 * From here on none of these calls is made in the program's threads: it is
 * about to have a filter that may end it for one that it never makes itself.
 */
void agent_proc_guard(void);
bool agent_proc_is_guarded(void);

/*
 * Whether the thread lives and its name could be read; by tid of the process's
 * own. Async-signal-safe.
 */
bool agent_proc_comm(pid_t tid, struct commcache_comm *comm);

/* The caller's own name; false if it is refused. Async-signal-safe. */
bool agent_proc_own_comm(struct commcache_comm *comm);

/* The main thread's. */
bool agent_proc_main_comm(struct commcache_comm *comm);

/* The name of a thread that is visited. */
bool agent_proc_thread_comm(const struct agent_proc_thread *thread,
		struct commcache_comm *comm);

/*
 * Call visit for each thread of this process, until it returns false. Threads
 * that end or start meanwhile may be left out. False if /proc does not tell.
 */
bool agent_proc_for_each_thread(bool (*visit)(
		const struct agent_proc_thread *thread, void *data), void *data);

/* The same, in memory of the caller's, for another thread at the same time. */
bool agent_proc_for_each_thread_in(void *buffer, size_t size,
		bool (*visit)(const struct agent_proc_thread *thread,
			void *data), void *data);

/* The inode number of the PID namespace; 0 if unknown. */
uint64_t agent_proc_pid_ns(void);

/* The path of the executable; "" if unknown. */
void agent_proc_exe(char *path, size_t size);

#endif /* COMMCACHE_AGENT_PROC_H */
