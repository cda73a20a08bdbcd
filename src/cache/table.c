/* SPDX-License-Identifier: MIT */

#include "table.h"

uint32_t table_bits_for(size_t capacity)
{
	uint32_t bits = TABLE_MIN_BITS;

	while (((size_t) 1 << bits) < 2 * capacity)
		bits++;
	return bits;
}

size_t table_bytes(uint32_t bits)
{
	return sizeof(struct cache_slot) << bits;
}

/* Stored whole: commcache_get_stats() reads it at any time. */
static void order_count(struct table_order *order, int32_t difference)
{
	__atomic_store_n(&order->threads, order->threads + difference,
			__ATOMIC_RELAXED);
}

static void order_insert(struct cache_slot *slots, struct table_order *order,
		uint32_t index)
{
	slots[index].newer = TABLE_NO_SLOT;
	slots[index].older = order->newest;
	if (order->newest == TABLE_NO_SLOT)
		order->oldest = index;
	else
		slots[order->newest].newer = index;
	order->newest = index;
}

static void order_remove(struct cache_slot *slots, struct table_order *order,
		uint32_t index)
{
	uint32_t newer = slots[index].newer;
	uint32_t older = slots[index].older;

	if (newer == TABLE_NO_SLOT)
		order->newest = older;
	else
		slots[newer].older = older;
	if (older == TABLE_NO_SLOT)
		order->oldest = newer;
	else
		slots[older].newer = newer;
}

uint32_t table_find(const struct cache_table *table, uint32_t tid)
{
	const struct cache_slot *slot;
	uint32_t distance;

	for (distance = 0; distance <= table->reach; distance++) {
		slot = table_slot(table, tid, distance);
		if (slot_key_tid(slot->key) == tid)
			return slot - table->slots;
	}
	return TABLE_NO_SLOT;
}

void table_add(struct cache_table *table, struct table_order *order,
		uint64_t key, const struct commcache_comm *comm)
{
	uint32_t tid = slot_key_tid(key);
	struct cache_slot *slot;
	uint32_t distance = 0;

	while ((slot = table_slot(table, tid, distance))->key)
		distance++;
	/* Before the slot is seen, so that readers look that far. */
	if (distance > table->reach)
		__atomic_store_n(&table->reach, distance, __ATOMIC_RELEASE);
	slot_fill(slot, key, comm);
	order_insert(table->slots, order, slot - table->slots);
	order_count(order, 1);
}

void table_remove(struct cache_table *table, struct table_order *order,
		uint32_t index)
{
	order_remove(table->slots, order, index);
	order_count(order, -1);
	slot_store_key(&table->slots[index], 0);
}

void table_renew(struct cache_table *table, struct table_order *order,
		uint32_t index)
{
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
	for (index = 0; index < UINT32_C(1) << table->bits; index++) {
		if (!table->slots[index].key)
			continue;
		order_insert(table->slots, order, index);
		order_count(order, 1);
	}
}
