/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_SRC_CACHE_CACHE_H
#define COMMCACHE_SRC_CACHE_CACHE_H

#include <commcache/cache.h>

#include "backlog.h"
#include "lock.h"
#include "slot.h"
#include "table.h"

#define CACHE_LINE	64

/* As many threads as Linux can have at once: PID_MAX_LIMIT. */
#define CACHE_CAPACITY_MAX	((size_t) 1 << 22)

struct commcache {
	/*
	 * Read by everyone all the time, so apart from what changes: the
	 * table in use (a table_word), and whether changes wait.
	 */
	uintptr_t table;
	backlog_state backlog_state;

	/* What the lock's holder alone stores to. */
	struct cache_lock lock __attribute__((aligned(CACHE_LINE)));
	/* The last process that changed the cache. */
	uint32_t process;
	uint32_t number;
	struct table_order order;
	struct slot_rename rename;
	uint64_t capacity __attribute__((aligned(8)));
	uint64_t adds, renames, forgets, evictions, resizes;

	/* What anybody counts. */
	uint64_t not_saved_busy, not_saved_invalid_tid, not_forgotten_busy;

	struct cache_table tables[TABLE_SIZES]
			__attribute__((aligned(CACHE_LINE)));
	struct cache_backlog backlog __attribute__((aligned(CACHE_LINE)));
};

_Static_assert(sizeof(struct commcache) <= 4096,
		"the header promises one page");

/* The table in use, for the lock's holder. */
static inline struct cache_table *cache_table_in_use(struct commcache *cache)
{
	return &cache->tables[table_word_bits(cache->table) - TABLE_MIN_BITS];
}

static inline struct cache_table *cache_table_for(struct commcache *cache,
		size_t capacity)
{
	return &cache->tables[table_bits_for(capacity) - TABLE_MIN_BITS];
}

static inline uint32_t cache_next_number(struct commcache *cache)
{
	return ++cache->number;
}

/* A counter that is read at any time; only one thread at a time stores. */
static inline void cache_count(uint64_t *counter)
{
	__atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED);
}

/* A counter that any thread stores to at any time. */
static inline void cache_count_shared(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* read.c: without a lock and without a store. */

/* commcache_find() for a tid above 0; comm is left alone if not found. */
bool cache_find_name(const struct commcache *cache, uint32_t tid,
		struct commcache_comm *comm);

/* change.c */

/*
 * Make whole what was half done in the parent when this process was forked:
 * by the holder of the lock, 0 for none, and by those who have tickets before
 * this one.
 */
void cache_mend_after_fork(struct commcache *cache, uint32_t holder,
		uint32_t ticket);

/*
 * Take the lock. The first one to do so in a forked process mends the cache.
 * True begins a section, which cache_unlock() ends.
 */
static inline bool cache_trylock(struct commcache *cache)
{
	/* Before the lock: later tickets are of threads of this process. */
	uint32_t ticket = backlog_next(&cache->backlog_state);
	uint32_t holder = 0;

	cache_section_begin();
	if (!cache_lock_try(&cache->lock, &holder) &&
			(holder == cache_lock_process ||
			!cache_section_is_outermost() ||
			!cache_lock_try(&cache->lock, &holder))) {
		cache_section_end();
		return false;
	}
	if (likely(cache->process == cache_lock_process))
		return true;
	cache_mend_after_fork(cache, holder, ticket);
	return true;
}

/* The same; tries for a while, for callers that are not signal handlers. */
bool cache_lock_patiently(struct commcache *cache);

static inline void cache_unlock(struct commcache *cache)
{
	cache_lock_release(&cache->lock);
	cache_section_end();
}

bool cache_settle_waiting(struct commcache *cache);

/* Make all changes that wait; false if one of them is not complete. */
static inline bool cache_settle(struct commcache *cache)
{
	return !backlog_waiting(&cache->backlog_state) ||
			cache_settle_waiting(cache);
}

/*
 * The same for callers without the lock, and say which table then was in use,
 * discarded how often.
 */
bool cache_settle_patiently(struct commcache *cache,
		const struct cache_table **table, uint64_t *discards);

/* Forget the oldest thread. */
void cache_evict(struct commcache *cache);

/*
 * Make all changes that wait and were complete; those before ticket that were
 * not are dropped: whoever was to complete them is gone.
 */
void cache_settle_abandoned(struct commcache *cache, uint32_t ticket);

/* Count a save of a tid that no thread has. */
enum commcache_save_status cache_refuse_tid(struct commcache *cache);

enum commcache_save_status cache_change(struct commcache *cache, uint32_t tid,
		const struct commcache_comm *comm,
		struct commcache_comm *prev);

/* resize.c */

/* Make whole what a holder who vanished in a fork left half done. */
void cache_mend_table(struct commcache *cache);

#endif /* COMMCACHE_SRC_CACHE_CACHE_H */
