/* SPDX-License-Identifier: MIT */

/*
 * The memory that the header promises, and that the newest threads stay.
 */

#include <stdio.h>
#include <string.h>

#include <commcache/cache.h>

#include "cache/memory.h"
#include "tap.h"

static size_t mapped;

static void add_range(void *address, size_t size)
{
	(void) address;
	mapped += size;
}

/* Not from statm, whose counts may be some 100 kB late. */
static size_t resident_bytes(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	size_t kilobytes = 0;
	char line[256];

	bail_out_unless(file, "/proc/self/smaps_rollup");
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Rss: %zu kB", &kilobytes) == 1)
			break;
	}
	fclose(file);
	bail_out_unless(kilobytes, "no Rss");
	return 1024 * kilobytes;
}

/* The names differ in both halves, and from those of other tids. */
static void comm_of_tid(struct commcache_comm *comm, int tid)
{
	char name[COMMCACHE_COMM_LEN];

	snprintf(name, sizeof(name), "%07d-%07d", tid % 10000000,
			(tid * 7 + 5) % 10000000);
	commcache_comm_from_string(comm, name);
}

static bool has_its_name(struct commcache *cache, int tid)
{
	struct commcache_comm comm, expected;

	comm_of_tid(&expected, tid);
	return commcache_find(cache, tid, &comm) &&
			commcache_comm_equal(&comm, &expected);
}

static void test_bytes(size_t capacity)
{
	size_t bound = COMMCACHE_FIXED_BYTES +
			capacity * COMMCACHE_BYTES_PER_THREAD;
	struct commcache_stats stats;
	struct commcache *cache;

	mapped = 0;
	cache = commcache_create(capacity);
	bail_out_unless(cache, "no memory");
	commcache_get_stats(cache, &stats);
	ok(mapped <= bound && stats.bytes == mapped,
			"capacity %zu: %zu bytes are at most %d + %zu * %d",
			capacity, mapped, COMMCACHE_FIXED_BYTES, capacity,
			COMMCACHE_BYTES_PER_THREAD);
	commcache_destroy(cache);
}

static void test_million(void)
{
	enum { CAPACITY = 4096, TIDS = 1000000 };
	struct commcache *cache = commcache_create(CAPACITY);
	size_t resident = 0, grown;
	struct commcache_stats stats;
	struct commcache_comm comm;
	bool right = true;
	int tid;

	for (tid = 1; tid <= TIDS; tid++) {
		comm_of_tid(&comm, tid);
		right = right && commcache_save(cache, tid, &comm, NULL) ==
				COMMCACHE_SAVE_ADDED;
		if (tid == CAPACITY)
			resident = resident_bytes();
	}
	grown = resident_bytes() - resident;
	ok(right, "%d threads are added", TIDS);
	/* Code and stack that were not touched before count too. */
	ok(grown <= 262144, "memory does not grow (%zu bytes)", grown);
	for (tid = TIDS - CAPACITY + 1; tid <= TIDS; tid++)
		right = right && has_its_name(cache, tid);
	ok(right, "the newest %d have their names", CAPACITY);
	for (tid = 1; tid <= TIDS - CAPACITY; tid++)
		right = right && !commcache_find(cache, tid, &comm);
	ok(right, "the others are not found");
	commcache_get_stats(cache, &stats);
	ok_equal(stats.threads, CAPACITY, "so many are kept");
	ok_equal(stats.evictions, TIDS - CAPACITY, "so many were evicted");
	commcache_destroy(cache);
}

/* A thread that renames itself all the time takes nobody's place. */
static void test_renames_evict_nobody(void)
{
	enum { CAPACITY = 4096 };
	struct commcache *cache = commcache_create(CAPACITY);
	struct commcache_comm comm;
	bool right = true;
	int tid, name;

	for (tid = 1; tid <= CAPACITY; tid++) {
		comm_of_tid(&comm, tid);
		commcache_save(cache, tid, &comm, NULL);
	}
	for (name = 0; name < 100000; name++) {
		comm_of_tid(&comm, name);
		right = right && commcache_save(cache, 1, &comm, NULL) ==
				COMMCACHE_SAVE_RENAMED;
	}
	for (tid = 2; tid <= CAPACITY; tid++)
		right = right && has_its_name(cache, tid);
	ok(right, "100000 renames of one thread evict nobody");
	commcache_destroy(cache);
}

/* Resizes give memory back, and use address ranges again. */
static void test_resizes(void)
{
	struct commcache *cache = commcache_create(10);
	size_t resident, most_mapped = 0;
	struct commcache_comm comm;
	struct commcache_stats stats;
	bool right = true;
	int round, tid, first;

	resident = resident_bytes();
	mapped = 0;
	for (round = 0; round < 20; round++) {
		right = right && commcache_resize(cache, 100000) ==
				COMMCACHE_OK;
		first = 1 + round * 100000;
		for (tid = first; tid < first + 100000; tid++) {
			comm_of_tid(&comm, tid);
			commcache_save(cache, tid, &comm, NULL);
		}
		right = right && resident_bytes() >= resident + 3000000;
		right = right && commcache_resize(cache, 10) == COMMCACHE_OK;
		right = right && resident_bytes() <= resident + 100000;
		for (tid = first + 99990; tid < first + 100000; tid++)
			right = right && has_its_name(cache, tid);
		if (round == 0)
			most_mapped = mapped;
	}
	ok(right, "a shrunk cache gives its memory back, each time");
	ok(mapped == most_mapped, "no addresses are lost");
	commcache_get_stats(cache, &stats);
	ok(stats.bytes <= COMMCACHE_FIXED_BYTES +
			10 * COMMCACHE_BYTES_PER_THREAD,
			"the bound of its capacity holds again");
	commcache_destroy(cache);
}

static size_t count_own_mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	size_t lines = 0;
	int c;

	bail_out_unless(file, "/proc/self/maps");
	while ((c = fgetc(file)) != EOF)
		lines += c == '\n';
	fclose(file);
	return lines;
}

static void test_destroy(void)
{
	size_t before, after, capacity;
	struct commcache *cache;
	int i;

	cache = commcache_create(10);
	commcache_destroy(cache);
	before = count_own_mappings();
	for (i = 0; i < 100; i++) {
		cache = commcache_create(10);
		for (capacity = 1; capacity < 200000; capacity *= 3)
			commcache_resize(cache, capacity);
		commcache_destroy(cache);
	}
	after = count_own_mappings();
	ok(after <= before, "100 destroyed caches leave nothing mapped");
}

int main(void)
{
	static const size_t capacities[] = { 1, 10, 100, 102, 103, 1000, 4096,
		100000, 104858, 1000000, 1 << 22 };
	size_t i;

	cache_memory_mapped = add_range;
	for (i = 0; i < sizeof(capacities) / sizeof(capacities[0]); i++)
		test_bytes(capacities[i]);
	test_million();
	test_renames_evict_nobody();
	test_resizes();
	test_destroy();
	return tap_end();
}
