/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_RECORD_H
#define COMMCACHE_AGENT_FEED_RECORD_H

/*
 * One record of the kernel's, as perf_event_open(2) lays it out for the events
 * of open.c. Pure: bytes in, a value out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <commcache/cache.h>

/* What is longer tells nothing that we ask for; its beginning will do. */
#define FEED_RECORD_BYTES	128

enum feed_kind {
	/* Of no use, or not as it should be. */
	FEED_OTHER,
	/* tid, renamed by by_tid, is called comm. */
	FEED_COMM,
	/* by_tid made tid. */
	FEED_BORN,
	FEED_DIED,
	/* tid got a CPU, or left it. */
	FEED_IN,
	FEED_OUT,
	/* So many records found no place. */
	FEED_LOST,
};

struct feed_record {
	enum feed_kind kind;
	/* Nanoseconds of CLOCK_MONOTONIC. */
	uint64_t time;
	pid_t pid;
	pid_t tid;
	pid_t by_tid;
	/* It left its CPU although it had more to do. */
	bool preempted;
	uint64_t lost;
	struct commcache_comm comm;
};

/*
 * The size that the record at these bytes, 8 of them at least, says it has.
 * No valid one is less than 8 or no multiple of 8.
 */
size_t feed_record_size(const void *bytes);

/* Whatever the bytes are, of which there are so many. */
void feed_record_read(struct feed_record *record, const void *bytes,
		size_t size);

#endif /* COMMCACHE_AGENT_FEED_RECORD_H */
