/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_SRC_CACHE_TABLE_H
#define COMMCACHE_SRC_CACHE_TABLE_H

/*
 * A table: slots found by tid, with linear probing.
 *
 * A thread's slot stays where it is as long as the thread is kept in this
 * table, and all that time the slots before it say that it passed over them.
 * So a reader who searches in vain knows that there was a moment in which the
 * thread was not kept.
 *
 * A cache has one address range for each size of table and keeps it until it
 * is destroyed; memory lies behind the range in use alone. A reader may be
 * late and read in a range that was discarded: it sees zeros, or the slots of
 * a later use under other keys, and the count of discards has changed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slot.h"

/* 128 slots fill a page of 4096 bytes. */
#define TABLE_MIN_BITS	7
/* This has room for each tid that Linux can give (2^22). */
#define TABLE_MAX_BITS	23
#define TABLE_SIZES	(TABLE_MAX_BITS - TABLE_MIN_BITS + 1)

struct cache_table {
	/*
	 * Owned by this; 2^bits slots, and behind them the order. NULL if never
	 * used.
	 */
	struct cache_slot *slots;
	uint64_t discards __attribute__((aligned(8)));
	/* Of its size, from the cache's beginning. */
	uint32_t bits;
};

/*
 * Who came first: a ring of the table's slots, in which each new thread takes
 * the next place and a thread that goes leaves a gap. Used by the lock's holder
 * alone.
 *
 * Places are counted on and on. The ring is twice as long as the table, so
 * that less than half of it is in use; before it is full of gaps, they are
 * closed, a few places with each thread that comes, so that no change takes
 * long.
 */
struct table_order {
	/* No thread has a place before it. */
	uint32_t oldest;
	/* Of the next thread. */
	uint32_t next;
	/* Gaps are being closed: from `closed` up to `open` there is no one. */
	bool is_closing;
	uint32_t closed;
	uint32_t open;

	uint32_t threads;
};

/*
 * What a reader needs of the table in one word, so that it cannot see one
 * part of an old table and another of a new one: slots is page-aligned, and
 * its low bits bear the shift which makes a slot's index of a hash.
 */
#define TABLE_WORD_SHIFT	31

static inline uintptr_t table_word(const struct cache_table *table)
{
	return (uintptr_t) table->slots | (32 - table->bits);
}

static inline uint32_t table_word_bits(uintptr_t word)
{
	return 32 - (word & TABLE_WORD_SHIFT);
}

/*
 * Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4): the golden
 * ratio spreads tids given in sequence, as the kernel gives them, evenly.
 */
static inline uint32_t table_hash(uint32_t tid)
{
	return tid * UINT32_C(0x9e3779b1);
}

static inline struct cache_slot *table_word_home(uintptr_t word, uint32_t tid)
{
	return (struct cache_slot *) (word & ~(uintptr_t) TABLE_WORD_SHIFT) +
			(table_hash(tid) >> (word & TABLE_WORD_SHIFT));
}

static inline uint32_t table_length(const struct cache_table *table)
{
	return UINT32_C(1) << table->bits;
}

static inline uint32_t table_home(const struct cache_table *table,
		uint32_t tid)
{
	return table_hash(tid) >> (32 - table->bits);
}

/*
 * The slot of tid, and its key; NULL if there is none. For everybody; bounded,
 * even if the slots change all the time.
 */
static inline struct cache_slot *table_search(const struct cache_table *table,
		uint32_t tid, uint64_t *key)
{
	uint32_t mask = table_length(table) - 1;
	uint32_t home = table_home(table, tid);
	struct cache_slot *slot;
	uint32_t distance;

	for (distance = 0; distance <= mask; distance++) {
		slot = &table->slots[(home + distance) & mask];
		*key = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);
		if (slot_key_tid(*key) == tid)
			return slot;
		if (!slot_passed(slot))
			break;
	}
	return NULL;
}

/*
 * A table is at most four fifths full: fuller, searches get long; emptier,
 * many threads take more cache lines than they need to.
 */
size_t table_capacity(uint32_t bits);

/* The smallest table that holds so many threads. */
uint32_t table_bits_for(size_t capacity);
size_t table_bytes(uint32_t bits);

/*
 * The rest is for the lock's holder.
 */

/* tid must not be in the table, and the table not full. */
void table_add(struct cache_table *table, struct table_order *order,
		uint64_t key, const struct commcache_comm *comm);
void table_remove(struct cache_table *table, struct table_order *order,
		struct cache_slot *slot);

/* Who came first of those after *place, which is moved on; NULL: no one. */
struct cache_slot *table_next(const struct cache_table *table,
		const struct table_order *order, uint32_t *place);

/* Of another table, which takes the place of the one before. */
void table_set_order(struct table_order *order, const struct table_order *now);

/* Make the order anew of the slots alone. The threads' ages are lost. */
void table_reorder(struct cache_table *table, struct table_order *order);

#endif /* COMMCACHE_SRC_CACHE_TABLE_H */
