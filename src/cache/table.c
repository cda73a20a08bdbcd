/* SPDX-License-Identifier: MIT */

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
	return sizeof(struct cache_slot) << bits;
}

/* Stored whole: commcache_get_stats() reads it at any time. */
static inline void order_count(struct table_order *order, int32_t difference)
{
	__atomic_store_n(&order->threads, order->threads + difference,
			__ATOMIC_RELAXED);
}

static inline void order_insert(struct cache_slot *slots,
		struct table_order *order, uint32_t index)
{
	slots[index].newer = TABLE_NO_SLOT;
	slot_set_older(&slots[index], order->newest);
	if (order->newest == TABLE_NO_SLOT)
		order->oldest = index;
	else
		slots[order->newest].newer = index;
	order->newest = index;
}

static inline void order_remove(struct cache_slot *slots,
		struct table_order *order, uint32_t index)
{
	uint32_t newer = slots[index].newer;
	uint32_t older = slot_older(&slots[index]);

	if (newer == TABLE_NO_SLOT)
		order->newest = older;
	else
		slot_set_older(&slots[newer], older);
	if (older == TABLE_NO_SLOT)
		order->oldest = newer;
	else
		slots[older].newer = newer;
}

void table_add(struct cache_table *table, struct table_order *order,
		uint64_t key, const struct commcache_comm *comm)
{
	uint32_t index = table_home(table, slot_key_tid(key));
	uint32_t mask = table_length(table) - 1;
	struct cache_slot *slot;
	uint32_t passed;

	/* Readers look past a slot before there is something behind it. */
	while ((slot = &table->slots[index])->key) {
		passed = slot_passed(slot);
		if (passed < SLOT_PASSED_MAX)
			slot_set_passed(slot, passed + 1);
		index = (index + 1) & mask;
	}
	slot_fill(slot, key, comm);
	order_insert(table->slots, order, index);
	order_count(order, 1);
}

void table_remove(struct cache_table *table, struct table_order *order,
		struct cache_slot *removed)
{
	uint32_t index = table_home(table, slot_key_tid(removed->key));
	uint32_t mask = table_length(table) - 1;
	struct cache_slot *slot;
	uint32_t passed;

	order_remove(table->slots, order, removed - table->slots);
	order_count(order, -1);
	slot_store_key(removed, 0);
	while ((slot = &table->slots[index]) != removed) {
		passed = slot_passed(slot);
		/* What was too many to count is never known to be none. */
		if (passed < SLOT_PASSED_MAX)
			slot_set_passed(slot, passed - 1);
		index = (index + 1) & mask;
	}
}

void table_renew(struct cache_table *table, struct table_order *order,
		struct cache_slot *slot)
{
	uint32_t index = slot - table->slots;

	if (order->newest == index)
		return;
	order_remove(table->slots, order, index);
	order_insert(table->slots, order, index);
}

void table_reorder(struct cache_table *table, struct table_order *order)
{
	uint32_t index;

	order->newest = TABLE_NO_SLOT;
	order->oldest = TABLE_NO_SLOT;
	order->threads = 0;
	for (index = 0; index < table_length(table); index++) {
		if (!table->slots[index].key)
			continue;
		order_insert(table->slots, order, index);
		order_count(order, 1);
	}
}
