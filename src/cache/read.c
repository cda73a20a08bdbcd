/* SPDX-License-Identifier: MIT */

/*
 * What nearly all calls come to: the name is the one that is kept. Nothing
 * here stores to memory that another thread could see, waits or allocates.
 */

#include <stddef.h>

#include "cache.h"

/*
 * A reader starts anew only if the very name it reads is changed twice within
 * the few nanoseconds that it takes, or its table is replaced. Bounded, so
 * that it is wait-free; high enough that the bound is never met.
 */
#define FIND_TRIES	1000

enum lookup_result {
	LOOKUP_FOUND,
	LOOKUP_ABSENT,
	LOOKUP_MOVED,
};

static inline const struct cache_table *table_of_word(
		const struct commcache *cache, uintptr_t word)
{
	return &cache->tables[table_word_bits(word) - TABLE_MIN_BITS];
}

/* Whether tid is away from its home slot and has this name. */
static bool holds_away_from_home(const struct commcache *cache, uintptr_t word,
		uint32_t tid, const struct commcache_comm *comm)
{
	const struct cache_slot *slot = table_word_home(word, tid);
	uint64_t key = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);

	if (slot_key_tid(key) == tid || !slot_passed(slot))
		return false;
	slot = table_search(table_of_word(cache, word), tid, &key);
	return slot && slot_holds(slot, tid, comm);
}

static enum lookup_result table_lookup(const struct commcache *cache,
		uint32_t tid, struct commcache_comm *comm)
{
	uintptr_t word = __atomic_load_n(&cache->table, __ATOMIC_ACQUIRE);
	const struct cache_table *table = table_of_word(cache, word);
	uint64_t discards = __atomic_load_n(&table->discards,
			__ATOMIC_ACQUIRE);
	const struct cache_slot *slot;
	uint64_t key;

	/* Is the table in use, with this count of discards? */
	if (__atomic_load_n(&cache->table, __ATOMIC_ACQUIRE) != word)
		return LOOKUP_MOVED;
	slot = table_search(table, tid, &key);
	if (slot)
		return slot_read(slot, key, &cache->rename, comm) ?
				LOOKUP_FOUND : LOOKUP_MOVED;
	/* What was discarded reads as zeros, which means nothing. */
	if (__atomic_load_n(&table->discards, __ATOMIC_ACQUIRE) != discards)
		return LOOKUP_MOVED;
	return LOOKUP_ABSENT;
}

bool cache_find_name(const struct commcache *cache, uint32_t tid,
		struct commcache_comm *comm)
{
	struct commcache_comm name;
	int tries;

	for (tries = 0; tries < FIND_TRIES; tries++) {
		if (backlog_waiting(&cache->backlog_state)) {
			switch (backlog_find(&cache->backlog,
					&cache->backlog_state, tid, &name)) {
			case BACKLOG_NONE:
				break;
			case BACKLOG_SAVED:
				*comm = name;
				return true;
			case BACKLOG_FORGOTTEN:
				return false;
			case BACKLOG_MOVED:
				continue;
			}
		}
		switch (table_lookup(cache, tid, &name)) {
		case LOOKUP_FOUND:
			*comm = name;
			return true;
		case LOOKUP_ABSENT:
			return false;
		case LOOKUP_MOVED:
			continue;
		}
	}
	return false;
}

bool commcache_find(struct commcache *cache, pid_t tid,
		struct commcache_comm *comm)
{
	const char *placeholder = "<...>";

	if (tid > 0 && cache_find_name(cache, tid, comm))
		return true;
	if (tid == 0)
		placeholder = "<idle>";
	else if (tid < 0)
		placeholder = "<XXX>";
	commcache_comm_from_string(comm, placeholder);
	return false;
}

static __attribute__((noinline))
enum commcache_save_status save_slowly(struct commcache *cache, pid_t tid,
		const struct commcache_comm *comm,
		struct commcache_comm *prev)
{
	uintptr_t word = __atomic_load_n(&cache->table, __ATOMIC_ACQUIRE);

	if (tid <= 0)
		return cache_refuse_tid(cache);
	if (!backlog_waiting(&cache->backlog_state) &&
			holds_away_from_home(cache, word, tid, comm))
		return COMMCACHE_SAVE_UNCHANGED;
	return cache_change(cache, tid, comm, prev);
}

enum commcache_save_status commcache_save(struct commcache *cache, pid_t tid,
		const struct commcache_comm *comm,
		struct commcache_comm *prev)
{
	uintptr_t word = __atomic_load_n(&cache->table, __ATOMIC_ACQUIRE);

	if (likely(tid > 0 && !backlog_waiting(&cache->backlog_state) &&
			slot_holds(table_word_home(word, tid), tid, comm)))
		return COMMCACHE_SAVE_UNCHANGED;
	return save_slowly(cache, tid, comm, prev);
}

/* The idle threads share tid 0 and are called swapper; none is kept. */
static enum commcache_save_status save_unless_idle(struct commcache *cache,
		pid_t tid, const struct commcache_comm *comm)
{
	if (tid == 0)
		return COMMCACHE_SAVE_UNCHANGED;
	return save_slowly(cache, tid, comm, NULL);
}

/* Prev is not at home with this name, or changes wait. */
static __attribute__((noinline))
struct commcache_switch_status switch_slowly(struct commcache *cache,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm)
{
	struct commcache_switch_status status;
	uintptr_t word;

	status.prev = save_unless_idle(cache, prev_tid, prev_comm);
	word = __atomic_load_n(&cache->table, __ATOMIC_ACQUIRE);
	if (likely(!backlog_waiting(&cache->backlog_state) &&
			slot_holds(table_word_home(word, next_tid), next_tid,
				next_comm)))
		status.next = COMMCACHE_SAVE_UNCHANGED;
	else
		status.next = save_unless_idle(cache, next_tid, next_comm);
	return status;
}

/* Only next is not. */
static __attribute__((noinline))
struct commcache_switch_status switch_next_slowly(struct commcache *cache,
		pid_t next_tid, const struct commcache_comm *next_comm)
{
	return (struct commcache_switch_status) {
		.prev = COMMCACHE_SAVE_UNCHANGED,
		.next = save_unless_idle(cache, next_tid, next_comm),
	};
}

/*
 * No slot is of a tid below 1, but an empty one seems to be of tid 0: that is
 * the idle thread's, for which nothing is done either.
 */
struct commcache_switch_status commcache_sched_switch(
		struct commcache *cache,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm)
{
	const struct commcache_switch_status unchanged = {
		.prev = COMMCACHE_SAVE_UNCHANGED,
		.next = COMMCACHE_SAVE_UNCHANGED,
	};
	const struct cache_slot *prev, *next;
	uintptr_t word;

	if (!likely(!backlog_waiting(&cache->backlog_state)))
		return switch_slowly(cache, prev_tid, prev_comm,
				next_tid, next_comm);
	word = __atomic_load_n(&cache->table, __ATOMIC_ACQUIRE);
	prev = table_word_home(word, prev_tid);
	next = table_word_home(word, next_tid);
	if (!likely(slot_holds(prev, prev_tid, prev_comm)))
		return switch_slowly(cache, prev_tid, prev_comm,
				next_tid, next_comm);
	if (!likely(slot_holds(next, next_tid, next_comm)))
		return switch_next_slowly(cache, next_tid, next_comm);
	return unchanged;
}
