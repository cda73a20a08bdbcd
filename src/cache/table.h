/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_SRC_CACHE_TABLE_H
#define COMMCACHE_SRC_CACHE_TABLE_H

/*
 * A table: slots found by tid, with linear probing.
 *
 * A thread's slot stays where it is as long as the thread is kept in this
 * table. So a reader who passes over all places where a tid may be, and does
 * not see it, knows that there was a moment in which it was not kept.
 *
 * A cache has one address range for each size of table and keeps it until it
 * is destroyed; memory lies behind the range in use alone. A reader may be
 * late and read in a range that was discarded: it sees zeros, or the slots of
 * a later use under other keys, and the count of discards has changed.
 */

#include <stddef.h>
#include <stdint.h>

#include "slot.h"

/* 128 slots fill a page of 4096 bytes. */
#define TABLE_MIN_BITS	7
#define TABLE_MAX_BITS	27
#define TABLE_SIZES	(TABLE_MAX_BITS - TABLE_MIN_BITS + 1)

#define TABLE_NO_SLOT	UINT32_MAX

struct cache_table {
	/* Owned by this; 2^bits slots, NULL if never used. */
	struct cache_slot *slots;
	uint64_t discards;
	/* No slot is further than this from its tid's home. */
	uint32_t reach;
	uint32_t bits;
};

/* The slots in use of a table, by age; used by the lock's holder alone. */
struct table_order {
	uint32_t newest;
	uint32_t oldest;
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

static inline struct cache_slot *table_slot(const struct cache_table *table,
		uint32_t tid, uint32_t distance)
{
	uint32_t home = table_hash(tid) >> (32 - table->bits);

	return &table->slots[(home + distance) &
			((UINT32_C(1) << table->bits) - 1)];
}

/* The smallest table that holds so many threads at most half full. */
uint32_t table_bits_for(size_t capacity);
size_t table_bytes(uint32_t bits);

/*
 * The rest is for the lock's holder.
 */

/* TABLE_NO_SLOT if tid is not in the table. */
uint32_t table_find(const struct cache_table *table, uint32_t tid);

/* tid must not be in the table, and the table not full. */
void table_add(struct cache_table *table, struct table_order *order,
		uint64_t key, const struct commcache_comm *comm);
void table_remove(struct cache_table *table, struct table_order *order,
		uint32_t index);

/* Make the slot the newest. */
void table_renew(struct cache_table *table, struct table_order *order,
		uint32_t index);

/*
 * Make the order anew of the slots alone. The threads' ages are lost.
 */
void table_reorder(struct cache_table *table, struct table_order *order);

#endif /* COMMCACHE_SRC_CACHE_TABLE_H */
