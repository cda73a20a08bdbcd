/* SPDX-License-Identifier: MIT */

/*
 * Unchanged saves and finds store nothing to the cache: they run while all
 * its memory is read-only.
 */

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cache/cache.h"
#include "cache/memory.h"
#include "tap.h"

#define THREADS		3000
#define ROUNDS		200

static struct {
	void *address;
	size_t size;
} ranges[32];
static size_t mapped_ranges;

static struct commcache *cache;
static struct commcache_comm names[THREADS + 1];

static void remember_range(void *address, size_t size)
{
	bail_out_unless(mapped_ranges < 32, "too many ranges");
	ranges[mapped_ranges].address = address;
	ranges[mapped_ranges++].size = size;
}

static void protect(int protection)
{
	size_t i;

	for (i = 0; i < mapped_ranges; i++)
		bail_out_unless(!mprotect(ranges[i].address, ranges[i].size,
				protection), "mprotect");
}

static void *read_all(void *data)
{
	struct commcache_switch_status status;
	struct commcache_comm comm;
	size_t *right = data;
	int round, tid;

	for (round = 0; round < ROUNDS; round++) {
		for (tid = 1; tid < THREADS; tid++) {
			*right += commcache_save(cache, tid, &names[tid],
					NULL) == COMMCACHE_SAVE_UNCHANGED;
			status = commcache_sched_switch(cache,
					tid, &names[tid],
					tid + 1, &names[tid + 1]);
			*right += status.prev == COMMCACHE_SAVE_UNCHANGED &&
				status.next == COMMCACHE_SAVE_UNCHANGED;
			*right += commcache_find(cache, tid, &comm) &&
				commcache_comm_equal(&comm, &names[tid]);
			*right += !commcache_find(cache, THREADS + tid, &comm);
		}
	}
	return NULL;
}

static void fault(int signal)
{
	static const char message[] = "Bail out! a store to the cache\n";

	(void) signal;
	(void) !write(STDOUT_FILENO, message, sizeof(message) - 1);
	_exit(1);
}

/* That the protection protects: a change must fault. */
static sigjmp_buf *expected_fault;

static void fault_expected(int signal)
{
	(void) signal;
	siglongjmp(*expected_fault, 1);
}

static bool change_faults(void)
{
	sigjmp_buf jump;

	expected_fault = &jump;
	signal(SIGSEGV, fault_expected);
	if (sigsetjmp(jump, 1))
		return true;
	commcache_save(cache, 1, &names[2], NULL);
	return false;
}

int main(void)
{
	size_t right[2] = { 0, 0 };
	uint64_t displaced = 0;
	pthread_t threads[2];
	char name[16];
	int i;

	cache_memory_mapped = remember_range;
	cache = commcache_create(4);
	/* Through a resize, so that an old table is there too. */
	commcache_resize(cache, THREADS);
	for (i = 1; i <= THREADS; i++) {
		snprintf(name, sizeof(name), "thread-%d", i);
		commcache_comm_from_string(&names[i], name);
		commcache_save(cache, i, &names[i], NULL);
	}
	for (i = 1; i <= THREADS; i++)
		displaced += (uint32_t) table_word_home(cache->table, i)->key !=
				(uint32_t) i;
	ok(mapped_ranges == 3, "three ranges are mapped");
	ok(displaced > 0, "%d threads are not in their home slots",
			(int) displaced);

	signal(SIGSEGV, fault);
	protect(PROT_READ);
	for (i = 0; i < 2; i++)
		bail_out_unless(!pthread_create(&threads[i], NULL, read_all,
				&right[i]), "pthread_create");
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ok_equal(right[0], 4L * ROUNDS * (THREADS - 1),
			"one thread reads right from read-only memory");
	ok_equal(right[1], 4L * ROUNDS * (THREADS - 1), "another too");
	ok(change_faults(), "a change does fault");
	protect(PROT_READ | PROT_WRITE);
	return tap_end();
}
