/* SPDX-License-Identifier: MIT */

/*
 * Replacing the table, and mending it in a forked child.
 */

#include <stddef.h>

#include "cache.h"
#include "memory.h"

static void discard_table(struct cache_table *table)
{
	/* Before its slots read as zeros, so that readers know why. */
	__atomic_store_n(&table->discards, table->discards + 1,
			__ATOMIC_RELEASE);
	cache_memory_discard(table->slots, table_bytes(table->bits));
}

static enum commcache_status prepare_table(struct cache_table *table)
{
	if (!table->slots)
		table->slots = cache_memory_map(table_bytes(table->bits));
	return table->slots ? COMMCACHE_OK : COMMCACHE_NO_MEMORY;
}

/* All that is kept, the oldest first, so that the ages stay. */
static void copy_slots(struct commcache *cache, struct cache_table *from,
		struct cache_table *to, struct table_order *order)
{
	struct commcache_comm comm;
	uint32_t place = cache->order.oldest;
	const struct cache_slot *slot;

	while ((slot = table_next(from, &cache->order, &place))) {
		comm.half[0] = slot->half[0];
		comm.half[1] = slot->half[1];
		/*
		 * A number of its own: a reader who is late by two resizes
		 * must not take this slot for the one it knew.
		 */
		table_add(to, order, slot_key(cache_next_number(cache),
				slot_key_tid(slot->key)), &comm);
	}
}

enum commcache_status commcache_resize(struct commcache *cache,
		size_t capacity)
{
	struct table_order order = { .threads = 0 };
	struct cache_table *from, *to;
	enum commcache_status status;

	if (capacity == 0 || capacity > CACHE_CAPACITY_MAX) {
		status = COMMCACHE_INVALID;
		goto end;
	}
	if (!cache_lock_patiently(cache)) {
		status = COMMCACHE_BUSY;
		goto end;
	}
	(void) cache_settle(cache);
	from = cache_table_in_use(cache);
	to = cache_table_for(cache, capacity);
	status = prepare_table(to);
	if (status != COMMCACHE_OK)
		goto end_unlock;

	while (cache->order.threads > capacity)
		cache_evict(cache);
	if (to != from) {
		copy_slots(cache, from, to, &order);
		table_set_order(&cache->order, &order);
		__atomic_store_n(&cache->table, table_word(to),
				__ATOMIC_RELEASE);
		discard_table(from);
	}
	__atomic_store_n(&cache->capacity, capacity, __ATOMIC_RELAXED);
	cache_count(&cache->resizes);
end_unlock:
	cache_unlock(cache);
end:
	return status;
}

/* A rename whose slot still says so is taken up where it was left. */
static void finish_rename(struct commcache *cache, struct cache_table *table)
{
	struct commcache_comm comm = {
		.half = { cache->rename.half[0], cache->rename.half[1] },
	};
	struct cache_slot *slot;
	uint32_t index;

	for (index = 0; index < table_length(table); index++) {
		slot = &table->slots[index];
		if (!(slot->key & SLOT_RENAMING))
			continue;
		slot_fill(slot, slot->key & ~(uint64_t) SLOT_RENAMING, &comm);
	}
}

void cache_mend_table(struct commcache *cache)
{
	struct cache_table *in_use = cache_table_in_use(cache);
	uint64_t room = table_capacity(in_use->bits);
	struct cache_table *table;

	finish_rename(cache, in_use);
	table_reorder(in_use, &cache->order);
	for (table = cache->tables; table < cache->tables + TABLE_SIZES;
			table++) {
		if (table->slots && table != in_use)
			discard_table(table);
	}
	/* It may be of the table before. */
	if (cache->capacity > room)
		__atomic_store_n(&cache->capacity, room, __ATOMIC_RELAXED);
}
