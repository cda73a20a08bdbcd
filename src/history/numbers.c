/* SPDX-License-Identifier: MIT */
#include "numbers.h"
#include "heap.h"

#include <string.h>

#define FIRST_SLOT_COUNT 8U

void numbers_fini(struct numbers *numbers, uint64_t *bytes)
{
	heap_free(bytes, numbers->slots,
			numbers->slot_count * sizeof(*numbers->slots));
	*numbers = (struct numbers) { 0 };
}

void numbers_clear(struct numbers *numbers)
{
	if (numbers->slots)
		memset(numbers->slots, 0, numbers->slot_count *
				sizeof(*numbers->slots));
	numbers->count = 0;
}

void numbers_add(struct numbers *numbers, uint32_t key, uint32_t value)
{
	uint32_t mask = numbers->slot_count - 1;
	uint32_t at = numbers_home(numbers, key);

	while (numbers->slots[at].value)
		at = (at + 1) & mask;
	numbers->slots[at] = (struct number) { key, value };
	numbers->count++;
}

bool numbers_reserve(struct numbers *numbers, uint32_t more, uint64_t *bytes)
{
	struct numbers grown = { .slot_count = numbers->slot_count };

	if (!grown.slot_count)
		grown.slot_count = FIRST_SLOT_COUNT;
	/* Five eighths full at most: linear probing stays short. */
	while (numbers->count + more > grown.slot_count / 8 * 5)
		grown.slot_count *= 2;
	if (grown.slot_count == numbers->slot_count)
		return true;

	grown.slots = heap_zeroed(bytes, grown.slot_count,
			sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (uint32_t i = 0; i < numbers->slot_count; i++) {
		const struct number *number = &numbers->slots[i];

		if (number->value)
			numbers_add(&grown, number->key, number->value);
	}
	numbers_fini(numbers, bytes);
	*numbers = grown;
	return true;
}
