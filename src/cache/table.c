/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "table.h"

uint32_t table_bits_for(size_t capacity)
{
	uint32_t bits = TABLE_MIN_BITS;

	while (table_capacity(bits) < capacity)
		bits++;
	return bits;
}

size_t table_capacity(uint32_t bits)
{
	return ((size_t) 1 << bits) / 5 * 4;
}

size_t table_bytes(uint32_t bits)
{
	return (sizeof(struct cache_slot) + 2 * sizeof(uint32_t)) << bits;
}

/* With each thread that comes, so many places are looked at for gaps. */
#define CLOSE_PLACES	4

static inline uint32_t order_length(const struct cache_table *table)
{
	return 2 * table_length(table);
}

/* What is there: a slot's index, counted from 1; 0 is a gap. */
static inline uint32_t *order_at(const struct cache_table *table,
		uint32_t place)
{
	uint32_t *ring = (uint32_t *) (table->slots + table_length(table));

	return &ring[place & (order_length(table) - 1)];
}

static inline bool is_before(uint32_t place, uint32_t other)
{
	return (int32_t) (place - other) < 0;
}

/* Stored whole: commcache_get_stats() reads it at any time. */
static inline void order_count(struct table_order *order, int32_t difference)
{
	__atomic_store_n(&order->threads, order->threads + difference,
			__ATOMIC_RELAXED);
}

static inline void order_put(struct cache_table *table, uint32_t place,
		uint32_t content)
{
	*order_at(table, place) = content;
	table->slots[content - 1].place = place;
}

static inline void order_append(struct cache_table *table,
		struct table_order *order, struct cache_slot *slot)
{
	order_put(table, order->next, slot - table->slots + 1);
	order->next++;
	order_count(order, 1);
}

/* The first one leaves no gap. */
static inline void order_take_out(struct cache_table *table,
		struct table_order *order, struct cache_slot *slot)
{
	*order_at(table, slot->place) = 0;
	if (order->oldest == slot->place)
		order->oldest++;
	order_count(order, -1);
}

static void close_some_gaps(struct cache_table *table,
		struct table_order *order)
{
	uint32_t content;
	int i;

	if (is_before(order->closed, order->oldest))
		order->closed = order->oldest;
	if (is_before(order->open, order->closed))
		order->open = order->closed;
	for (i = 0; i < CLOSE_PLACES && order->open != order->next; i++) {
		content = *order_at(table, order->open);
		if (content) {
			*order_at(table, order->open) = 0;
			order_put(table, order->closed++, content);
		}
		order->open++;
	}
	if (order->open == order->next) {
		order->next = order->closed;
		order->is_closing = false;
	}
}

/*
 * At three quarters, four places for each thread are enough: the last gap is
 * closed before the last place is taken.
 */
static inline void close_gaps(struct cache_table *table,
		struct table_order *order)
{
	if (likely(!order->is_closing)) {
		if (likely(order->next - order->oldest <
				order_length(table) / 4 * 3))
			return;
		order->is_closing = true;
		order->closed = order->oldest;
		order->open = order->oldest;
	}
	close_some_gaps(table, order);
}

void table_add(struct cache_table *table, struct table_order *order,
		uint64_t key, const struct commcache_comm *comm)
{
	uint32_t index = table_home(table, slot_key_tid(key));
	uint32_t mask = table_length(table) - 1;
	struct cache_slot *slot;

	/* Readers look past a slot before there is something behind it. */
	while ((slot = &table->slots[index])->key) {
		slot_set_passed(slot, slot->passed + 1);
		index = (index + 1) & mask;
	}
	slot_fill(slot, key, comm);
	close_gaps(table, order);
	order_append(table, order, slot);
}

void table_remove(struct cache_table *table, struct table_order *order,
		struct cache_slot *removed)
{
	uint32_t index = table_home(table, slot_key_tid(removed->key));
	uint32_t mask = table_length(table) - 1;
	struct cache_slot *slot;

	order_take_out(table, order, removed);
	slot_store_key(removed, 0);
	while ((slot = &table->slots[index]) != removed) {
		slot_set_passed(slot, slot->passed - 1);
		index = (index + 1) & mask;
	}
}

struct cache_slot *table_next(const struct cache_table *table,
		const struct table_order *order, uint32_t *place)
{
	uint32_t content = 0;

	while (!content && *place != order->next)
		content = *order_at(table, (*place)++);
	return content ? &table->slots[content - 1] : NULL;
}

void table_set_order(struct table_order *order, const struct table_order *now)
{
	order->oldest = now->oldest;
	order->next = now->next;
	order->is_closing = now->is_closing;
	order->closed = now->closed;
	order->open = now->open;
	order_count(order, (int32_t) (now->threads - order->threads));
}

void table_reorder(struct cache_table *table, struct table_order *order)
{
	struct table_order anew = { .threads = 0 };
	uint32_t index;

	memset(order_at(table, 0), 0, order_length(table) * sizeof(uint32_t));
	for (index = 0; index < table_length(table); index++) {
		if (table->slots[index].key)
			order_append(table, &anew, &table->slots[index]);
	}
	table_set_order(order, &anew);
}
