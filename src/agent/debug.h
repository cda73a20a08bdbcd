/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_DEBUG_H
#define COMMCACHE_AGENT_DEBUG_H

/*
 * COMMCACHE_DEBUG=1: what was hooked, what was left off and why, and counts at
 * exit, on standard error.
 */

#include <stdbool.h>
#include <stdint.h>

/* What is counted, only with COMMCACHE_DEBUG=1, and how it is told. */
#define AGENT_COUNTS(line) \
	line(THREADS_STARTED, "threads started") \
	line(THREADS_ENDED, "threads ended") \
	line(RENAMES_OF_SELF, "renames of the own thread") \
	line(RENAMES_OF_OTHERS, "renames of other threads") \
	line(RENAMES_FAILED, "renames that failed") \
	line(RENAMES_UNCHANGED, "renames to the same name, not written") \
	line(RENAMES_WRITTEN, "renames written") \
	line(NOT_SAVED, "changes that the cache refused") \
	line(FEED_RECORDS, "records of the kernel's read") \
	line(FEED_RENAMES, "renames written that only they told") \
	line(FEED_LOSSES, "times that some of them were lost") \
	line(FEED_MENDS, "times that all names were looked at for that") \
	line(STATEDUMPS, "statedumps") \
	line(STATEDUMP_THREADS, "threads in statedumps")

enum agent_count {
#define AGENT_COUNT_MEMBER(count, text)	AGENT_##count,
	AGENT_COUNTS(AGENT_COUNT_MEMBER)
#undef AGENT_COUNT_MEMBER
	AGENT_NR_COUNTS,
};

extern bool agent_debugging __attribute__((visibility("hidden")));

/* Read the environment. */
void agent_debug_start(void);

/* One line, if COMMCACHE_DEBUG=1. Keeps errno. Not for signal handlers. */
void agent_debug(const char *format, ...)
		__attribute__((format(printf, 1, 2)));

void agent_debug_counts(const uint64_t counts[AGENT_NR_COUNTS]);

#endif /* COMMCACHE_AGENT_DEBUG_H */
