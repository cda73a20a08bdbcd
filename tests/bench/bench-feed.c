/* SPDX-License-Identifier: MIT */

/*
 * What the second feed takes for a record of the kernel's: read, in order of
 * time, and the cache fed with it. Prints `feed WHAT NANOSECONDS ns`.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/perf_event.h>

#include <commcache/cache.h>

#include "agent/feed/merge.h"
#include "tests/unit/feed-ring.h"

#define CPUS		2
#define RING_BYTES	(256 * 1024)
#define THREADS		1000
#define ROUNDS		200

static struct commcache *cache;
static uint64_t records, known;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static void read_only(struct feed_ring *ring)
{
	(void) ring;
	records++;
}

static void feed_cache(struct feed_ring *ring)
{
	const struct feed_record *record = &ring->record;
	struct commcache_comm comm;

	records++;
	if (record->kind == FEED_COMM)
		known += commcache_save(cache, record->tid, &record->comm,
				NULL) == COMMCACHE_SAVE_UNCHANGED;
	else
		known += commcache_find(cache, record->tid, &comm);
}

/* Of each hundred records so many are renames; the others are switches. */
static void fill(struct feed_ring *ring, unsigned int renames)
{
	static uint64_t clock;
	unsigned char bytes[RECORD_BYTES];
	char name[16];
	unsigned int i;

	for (i = 0;; i++) {
		uint32_t tid = 1 + i * 7 % THREADS;

		snprintf(name, sizeof(name), "thread %u", i * 13 % 5000);
		if (!ring_put(ring->page, i % 100 < renames ?
				record_comm(bytes, tid, tid, ++clock, name) :
				record_switch(bytes, tid, ++clock, 0)))
			return;
	}
}

static void measure(const char *what, unsigned int renames,
		void (*take)(struct feed_ring *ring))
{
	static struct feed_ring rings[CPUS];
	struct feed_ring *heap[CPUS];
	double begin, least = 0, each;
	unsigned int round, cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		feed_ring_open(&rings[cpu], ring_make(RING_BYTES));
	for (round = 0; round < ROUNDS; round++) {
		for (cpu = 0; cpu < CPUS; cpu++)
			fill(&rings[cpu], renames);
		records = 0;
		begin = now();
		feed_merge(rings, CPUS, heap, UINT64_MAX, take);
		each = (now() - begin) / (double) records;
		if (!round || each < least)
			least = each;
	}
	printf("feed %s %.1f ns\n", what, least);
	for (cpu = 0; cpu < CPUS; cpu++)
		free(rings[cpu].page);
}

int main(void)
{
	cache = commcache_create(2 * THREADS);
	if (!cache)
		return 1;
	measure("switches-read", 0, read_only);
	measure("switches-cache-fed", 0, feed_cache);
	measure("switches+1%renames-cache-fed", 1, feed_cache);
	measure("renames-cache-fed", 100, feed_cache);
	commcache_destroy(cache);
	return known ? 0 : 1;
}
