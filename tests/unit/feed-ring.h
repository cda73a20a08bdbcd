/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_FEED_RING_H
#define COMMCACHE_TESTS_FEED_RING_H

/* The kernel's side of a ring, and its records: perf_event_open(2). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_BYTES	64

/* A ring's page and data, to be given to feed_ring_open(); freed with free(). */
struct perf_event_mmap_page *ring_make(size_t bytes);

/* Whether there was room. */
bool ring_put(struct perf_event_mmap_page *page, const void *record);

/* The process that they are of. */
extern uint32_t ring_pid;

/* Records, in RECORD_BYTES of memory. */
void *record_switch(void *to, uint32_t tid, uint64_t time, uint16_t misc);
void *record_comm(void *to, uint32_t tid, uint32_t by_tid, uint64_t time,
		const char *comm);
void *record_task(void *to, uint32_t type, uint32_t tid, uint32_t parent,
		uint64_t time);
void *record_lost(void *to, uint64_t lost, uint64_t time);

#endif /* COMMCACHE_TESTS_FEED_RING_H */
