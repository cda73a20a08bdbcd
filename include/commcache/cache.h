/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_CACHE_H
#define COMMCACHE_CACHE_H

/*
 * The cache: which name (comm) each thread bears now.
 *
 * It does for user space what saved_cmdlines does in Linux
 * (kernel/trace/trace_sched_switch.c): fed with scheduling events, it answers
 * what a tid is called. Like there it is bounded, and the newest threads stay.
 * Unlike there a rename under the same tid is seen, tids are compared whole,
 * a thread can be forgotten, and there can be several caches.
 *
 * commcache_save() is also the gate of those who act on changes alone: it
 * tells whether the name is new.
 *
 *
 * Guarantees
 * ==========
 *
 * "Read" is commcache_find(), and commcache_save() or commcache_sched_switch()
 * of names that are already kept. "Change" is a save of a new name or thread,
 * and commcache_forget().
 *
 * Progress:
 *
 * - Reads are wait-free: no lock, no locked instruction, no store to memory
 *   that another thread can see, no allocation, no system call. (A find or a
 *   save begins anew if the slot it reads was changed under its eyes. A save
 *   does so as a change. A find does so at most 1000 times, then says that
 *   the thread is unknown; for that the same thread must be renamed in each
 *   of 1000 spans of a few nanoseconds.)
 * - Changes never wait: neither for another thread nor for the code below a
 *   signal handler, which may be in the middle of a change. One thread at a
 *   time changes the table. Meanwhile the changes of others go to a backlog
 *   of 64, count from then on, and are made in their order by whoever changes
 *   the table next.
 * - A change is refused (COMMCACHE_SAVE_BUSY, COMMCACHE_BUSY) if 64 wait. That
 *   takes a thread that was stopped (preempted, or in a signal handler) within
 *   the few instructions of a change, and 64 changes by others until it goes
 *   on. Each name that was not saved is told to its caller, and counted.
 * - commcache_resize() and commcache_for_each() wait up to about 100 ms for
 *   the thread that is changing the table, then give up with COMMCACHE_BUSY.
 *   While a resize copies the table (some 20 ms for 100,000 threads), 64
 *   changes are taken and more are refused; reads go on.
 *
 * Ordering:
 *
 * - Reads and changes of one tid are linearizable: each takes effect at one
 *   moment between its call and its return. Who has learned, in whatever way
 *   that orders memory, that a change returned, reads its name or a later one.
 * - Two threads that save the same tid at the same time are put in some order.
 *   If one of the two changes was left in the backlog, both may be told the
 *   same previous name.
 * - commcache_sched_switch() is two saves, not one step.
 *
 * During a rename, a read gives the old name or the new one, never parts of
 * both; a thread that was once given the new one is not given the old one
 * again. A thread that is kept is found at every moment, also while it is
 * renamed and while the table is replaced.
 *
 * Which threads are kept: who came first goes first, as in Linux. An add to a
 * full cache drops the thread that was added before all others; a rename makes
 * none newer. commcache_resize() keeps the newest that fit.
 *
 * Signals: all functions but commcache_create(), commcache_destroy(),
 * commcache_resize() and commcache_for_each() may be called in a signal
 * handler that interrupted anything, any of these functions included, from
 * the first call of a thread on (nothing is registered or allocated). errno is
 * kept by all but commcache_create(). A signal handler must not leave by
 * siglongjmp(), nor end its thread, if it may have interrupted one of these
 * functions: a change that is never finished means that others are refused.
 *
 * Fork: nothing needs to be called, before or after. Who forks while other
 * threads are in the middle of changes has a whole cache in the child: the
 * child's first change finishes or drops what they left (and then may lose
 * the threads' ages, not their names). A handler that forks may let the child
 * return into what it interrupted. A process made with clone() rather than
 * fork() has a cache that can be read; its changes may be refused. The cache
 * still has the tids of the parent; a child that keeps its own threads' names
 * forgets those that are not its own.
 *
 * Exit: the library has no destructor and no thread, so threads may run and
 * use a cache until the process is gone. A cache that is not destroyed is no
 * leak then.
 *
 * Memory: COMMCACHE_FIXED_BYTES, and COMMCACHE_BYTES_PER_THREAD for each
 * thread of the capacity, at most; both from mmap(). The kernel gives a page
 * when it is first used. After a resize the memory of the old table is given
 * back at once; its addresses stay reserved until commcache_destroy(), at
 * most twice the size of the largest table, however many resizes there are.
 *
 * Why there is no RCU: a read side needs each thread to be registered, at the
 * first call of each thread, with a lock and memory, and needs the cooperation
 * of who forks. In a traced program that is not ours, and which may use
 * liburcu itself, that is too much to ask. Instead, readers make sure after
 * reading that nothing changed. doc/cache.md tells how.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Bytes of a comm, its NUL included: the kernel's TASK_COMM_LEN
 * (include/linux/sched.h).
 */
#define COMMCACHE_COMM_LEN 16

/*
 * Where pages have 4096 bytes. A table has 40 bytes a slot and grows by
 * doubling, once four fifths are used: 50 to 100 bytes a thread.
 */
#define COMMCACHE_FIXED_BYTES		12288
#define COMMCACHE_BYTES_PER_THREAD	100

/*
 * A thread's name as Linux keeps it, a value: at most 15 bytes, then NUL to
 * the end, so that equality is two 64-bit compares.
 */
