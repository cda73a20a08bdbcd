/* SPDX-License-Identifier: MIT */

/*
 * The agent's second feed: records, rings of them, all of them by time, and the
 * gate to the interposed calls.
 */

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "agent/feed/cpus.h"
#include "agent/feed/journal.h"
#include "agent/feed/merge.h"
#include "agent/feed/record.h"
#include "agent/feed/ring.h"

#include "feed-ring.h"
#include "tap.h"

#define CPUS	512

static struct feed_record read_one(const void *bytes)
{
	struct feed_record record;

	feed_record_read(&record, bytes, feed_record_size(bytes));
	return record;
}

static void test_records(void)
{
	unsigned char bytes[RECORD_BYTES] __attribute__((aligned(8)));
	struct feed_record record;

	record = read_one(record_switch(bytes, 7, 70, 0));
	ok(record.kind == FEED_IN && record.tid == 7 && record.time == 70 &&
		record.pid == 1000 && !record.preempted, "a switch in");
	record = read_one(record_switch(bytes, 7, 71,
			PERF_RECORD_MISC_SWITCH_OUT));
	ok(record.kind == FEED_OUT && !record.preempted, "a switch out");
	record = read_one(record_switch(bytes, 7, 72,
			PERF_RECORD_MISC_SWITCH_OUT |
			PERF_RECORD_MISC_SWITCH_OUT_PREEMPT));
	ok(record.kind == FEED_OUT && record.preempted, "a preemption");
	record = read_one(record_comm(bytes, 8, 7, 73, "a name"));
	ok(record.kind == FEED_COMM && record.tid == 8 && record.by_tid == 7 &&
		!strcmp(record.comm.str, "a name"), "a rename by another");
	record = read_one(record_comm(bytes, 8, 8, 74, "fifteen bytes.."));
	ok(!strcmp(record.comm.str, "fifteen bytes.."), "the longest name");
	record = read_one(record_comm(bytes, 8, 8, 74, ""));
	ok(record.kind == FEED_COMM && !record.comm.half[0] &&
		!record.comm.half[1], "an empty name");
	record = read_one(record_task(bytes, PERF_RECORD_FORK, 9, 8, 75));
	ok(record.kind == FEED_BORN && record.tid == 9 && record.by_tid == 8,
		"a birth");
	record = read_one(record_task(bytes, PERF_RECORD_EXIT, 9, 8, 76));
	ok(record.kind == FEED_DIED && record.tid == 9, "a death");
	record = read_one(record_lost(bytes, 5, 77));
	ok(record.kind == FEED_LOST && record.lost == 5 && record.time == 77,
		"a loss");
	record = read_one(record_task(bytes, PERF_RECORD_THROTTLE, 9, 8, 78));
	ok(record.kind == FEED_OTHER, "of another kind");
}

/* Each record, cut at each length: nothing is read past the end. */
static void test_cut_records(void)
{
	unsigned char whole[RECORD_BYTES];
	struct feed_record record;
	bool fine = true;
	size_t size;

	record_comm(whole, 1, 1, 1, "fifteen bytes..");
	for (size = 0; size < feed_record_size(whole); size++) {
		/* Of that size: a checker sees what is read behind it. */
		unsigned char *cut = malloc(size ? size : 1);

		memcpy(cut, whole, size);
		feed_record_read(&record, cut, size);
		fine = fine && record.kind == FEED_OTHER;
		free(cut);
	}
	ok(fine, "a record that is cut off is none");
}

