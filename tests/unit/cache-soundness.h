/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_UNIT_CACHE_SOUNDNESS_H
#define COMMCACHE_TESTS_UNIT_CACHE_SOUNDNESS_H

/*
 * Whether all that a cache at rest knows twice agrees, with the first thing
 * that does not on stdout.
 */

#include <stdio.h>

#include "cache/cache.h"

static inline bool sound_unless(bool wrong, const char *what)
{
	if (wrong)
		printf("# unsound: %s\n", what);
	return !wrong;
}

/* Each thread is in the ring once, at the place that its slot tells. */
static inline bool order_is_sound(struct commcache *cache)
{
	const struct cache_table *table = cache_table_in_use(cache);
	const struct table_order *order = &cache->order;
	const struct cache_slot *slot;
	uint32_t place = order->oldest, count = 0;

	if (!sound_unless(order->next - order->oldest >
			2 * table_length(table), "more places than there are"))
		return false;
	while ((slot = table_next(table, order, &place))) {
		if (!sound_unless(!slot->key, "empty in order") ||
				!sound_unless(slot->place != place - 1,
					"a slot tells another place") ||
				!sound_unless(++count > order->threads,
					"more in order than threads"))
			return false;
	}
	return sound_unless(count != order->threads,
			"less in order than threads");
}

/* Each thread is where a search finds it, and alone. */
static inline bool slots_are_sound(struct commcache *cache)
{
	const struct cache_table *table = cache_table_in_use(cache);
	uint32_t index, count = 0;
	struct cache_slot *slot;
	uint64_t key;

	for (index = 0; index < table_length(table); index++) {
		slot = &table->slots[index];
		if (!slot->key)
			continue;
		count++;
		if (!sound_unless(table_search(table,
					slot_key_tid(slot->key), &key) !=
					slot, "a slot is not found") ||
				!sound_unless(slot->key & SLOT_RENAMING,
					"a rename is not finished"))
			return false;
	}
	return sound_unless(count != cache->order.threads, "used slots");
}

/*
 * The slots tell how many passed over them. More than did is allowed after a
 * fork in the middle of a change.
 */
static inline bool passes_are_exact(struct commcache *cache)
{
	const struct cache_table *table = cache_table_in_use(cache);
	uint32_t mask = table_length(table) - 1, index, distance, passed;
	uint64_t key;

	for (index = 0; index <= mask; index++) {
		passed = 0;
		for (distance = 1; distance <= mask; distance++) {
			key = table->slots[(index + distance) & mask].key;
			passed += key && ((index + distance - table_home(table,
					slot_key_tid(key))) & mask) >= distance;
		}
		if (!sound_unless(slot_passed(&table->slots[index]) != passed,
				"passes"))
			return false;
	}
	return true;
}

/* No memory behind tables that are not in use, and none says so. */
static inline bool tables_are_sound(struct commcache *cache)
{
	const struct cache_table *table;
	uint32_t index;

	for (table = cache->tables; table < cache->tables + TABLE_SIZES;
			table++) {
		if (!table->slots || table == cache_table_in_use(cache))
			continue;
		for (index = 0; index < table_length(table); index++) {
			if (!sound_unless(table->slots[index].key,
					"a table that was discarded"))
				return false;
		}
	}
	return true;
}

static inline bool cache_is_sound(struct commcache *cache)
{
	return sound_unless(cache->lock.process, "locked") &&
			sound_unless(backlog_waiting(&cache->backlog_state),
				"changes wait") &&
			sound_unless(cache->order.threads > cache->capacity,
				"over capacity") &&
			order_is_sound(cache) && slots_are_sound(cache) &&
			tables_are_sound(cache);
}

#endif /* COMMCACHE_TESTS_UNIT_CACHE_SOUNDNESS_H */