struct commcache_comm {
	union {
		char str[COMMCACHE_COMM_LEN];
		uint64_t half[2];
	};
};

/* What became of a save. Negative: the name was not saved. */
enum commcache_save_status {
	COMMCACHE_SAVE_UNCHANGED = 0,
	/* The thread was not known. */
	COMMCACHE_SAVE_ADDED = 1,
	/* The thread was known by another name. */
	COMMCACHE_SAVE_RENAMED = 2,
	/* The tid is not one of a thread (0 or negative). */
	COMMCACHE_SAVE_INVALID_TID = -1,
	/* Too many changes wait for a stopped thread; try again later. */
	COMMCACHE_SAVE_BUSY = -2,
};

enum commcache_status {
	COMMCACHE_OK = 0,
	COMMCACHE_INVALID = -1,
	COMMCACHE_NO_MEMORY = -2,
	COMMCACHE_BUSY = -3,
	COMMCACHE_NOT_FOUND = -4,
};

/* What became of the two saves of a switch. */
struct commcache_switch_status {
	enum commcache_save_status prev;
	enum commcache_save_status next;
};

struct commcache;

/*
 * Counted since commcache_create(). Unchanged saves are not counted, since that
 * would be a store.
 */
struct commcache_stats {
	/* At most so many threads are kept, and so many are. */
	uint64_t capacity;
	uint64_t threads;
	/* What the cache takes once all its pages are used. */
	uint64_t bytes;

	uint64_t adds;
	uint64_t renames;
	uint64_t forgets;
	/* Threads dropped for newer ones, by an add or by a resize. */
	uint64_t evictions;
	uint64_t resizes;

	/* Names that were not saved, by reason. */
	uint64_t not_saved_busy;
	uint64_t not_saved_invalid_tid;
	/* Forgets that were refused as busy. */
	uint64_t not_forgotten_busy;
};

static inline bool commcache_comm_equal(const struct commcache_comm *a,
		const struct commcache_comm *b)
{
	return a->half[0] == b->half[0] && a->half[1] == b->half[1];
}

/*
 * Make a comm of a C string: cut to 15 bytes as the kernel does, the rest
 * zeroed. Async-signal-safe.
 */
void commcache_comm_from_string(struct commcache_comm *comm, const char *str);

/*
 * A cache of at most so many threads, 1 to 4194304 (PID_MAX_LIMIT of
 * include/linux/threads.h). Owned by the caller.
 *
 * NULL with errno EINVAL (the capacity) or ENOMEM.
 */
struct commcache *commcache_create(size_t capacity);

/*
 * Nobody may use the cache any more, or still be using it. NULL is allowed.
 * In a program whose threads may still run, do not call this at exit.
 */
void commcache_destroy(struct commcache *cache);

/*
 * Keep comm, which must be NUL-terminated and zero-padded, as tid's name. If
 * prev is not NULL, it is given the name before, if the thread was renamed,
 * and left alone otherwise.
 *
 * Async-signal-safe.
 */
enum commcache_save_status commcache_save(struct commcache *cache, pid_t tid,
		const struct commcache_comm *comm, struct commcache_comm *prev);

/*
 * Save the names of both sides of a switch. Tid 0 is an idle thread, which is
 * not kept: for it nothing is done, and COMMCACHE_SAVE_UNCHANGED is told.
 *
 * Async-signal-safe.
 */
struct commcache_switch_status commcache_sched_switch(
		struct commcache *cache,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm);

/*
 * Give tid's name in *comm, and true. False if it is not known; then *comm is
 * what Linux prints in its place: "<idle>" for tid 0, "<XXX>" for a negative
 * tid, "<...>" for others (__trace_find_cmdline() of trace_sched_switch.c).
 *
 * Wait-free and async-signal-safe.
 */
bool commcache_find(struct commcache *cache, pid_t tid,
		struct commcache_comm *comm);

/*
 * Keep tid no longer, since it exited. If last is not NULL, it is given the
 * last name, if there was one.
 *
 * COMMCACHE_INVALID if tid is below 1, COMMCACHE_NOT_FOUND, COMMCACHE_BUSY.
 * Async-signal-safe.
 */
enum commcache_status commcache_forget(struct commcache *cache, pid_t tid,
		struct commcache_comm *last);

/*
 * Call visit for each thread, in no order, until it returns false. A thread
 * that is kept all the while is visited once, with a name it has meanwhile.
 * One that comes or goes meanwhile may be visited or not; one that goes and
 * comes again may be visited twice. No lock is held in visit, which may use
 * and change the cache.
 *
 * COMMCACHE_BUSY: no visit, or, if the cache was resized meanwhile, not all.
 */
enum commcache_status commcache_for_each(struct commcache *cache,
		bool (*visit)(pid_t tid, const struct commcache_comm *comm,
				void *data), void *data);

/*
 * Keep at most so many threads from now on: of those there are, the newest
 * that fit stay.
 *
 * COMMCACHE_INVALID (the capacity), COMMCACHE_NO_MEMORY, COMMCACHE_BUSY; the
 * cache is as before then.
 */
enum commcache_status commcache_resize(struct commcache *cache,
		size_t capacity);

/*
 * Each count is right at some moment, but not all at the same one. What is in
 * the backlog is not counted yet. Async-signal-safe.
 */
void commcache_get_stats(struct commcache *cache,
		struct commcache_stats *stats);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* COMMCACHE_CACHE_H */
