/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_FEED_H
#define COMMCACHE_AGENT_FEED_FEED_H

/*
 * The second feed, COMMCACHE_FEED=perf: the kernel's own records of this
 * process's threads (perf_event_open(2)). It sees what goes by the interposed
 * calls, and when each thread gets a CPU and leaves it.
 *
 *	record.c	what one record says
 *	ring.c, merge.c	the rings of all CPUs, read as one
 *	open.c		making them
 *	waiter.c	the thread that has their descriptors
 *	reader.c	the thread that reads them
 *	launch.c	its start and its end in a process
 *	feed.c		its state, which everybody asks for
 *	write.c		what is written of a record
 *	journal.c	the gate between both feeds
 *
 * The descriptors are in a table of the waiter's own: the program sees none of
 * them, can not close or inherit them, and gets no other number for its own.
 * But who writes LTTng-UST's events needs the program's table, where LTTng-UST
 * has the pipe that wakes its consumer. So there are two threads. They are not
 * watched themselves: their own switches would wake them.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <commcache/cache.h>
#include <urcu/pointer.h>

#include "../proc.h"
#include "journal.h"

enum feed_state {
	/* Not started in this process. */
	FEED_NONE,
	FEED_STARTING,
	/* It could not be started. */
	FEED_FAILED,
	/* The process is about to end. */
	FEED_ENDED,
	/* The rings are there, and nobody reads them: no session wants it. */
	FEED_ASLEEP,
	/* About to be read: renames are noted from here on. */
	FEED_WAKING,
	FEED_AWAKE,
};

/* What threads know of it; the kernel empties it in the child of a fork. */
struct feed {
	/* enum feed_state; waited for (futex(2)). */
	uint32_t state;
	/* Counts calls of the reader; it waits for them. */
	uint32_t calls;
	/* Held by who reads the rings. */
	uint32_t reading;
	/* Names may be lost: they are to be looked at. */
	uint32_t broken;
	/* Why it could not be started: what was tried, and errno. */
	const char *tried;
	int error;
	/* Our own threads, which are not watched; 0: not there yet. */
	uint32_t reader_tid;
	uint32_t waiter_tid;
	struct feed_journal journal;
};

/* Owned by launch.c, mapped for good. See agent_feed(). */
extern struct feed *agent_feed_published
		__attribute__((visibility("hidden")));

/* NULL: the feed was not asked for, or cannot be had. */
static inline struct feed *agent_feed(void)
{
	return rcu_dereference(agent_feed_published);
}

/* A session starts: have the rings read, if they are not. */
void agent_feed_call(void);

/*
 * agent_proc_thread_comm() with the time at which the thread was so called, to be
 * written with it: what the kernel tells of times after that is newer. 0 where
 * the feed is off. Async-signal-safe.
 */
bool agent_feed_comm(const struct agent_proc_thread *thread,
		struct commcache_comm *comm, uint64_t *ts);

static inline bool agent_feed_is_on(void)
{
	const struct feed *feed = agent_feed();

	return __builtin_expect(feed != NULL, 0) &&
			__atomic_load_n(&feed->state, __ATOMIC_RELAXED) >=
			FEED_WAKING;
}

static inline uint64_t agent_feed_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

/* For what is written later than it was; 0 where the feed is off. */
static inline uint64_t agent_feed_ts(void)
{
	return agent_feed_is_on() ? agent_feed_now() : 0;
}

/*
 * The gate, see journal.h: around a rename by the caller, where the feed is on
 * as it begins. Never 0.
 */
static inline uint32_t agent_feed_rename_begin(pid_t by_tid)
{
	return feed_journal_begin(&agent_feed()->journal, by_tid,
			agent_feed_now());
}

static inline bool agent_feed_rename_take(pid_t by_tid, uint32_t serial)
{
	return feed_journal_take(&agent_feed()->journal, by_tid, serial);
}

static inline void agent_feed_rename_end(pid_t by_tid, uint32_t serial)
{
	feed_journal_end(&agent_feed()->journal, by_tid, serial,
			agent_feed_now());
}

#endif /* COMMCACHE_AGENT_FEED_FEED_H */
