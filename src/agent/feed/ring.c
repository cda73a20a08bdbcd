/* SPDX-License-Identifier: MIT */

#include <string.h>

#include <linux/perf_event.h>

#include "ring.h"

#define HEADER_BYTES	sizeof(struct perf_event_header)

void feed_ring_open(struct feed_ring *ring, struct perf_event_mmap_page *page)
{
	ring->data = (const unsigned char *) page + page->data_offset;
	ring->size = page->data_size;
	/* Last: who finds it finds the others. */
	rcu_assign_pointer(ring->page, page);
}

bool feed_ring_is_filling(const struct feed_ring *ring)
{
	const uint64_t head = __atomic_load_n(&ring->page->data_head,
			__ATOMIC_RELAXED);
	const uint64_t tail = __atomic_load_n(&ring->page->data_tail,
			__ATOMIC_RELAXED);

	return head - tail >= ring->size / 4;
}

void feed_ring_begin(struct feed_ring *ring)
{
	/* Pairs with the kernel's barrier, see perf_output_put_handle(). */
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	ring->tail = ring->page->data_tail;
}

/* A record can go past the ring's end, to its beginning. */
static void copy(const struct feed_ring *ring, void *to, size_t size)
{
	const uint64_t first = ring->tail & (ring->size - 1);
	const uint64_t room = ring->size - first;

	if (size <= room) {
		memcpy(to, ring->data + first, size);
	} else {
		memcpy(to, ring->data + first, room);
		memcpy((unsigned char *) to + room, ring->data,
				size - room);
	}
}

static bool is_sound(const struct feed_ring *ring, uint64_t size)
{
	return size >= HEADER_BYTES && size % 8 == 0 &&
			size <= ring->head - ring->tail;
}

bool feed_ring_peek(struct feed_ring *ring)
{
	unsigned char bytes[FEED_RECORD_BYTES] __attribute__((aligned(8)));
	const uint64_t left = ring->head - ring->tail;

	if (!left)
		return false;
	/* No record of the kernel's begins in the last bytes of a ring. */
	if (left >= HEADER_BYTES && left <= ring->size) {
		copy(ring, bytes, HEADER_BYTES);
		ring->record_size = feed_record_size(bytes);
	} else {
		ring->record_size = 0;
	}
	if (!is_sound(ring, ring->record_size)) {
		memset(&ring->record, 0, sizeof(ring->record));
		ring->record.kind = FEED_LOST;
		ring->record_size = left;
		return true;
	}
	if (ring->record_size <= sizeof(bytes)) {
		copy(ring, bytes, ring->record_size);
		feed_record_read(&ring->record, bytes, ring->record_size);
	} else {
		feed_record_read(&ring->record, bytes, 0);
	}
	return true;
}

void feed_ring_pass(struct feed_ring *ring)
{
	ring->tail += ring->record_size;
}

static bool is_full(const struct feed_ring *ring)
{
	const uint64_t head = __atomic_load_n(&ring->page->data_head,
			__ATOMIC_ACQUIRE);

	return head - ring->page->data_tail > ring->size - FEED_RECORD_BYTES;
}

void feed_ring_end(struct feed_ring *ring)
{
	if (is_full(ring))
		ring->full = true;
	/* All was read before the kernel may write there. */
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}

void feed_ring_drop(struct feed_ring *ring)
{
	feed_ring_begin(ring);
	ring->tail = ring->head;
	feed_ring_end(ring);
	ring->overfull = ring->full;
	ring->full = false;
}
