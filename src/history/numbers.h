/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_NUMBERS_H
#define COMMCACHE_HISTORY_NUMBERS_H

/*
 * Which thread has that number: open addressing, eight bytes a slot, no
 * removal (to forget is to build it anew).
 */

#include <stdbool.h>
#include <stdint.h>

struct number {
	uint32_t key;
	/* 0 is a free slot. */
	uint32_t value;
};

struct numbers {
	/* Owned by this. */
	struct number *slots;
	uint32_t slot_count;
	uint32_t count;
};

void numbers_fini(struct numbers *numbers, uint64_t *bytes);

/* Empty it; the room stays. */
void numbers_clear(struct numbers *numbers);

/* Room for that many more. False: no memory. */
bool numbers_reserve(struct numbers *numbers, uint32_t more, uint64_t *bytes);

/* Add a key that is not there, where room was reserved. value is not 0. */
void numbers_add(struct numbers *numbers, uint32_t key, uint32_t value);

static inline uint32_t numbers_home(const struct numbers *numbers, uint32_t key)
{
	/*
	 * Fibonacci hashing (Knuth, TAOCP 6.4) spreads runs, which is how
	 * numbers come. There are so few (23 bits) that a hostile trace cannot
	 * make more than some hundreds collide.
	 */
	return (uint32_t) (((uint64_t) (key * UINT32_C(2654435769)) *
			numbers->slot_count) >> 32);
}

/* 0: not there. */
static inline uint32_t numbers_find(const struct numbers *numbers, uint32_t key)
{
	uint32_t mask = numbers->slot_count - 1;
	uint32_t at;

	if (!numbers->slot_count)
		return 0;
	at = numbers_home(numbers, key);
	while (numbers->slots[at].value && numbers->slots[at].key != key)
		at = (at + 1) & mask;
	return numbers->slots[at].value;
}

#endif /* COMMCACHE_HISTORY_NUMBERS_H */
