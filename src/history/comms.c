/* SPDX-License-Identifier: MIT */
#include "comms.h"
#include "heap.h"

#include <time.h>

#define FIRST_SLOT_COUNT 64U

/* Both halves of the product of 128 bits, folded. */
#ifdef __SIZEOF_INT128__
static uint64_t mix(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 wide;
	wide product = (wide) a * b;

	return (uint64_t) product ^ (uint64_t) (product >> 64);
}
#else
static uint64_t mix(uint64_t a, uint64_t b)
{
	const uint64_t a_low = (uint32_t) a, a_high = a >> 32;
	const uint64_t b_low = (uint32_t) b, b_high = b >> 32;
	const uint64_t cross_a = a_high * b_low, cross_b = a_low * b_high;
	const uint64_t middle = (a_low * b_low >> 32) + (uint32_t) cross_a +
		(uint32_t) cross_b;

	return a * b ^ (a_high * b_high + (cross_a >> 32) + (cross_b >> 32) +
		(middle >> 32));
}
#endif

static uint32_t hash(const struct comms *comms,
		const struct commcache_comm *comm)
{
	/* The odd constants are digits of pi: nothing up the sleeve. */
	uint64_t a = mix(comm->half[0] ^ comms->seed,
			UINT64_C(0x243f6a8885a308d3));
	uint64_t b = mix(comm->half[1] ^ a, UINT64_C(0x13198a2e03707345));

	return (uint32_t) b;
}

static uint64_t make_seed(const void *address)
{
	struct timespec now = { 0, 0 };

	(void) clock_gettime(CLOCK_MONOTONIC, &now);
	return mix((uint64_t) (uintptr_t) address ^ (uint64_t) now.tv_nsec,
			UINT64_C(0xa4093822299f31d1));
}

/* Give the next id to the comm. */
static uint32_t append(struct comms *comms, const struct commcache_comm *comm)
{
	uint32_t id = comms->count;
	uint32_t block = id >> COMMS_BLOCK_SHIFT;

	if (block == comms->block_count) {
		struct commcache_comm **blocks = heap_resize(comms->bytes,
				comms->blocks, block * sizeof(*blocks),
				(block + 1) * sizeof(*blocks));

		if (!blocks)
			return COMM_UNKNOWN;
		comms->blocks = blocks;
		blocks[block] = heap_zeroed(comms->bytes, COMMS_BLOCK_COUNT,
				sizeof(**blocks));
		if (!blocks[block]) {
			/* The longer array is not lost: it is only not filled. */
			*comms->bytes -= sizeof(*blocks);
			return COMM_UNKNOWN;
		}
		comms->block_count++;
	}
	comms->blocks[block][id & (COMMS_BLOCK_COUNT - 1)] = *comm;
	comms->count++;
	return id;
}

/* The slot that holds the comm, or the free one where it belongs. */
static uint32_t *slot_of(const struct comms *comms,
		const struct commcache_comm *comm)
{
	uint32_t mask = comms->slot_count - 1;
	uint32_t at = hash(comms, comm) & mask;

	while (comms->slots[at] && !commcache_comm_equal(comm,
			comms_get(comms, comms->slots[at])))
		at = (at + 1) & mask;
	return &comms->slots[at];
}

static bool grow(struct comms *comms)
{
	uint32_t count = comms->slot_count ? comms->slot_count * 2 :
			FIRST_SLOT_COUNT;
	uint32_t *old = comms->slots;
	uint32_t *slots = heap_zeroed(comms->bytes, count, sizeof(*slots));

	if (!slots)
		return false;
	heap_free(comms->bytes, old, comms->slot_count * sizeof(*old));
	comms->slots = slots;
	comms->slot_count = count;
	for (uint32_t id = COMM_UNKNOWN + 1; id < comms->count; id++)
		*slot_of(comms, comms_get(comms, id)) = id;
	return true;
}

bool comms_init(struct comms *comms, uint64_t *bytes)
{
	struct commcache_comm unknown;

	*comms = (struct comms) { .bytes = bytes };
	comms->seed = make_seed(comms);
	commcache_comm_from_string(&unknown, "<...>");
	(void) append(comms, &unknown);
	if (!comms->count || !grow(comms)) {
		comms_fini(comms);
		return false;
	}
	return true;
}

void comms_fini(struct comms *comms)
{
	for (uint32_t i = 0; i < comms->block_count; i++)
		heap_free(comms->bytes, comms->blocks[i],
				COMMS_BLOCK_COUNT * sizeof(**comms->blocks));
	heap_free(comms->bytes, comms->blocks,
			comms->block_count * sizeof(*comms->blocks));
	heap_free(comms->bytes, comms->slots,
			comms->slot_count * sizeof(*comms->slots));
	*comms = (struct comms) { .bytes = comms->bytes };
}

uint32_t comms_intern(struct comms *comms, const struct commcache_comm *comm)
{
	uint32_t *slot = slot_of(comms, comm);
	uint32_t id;

	if (*slot)
		return *slot;
	/* Half full at most, so that a probe is short. */
	if (comms->count >= comms->slot_count / 2) {
		if (!grow(comms))
			return COMM_UNKNOWN;
		slot = slot_of(comms, comm);
	}
	id = append(comms, comm);
	if (id != COMM_UNKNOWN)
		*slot = id;
	return id;
}
