/* SPDX-License-Identifier: MIT */

/*
 * Changes: by whoever has the lock, or else left in the backlog.
 */

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "cache.h"

/* So many waiting changes are made at a time, not all that others add. */
#define SETTLE_CHANGES	(2 * BACKLOG_CELLS)

/* About 100 ms: longer than a holder is kept off its CPU, as a rule. */
#define PATIENT_TRIES	1000
#define PATIENT_NS	100000

/* Other threads of the parent may have been in a change at the fork. */
void cache_mend_after_fork(struct commcache *cache, uint32_t holder,
		uint32_t ticket)
{
	if (!cache_section_is_outermost())
		return;
	if (holder)
		cache_mend_table(cache);
	cache_settle_abandoned(cache, ticket);
	cache->process = cache_lock_process;
}

bool cache_lock_patiently(struct commcache *cache)
{
	const struct timespec pause = { .tv_nsec = PATIENT_NS };
	int saved_errno = errno;
	bool locked;
	int tries;

	for (tries = 0; tries < PATIENT_TRIES; tries++) {
		locked = cache_trylock(cache);
		if (locked)
			break;
		(void) nanosleep(&pause, NULL);
	}
	errno = saved_errno;
	return locked;
}

void cache_evict(struct commcache *cache)
{
	struct cache_table *table = cache_table_in_use(cache);
	struct cache_slot *slot = table_next(table, &cache->order,
			&cache->order.oldest);

	table_remove(table, &cache->order, slot);
	cache_count(&cache->evictions);
}

static inline enum commcache_save_status make_save(struct commcache *cache,
		uint32_t tid, const struct commcache_comm *comm,
		struct commcache_comm *prev)
{
	struct cache_table *table = cache_table_in_use(cache);
	struct commcache_comm old;
	struct cache_slot *slot;
	uint64_t key;

	slot = table_search(table, tid, &key);
	if (!slot) {
		if (cache->order.threads >= cache->capacity)
			cache_evict(cache);
		table_add(table, &cache->order,
				slot_key(cache_next_number(cache), tid), comm);
		cache_count(&cache->adds);
		return COMMCACHE_SAVE_ADDED;
	}
	old.half[0] = slot->half[0];
	old.half[1] = slot->half[1];
	if (commcache_comm_equal(&old, comm))
		return COMMCACHE_SAVE_UNCHANGED;
	slot_set_name(slot, slot_key(cache_next_number(cache), tid),
			&cache->rename, comm);
	cache_count(&cache->renames);
	if (prev)
		*prev = old;
	return COMMCACHE_SAVE_RENAMED;
}

static enum commcache_status make_forget(struct commcache *cache,
		uint32_t tid, struct commcache_comm *last)
{
	struct cache_table *table = cache_table_in_use(cache);
	struct cache_slot *slot;
	uint64_t key;

	slot = table_search(table, tid, &key);
	if (!slot)
		return COMMCACHE_NOT_FOUND;
	if (last) {
		last->half[0] = slot->half[0];
		last->half[1] = slot->half[1];
	}
	table_remove(table, &cache->order, slot);
	cache_count(&cache->forgets);
	return COMMCACHE_OK;
}

bool cache_settle_waiting(struct commcache *cache)
{
	struct commcache_comm comm;
	uint32_t tid;
	bool forget;
	int changes;

	for (changes = 0; changes < SETTLE_CHANGES; changes++) {
		if (!backlog_oldest(&cache->backlog, &cache->backlog_state,
				&tid, &comm, &forget))
			break;
		if (forget)
			(void) make_forget(cache, tid, NULL);
		else
			(void) make_save(cache, tid, &comm, NULL);
		backlog_done(&cache->backlog_state);
	}
	return !backlog_waiting(&cache->backlog_state);
}

bool cache_settle_patiently(struct commcache *cache,
		const struct cache_table **table, uint64_t *discards)
{
	bool settled;

	if (!cache_lock_patiently(cache))
		return false;
	settled = cache_settle(cache);
	*table = cache_table_in_use(cache);
	*discards = (*table)->discards;
	cache_unlock(cache);
	return settled;
}