/* Records that end anywhere in the ring, over its end too. */
static void test_wrap(void)
{
	struct perf_event_mmap_page *page = ring_make(4096);
	struct feed_ring ring = { .cpu = 3 };
	unsigned char bytes[RECORD_BYTES];
	bool fine = true;
	char name[16];
	unsigned int i;

	feed_ring_open(&ring, page);
	for (i = 0; i < 10000 && fine; i++) {
		snprintf(name, sizeof(name), "%.*s%u", (int) (i % 9),
			"........", i);
		fine = ring_put(page, record_comm(bytes, i, i, i, name));
		feed_ring_begin(&ring);
		fine = fine && feed_ring_peek(&ring) &&
			ring.record.tid == (pid_t) i &&
			!strcmp(ring.record.comm.str, name);
		feed_ring_pass(&ring);
		fine = fine && !feed_ring_peek(&ring);
		feed_ring_end(&ring);
	}
	ok(fine, "records wrap around, %u of them", i);
	free(page);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Any bytes, any head: it comes to an end, and nothing outside is read. */
static void test_garbage(void)
{
	struct perf_event_mmap_page *page = ring_make(4096);
	unsigned char *data = (unsigned char *) page + 4096;
	struct feed_ring ring = { .cpu = 0 };
	uint32_t state = 1;
	unsigned int round, i;
	uint64_t steps = 0;
	bool fine = true;

	feed_ring_open(&ring, page);
	for (round = 0; round < 20000; round++) {
		for (i = 0; i < 4096; i += 1 + next_random(&state) % 64)
			data[i] = (unsigned char) next_random(&state);
		/* Some of it looks like records. */
		for (i = 0; i < 4096 && round % 2;) {
			const uint16_t size = (uint16_t)
				(8 + 8 * (next_random(&state) % 20));

			data[(page->data_tail + i) % 4096] =
				(unsigned char) (next_random(&state) % 16);
			memcpy(data + (page->data_tail + i + 6) % 4096, &size,
				sizeof(size));
			i += size;
		}
		page->data_head = page->data_tail +
			(round % 100 ? next_random(&state) % 4200 :
				next_random(&state) * UINT64_C(0x10000000));
		page->data_head -= page->data_head % 8;
		feed_ring_begin(&ring);
		while (feed_ring_peek(&ring)) {
			feed_ring_pass(&ring);
			steps++;
		}
		feed_ring_end(&ring);
		fine = fine && page->data_tail == page->data_head;
	}
	ok(fine, "garbage is gone through, in %u steps", (unsigned int) steps);
	free(page);
}

static uint64_t last_time;
static unsigned int taken;
static bool ordered;

static void take(struct feed_ring *ring)
{
	ordered = ordered && ring->record.time >= last_time;
	last_time = ring->record.time;
	taken++;
}

static void test_merge(void)
{
	static struct feed_ring rings[CPUS];
	static struct feed_ring *heap[CPUS];
	unsigned char bytes[RECORD_BYTES];
	uint32_t state = 2;
	uint64_t time = 0;
	unsigned int put = 0, i;

	for (i = 0; i < CPUS; i++) {
		rings[i].cpu = (int) i;
		/* Some CPUs are not there. */
		if (i % 7)
			feed_ring_open(&rings[i], ring_make(4096));
	}
	for (i = 0; i < 20000; i++) {
		struct feed_ring *ring = &rings[next_random(&state) % CPUS];

		time += next_random(&state) % 3;
		if (ring->page && ring_put(ring->page, record_switch(bytes, i,
				time, 0)))
			put++;
	}
	last_time = 0;
	taken = 0;
	ordered = true;
	feed_merge(rings, CPUS, heap, time / 2, take);
	ok(ordered && taken && taken < put && last_time < time / 2,
		"%u CPUs: up to a time, in order", CPUS);
	feed_merge(rings, CPUS, heap, UINT64_MAX, take);
	ok(ordered && taken == put, "%u CPUs: the rest, in order, %u in all",
		CPUS, put);
	feed_merge(rings, CPUS, heap, UINT64_MAX, take);
	ok(taken == put, "nothing is there twice");
	for (i = 0; i < CPUS; i++)
		free(rings[i].page);
}

static struct feed_journal journal;

static void test_gate(void)
{
	uint32_t one, two;
	unsigned int i;

	ok(feed_journal_find(&journal, 1, 5) == FEED_RENAME_RAW,
		"no call: the reader's");
	one = feed_journal_begin(&journal, 1, 10);
	ok(feed_journal_take(&journal, 1, one), "the call comes first: it writes");
	ok(feed_journal_find(&journal, 1, 11) == FEED_RENAME_THEIRS,
		"and the reader does not");
	ok(feed_journal_find(&journal, 2, 11) == FEED_RENAME_RAW,
		"of another thread it does");
	feed_journal_end(&journal, 1, one, 12);
	ok(feed_journal_find(&journal, 1, 13) == FEED_RENAME_RAW,
		"and after the call it does");
	two = feed_journal_begin(&journal, 1, 20);
	ok(feed_journal_find(&journal, 1, 19) == FEED_RENAME_RAW,
		"and before the next");
	ok(feed_journal_find(&journal, 1, 21) == FEED_RENAME_LEFT,
		"the reader comes first: it writes");
	ok(!feed_journal_take(&journal, 1, two), "and the call does not");
	feed_journal_end(&journal, 1, two, 22);
	for (i = 0; i < 3 * FEED_NOTES; i++) {
		one = feed_journal_begin(&journal, 3, 100 + 2 * i);
		(void) feed_journal_take(&journal, 3, one);
		feed_journal_end(&journal, 3, one, 101 + 2 * i);
	}
	ok(feed_journal_find(&journal, 3, 100 + 2 * (i - 1)) ==
		FEED_RENAME_THEIRS, "the last of very many calls is known");
	/* 2^32 calls later numbers begin anew. */
	journal.pages[4].next = UINT32_MAX - 2;
	journal.pages[4].first = UINT32_MAX - 2;
	for (i = 0; i < 10; i++) {
		one = feed_journal_begin(&journal, 4, 100000 + i);
		if (!one || !feed_journal_take(&journal, 4, one) ||
				feed_journal_find(&journal, 4, 100000 + i) !=
				FEED_RENAME_THEIRS)
			break;
		feed_journal_end(&journal, 4, one, 100000 + i);
	}
	ok(i == 10, "serial numbers wrap");
}

/* Calls and reader at once: each rename is written by one of them. */
#define CALLS		50000
#define CALLERS		3

static struct {
	uint64_t time;
	bool by_call;
} calls[CALLERS][CALLS];
static uint64_t clock_now = 1000000;
static uint32_t published[CALLERS];
static uint32_t seen[CALLERS];

/* None is ahead of another, or of the reader, by more than there are notes. */
#define AHEAD		(FEED_NOTES / CALLERS / 2)

/* Two of them share a page. */
static pid_t tid_of(size_t me)
{
	return 10 + (pid_t) (me * FEED_PAGES / 2);
}

static bool is_ahead(uint32_t i)
{
	size_t me;

	for (me = 0; me < CALLERS; me++) {
		if (i > __atomic_load_n(&seen[me], __ATOMIC_RELAXED) + AHEAD)
			return true;
	}
	return false;
}

/* Nanoseconds. */
static uint64_t tick(void)
{
	return __atomic_add_fetch(&clock_now, 1000, __ATOMIC_SEQ_CST);
}

static void *call(void *data)
{
	const unsigned int me = (unsigned int) (size_t) data;
	uint32_t i, serial;

	for (i = 0; i < CALLS; i++) {
		while (is_ahead(i))
			sched_yield();
		serial = feed_journal_begin(&journal, tid_of(me), tick());
		calls[me][i].time = tick();
		__atomic_store_n(&published[me], i + 1, __ATOMIC_RELEASE);
		calls[me][i].by_call = feed_journal_take(&journal, tid_of(me),
			serial);
		feed_journal_end(&journal, tid_of(me), serial, tick());
	}
	return NULL;
}

static void test_race(void)
{
	static bool by_reader[CALLERS][CALLS];
	uint32_t twice = 0, never = 0, i;
	pthread_t threads[CALLERS];
	size_t me, done = 0;

	for (me = 0; me < CALLERS; me++)
		pthread_create(&threads[me], NULL, call, (void *) me);
	while (done < CALLERS) {
		/* The earliest rename that is there, as the rings are read. */
		size_t least = CALLERS;

		done = 0;
		for (me = 0; me < CALLERS; me++) {
			if (seen[me] == CALLS)
				done++;
			else if (seen[me] < __atomic_load_n(&published[me],
					__ATOMIC_ACQUIRE) && (least == CALLERS ||
					calls[me][seen[me]].time <
					calls[least][seen[least]].time))
				least = me;
		}
		if (least == CALLERS)
			continue;
		by_reader[least][seen[least]] = feed_journal_find(&journal,
			tid_of(least), calls[least][seen[least]].time) !=
			FEED_RENAME_THEIRS;
		__atomic_fetch_add(&seen[least], 1, __ATOMIC_RELAXED);
	}
	for (me = 0; me < CALLERS; me++) {
		pthread_join(threads[me], NULL);
		for (i = 0; i < CALLS; i++) {
			twice += calls[me][i].by_call && by_reader[me][i];
			never += !calls[me][i].by_call && !by_reader[me][i];
		}
	}
	ok(never == 0, "no rename is written by nobody");
	ok(twice == 0, "%u of %u are written twice", twice, CALLERS * CALLS);
}

static void test_cpus(void)
{
	ok(feed_cpus_limit("0\n") == 1 && feed_cpus_limit("0-3\n") == 4 &&
		feed_cpus_limit("0-3,8,10-511\n") == 512, "lists of CPUs");
	ok(!feed_cpus_limit("") && !feed_cpus_limit("\n") &&
		!feed_cpus_limit("none"), "what is no list of CPUs");
	ok(feed_cpus_limit("99999999999999999999") == FEED_CPUS_MAX,
		"more CPUs than can be");
	ok(feed_cpus_possible() >= 1, "there is a CPU");
	ok(feed_cpus_changed() && !feed_cpus_changed(),
		"they do not change all the time");
}

int main(void)
{
	test_records();
	test_cut_records();
	test_wrap();
	test_garbage();
	test_merge();
	test_gate();
	test_race();
	test_cpus();
	return tap_end();
}
