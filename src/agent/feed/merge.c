/* SPDX-License-Identifier: MIT */

#include "merge.h"

/* To the next record that tells something. */
static bool advance(struct feed_ring *ring)
{
	while (feed_ring_peek(ring)) {
		if (ring->record.kind != FEED_OTHER)
			return true;
		feed_ring_pass(ring);
	}
	return false;
}

/* The ring at the place has a later record than before, perhaps. */
static void sink(struct feed_ring **heap, size_t count, size_t place)
{
	struct feed_ring *ring = heap[place];
	size_t child;

	while ((child = 2 * place + 1) < count) {
		if (child + 1 < count && heap[child + 1]->record.time <
				heap[child]->record.time)
			child++;
		if (ring->record.time <= heap[child]->record.time)
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = ring;
}

static size_t begin(struct feed_ring *rings, size_t count,
		struct feed_ring **heap)
{
	size_t i, used = 0;

	for (i = 0; i < count; i++) {
		if (!feed_ring_is_open(&rings[i]))
			continue;
		feed_ring_begin(&rings[i]);
		if (advance(&rings[i]))
			heap[used++] = &rings[i];
		else
			feed_ring_end(&rings[i]);
	}
	for (i = used / 2; i-- > 0;)
		sink(heap, used, i);
	return used;
}

void feed_merge(struct feed_ring *rings, size_t count, struct feed_ring **heap,
		uint64_t limit, void (*take)(struct feed_ring *ring))
{
	size_t used = begin(rings, count, heap);

	while (used && heap[0]->record.time < limit) {
		struct feed_ring *ring = heap[0];

		take(ring);
		feed_ring_pass(ring);
		if (!advance(ring)) {
			feed_ring_end(ring);
			heap[0] = heap[--used];
		}
		if (used)
			sink(heap, used, 0);
	}
	while (used)
		feed_ring_end(heap[--used]);
}