void cache_settle_abandoned(struct commcache *cache, uint32_t ticket)
{
	while (!cache_settle(cache) &&
			backlog_is_before(&cache->backlog_state, ticket))
		backlog_done(&cache->backlog_state);
}

/* Make what waits, now that the holder before may be gone. */
static __attribute__((noinline))
void settle_if_unlocked(struct commcache *cache)
{
	if (!cache_trylock(cache))
		return;
	(void) cache_settle(cache);
	cache_unlock(cache);
}

static inline void settle_what_came(struct commcache *cache)
{
	if (likely(!backlog_waiting(&cache->backlog_state)))
		return;
	settle_if_unlocked(cache);
}

static enum commcache_save_status defer_save(struct commcache *cache,
		uint32_t tid, const struct commcache_comm *comm,
		struct commcache_comm *prev)
{
	struct commcache_comm old;
	bool known = cache_find_name(cache, tid, &old);

	if (known && commcache_comm_equal(&old, comm))
		return COMMCACHE_SAVE_UNCHANGED;
	if (!backlog_add(&cache->backlog, &cache->backlog_state, tid, comm)) {
		cache_count_shared(&cache->not_saved_busy);
		return COMMCACHE_SAVE_BUSY;
	}
	if (!known)
		return COMMCACHE_SAVE_ADDED;
	if (prev)
		*prev = old;
	return COMMCACHE_SAVE_RENAMED;
}

static enum commcache_status defer_forget(struct commcache *cache,
		uint32_t tid, struct commcache_comm *last)
{
	struct commcache_comm old;

	if (!cache_find_name(cache, tid, &old))
		return COMMCACHE_NOT_FOUND;
	if (!backlog_add(&cache->backlog, &cache->backlog_state, tid, NULL)) {
		cache_count_shared(&cache->not_forgotten_busy);
		return COMMCACHE_BUSY;
	}
	if (last)
		*last = old;
	return COMMCACHE_OK;
}

/* Without the lock, or behind changes that wait for someone else. */
static __attribute__((noinline))
enum commcache_save_status save_later(struct commcache *cache, uint32_t tid,
		const struct commcache_comm *comm, struct commcache_comm *prev)
{
	enum commcache_save_status status;

	cache_section_begin();
	status = defer_save(cache, tid, comm, prev);
	cache_section_end();
	settle_what_came(cache);
	return status;
}

enum commcache_save_status cache_change(struct commcache *cache, uint32_t tid,
		const struct commcache_comm *comm,
		struct commcache_comm *prev)
{
	enum commcache_save_status status = COMMCACHE_SAVE_BUSY;
	bool settled;

	if (!cache_trylock(cache))
		return save_later(cache, tid, comm, prev);
	/* What waits is older, and would hide this change. */
	settled = cache_settle(cache);
	if (settled)
		status = make_save(cache, tid, comm, prev);
	cache_unlock(cache);
	if (!settled)
		return save_later(cache, tid, comm, prev);
	settle_what_came(cache);
	return status;
}

enum commcache_save_status cache_refuse_tid(struct commcache *cache)
{
	cache_count_shared(&cache->not_saved_invalid_tid);
	return COMMCACHE_SAVE_INVALID_TID;
}

static enum commcache_status forget_later(struct commcache *cache,
		uint32_t tid, struct commcache_comm *last)
{
	enum commcache_status status;

	cache_section_begin();
	status = defer_forget(cache, tid, last);
	cache_section_end();
	settle_what_came(cache);
	return status;
}

enum commcache_status commcache_forget(struct commcache *cache, pid_t tid,
		struct commcache_comm *last)
{
	enum commcache_status status = COMMCACHE_BUSY;
	bool settled;

	if (tid <= 0)
		return COMMCACHE_INVALID;
	if (!cache_trylock(cache))
		return forget_later(cache, tid, last);
	settled = cache_settle(cache);
	if (settled)
		status = make_forget(cache, tid, last);
	cache_unlock(cache);
	if (!settled)
		return forget_later(cache, tid, last);
	settle_what_came(cache);
	return status;
}
