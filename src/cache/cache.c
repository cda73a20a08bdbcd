/* SPDX-License-Identifier: MIT */

/*
 * A cache as a whole: its beginning and end, and all of it at once.
 */

#include <errno.h>

#include "cache.h"
#include "memory.h"

struct commcache *commcache_create(size_t capacity)
{
	struct commcache *cache;
	struct cache_table *table;
	uint32_t i;

	if (capacity == 0 || capacity > CACHE_CAPACITY_MAX) {
		errno = EINVAL;
		goto error;
	}
	cache = cache_memory_map(sizeof(*cache));
	if (!cache)
		goto error_memory;
	/* At once, so that no child of a fork meets a table without a size. */
	for (i = 0; i < TABLE_SIZES; i++)
		cache->tables[i].bits = TABLE_MIN_BITS + i;
	table = cache_table_for(cache, capacity);
	table->slots = cache_memory_map(table_bytes(table->bits));
	if (!table->slots)
		goto error_unmap;
	cache->capacity = capacity;
	cache->process = cache_lock_process;
	cache->table = table_word(table);
	return cache;

error_unmap:
	cache_memory_unmap(cache, sizeof(*cache));
error_memory:
	errno = ENOMEM;
error:
	return NULL;
}

void commcache_destroy(struct commcache *cache)
{
	struct cache_table *table;

	if (!cache)
		return;
	for (table = cache->tables; table < cache->tables + TABLE_SIZES;
			table++) {
		if (table->slots)
			cache_memory_unmap(table->slots,
					table_bytes(table->bits));
	}
	cache_memory_unmap(cache, sizeof(*cache));
}

enum commcache_status commcache_for_each(struct commcache *cache,
		bool (*visit)(pid_t tid, const struct commcache_comm *comm,
				void *data), void *data)
{
	const struct cache_table *table;
	struct commcache_comm comm;
	uint32_t index, tid;
	uint64_t discards;

	/* What waits is not in the table. */
	if (!cache_settle_patiently(cache, &table, &discards))
		return COMMCACHE_BUSY;
	for (index = 0; index < table_length(table); index++) {
		tid = slot_key_tid(__atomic_load_n(&table->slots[index].key,
				__ATOMIC_ACQUIRE));
		if (!tid || !cache_find_name(cache, tid, &comm))
			continue;
		if (!visit(tid, &comm, data))
			return COMMCACHE_OK;
	}
	/* Of a table that was replaced, a part may not have been seen. */
	if (__atomic_load_n(&table->discards, __ATOMIC_ACQUIRE) != discards)
		return COMMCACHE_BUSY;
	return COMMCACHE_OK;
}

static uint64_t load_count(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

void commcache_get_stats(struct commcache *cache,
		struct commcache_stats *stats)
{
	uintptr_t word = __atomic_load_n(&cache->table, __ATOMIC_ACQUIRE);

	stats->capacity = load_count(&cache->capacity);
	stats->threads = __atomic_load_n(&cache->order.threads,
			__ATOMIC_RELAXED);
	stats->bytes = cache_memory_size(sizeof(*cache)) +
			cache_memory_size(table_bytes(table_word_bits(word)));
	stats->adds = load_count(&cache->adds);
	stats->renames = load_count(&cache->renames);
	stats->forgets = load_count(&cache->forgets);
	stats->evictions = load_count(&cache->evictions);
	stats->resizes = load_count(&cache->resizes);
	stats->not_saved_busy = load_count(&cache->not_saved_busy);
	stats->not_saved_invalid_tid =
			load_count(&cache->not_saved_invalid_tid);
	stats->not_forgotten_busy = load_count(&cache->not_forgotten_busy);
}
