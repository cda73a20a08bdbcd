/* SPDX-License-Identifier: MIT */

#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "feed-ring.h"

#define PAGE	4096

uint32_t ring_pid = 1000;

struct perf_event_mmap_page *ring_make(size_t bytes)
{
	struct perf_event_mmap_page *page = aligned_alloc(PAGE, PAGE + bytes);

	memset(page, 0, PAGE + bytes);
	page->data_offset = PAGE;
	page->data_size = bytes;
	return page;
}

bool ring_put(struct perf_event_mmap_page *page, const void *record)
{
	const struct perf_event_header *header = record;
	unsigned char *data = (unsigned char *) page + page->data_offset;
	const uint64_t tail = __atomic_load_n(&page->data_tail,
			__ATOMIC_ACQUIRE);
	size_t i;

	if (page->data_head + header->size - tail > page->data_size)
		return false;
	for (i = 0; i < header->size; i++)
		data[(page->data_head + i) % page->data_size] =
			((const unsigned char *) record)[i];
	__atomic_store_n(&page->data_head, page->data_head + header->size,
			__ATOMIC_RELEASE);
	return true;
}

/* Header, body and the ids that end each. */
static void *record(void *to, uint32_t type, uint16_t misc, const void *body,
		size_t size, uint32_t tid, uint64_t time)
{
	const struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (uint16_t) (sizeof(header) + size + 16),
	};
	const uint32_t ids[2] = { ring_pid, tid };
	unsigned char *at = to;

	memset(to, 0, RECORD_BYTES);
	memcpy(at, &header, sizeof(header));
	if (size)
		memcpy(at + sizeof(header), body, size);
	memcpy(at + sizeof(header) + size, ids, sizeof(ids));
	memcpy(at + sizeof(header) + size + 8, &time, sizeof(time));
	return to;
}

void *record_switch(void *to, uint32_t tid, uint64_t time, uint16_t misc)
{
	return record(to, PERF_RECORD_SWITCH, misc, NULL, 0, tid, time);
}

void *record_comm(void *to, uint32_t tid, uint32_t by_tid, uint64_t time,
		const char *comm)
{
	struct {
		uint32_t pid, tid;
		char comm[16];
	} body = { .pid = ring_pid, .tid = tid };

	memcpy(body.comm, comm, strnlen(comm, sizeof(body.comm)));
	/* As long as it takes: to a multiple of 8, its NUL included. */
	return record(to, PERF_RECORD_COMM, 0, &body,
			8 + (strlen(comm) + 8) / 8 * 8, by_tid, time);
}

void *record_task(void *to, uint32_t type, uint32_t tid, uint32_t parent,
		uint64_t time)
{
	const struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
	} body = { ring_pid, ring_pid, tid, parent, time };

	return record(to, type, 0, &body, sizeof(body), parent, time);
}

void *record_lost(void *to, uint64_t lost, uint64_t time)
{
	const uint64_t body[2] = { 1, lost };

	return record(to, PERF_RECORD_LOST, 0, body, sizeof(body), 0, time);
}
