/* SPDX-License-Identifier: MIT */

#include <stddef.h>

#include "backlog.h"

/* In a cell: the thread is to be forgotten. */
#define CELL_FORGET	SLOT_RENAMING

static uint32_t state_next(backlog_state state)
{
	return state >> 32;
}

static uint32_t state_waiting(backlog_state state)
{
	return (uint32_t) state;
}

static uint32_t key_ticket(uint64_t key)
{
	return key >> 32;
}

static const struct cache_slot *backlog_cell(
		const struct cache_backlog *backlog, uint32_t ticket)
{
	return &backlog->cells[ticket % BACKLOG_CELLS];
}

static bool ticket_waits(const backlog_state *state, uint32_t ticket)
{
	backlog_state now = __atomic_load_n(state, __ATOMIC_ACQUIRE);

	return state_next(now) - ticket <= state_waiting(now);
}

enum backlog_result backlog_find(const struct cache_backlog *backlog,
		const backlog_state *state, uint32_t tid,
		struct commcache_comm *comm)
{
	backlog_state now = __atomic_load_n(state, __ATOMIC_ACQUIRE);
	const struct cache_slot *cell;
	uint32_t back, ticket;
	uint64_t key;

	for (back = 1; back <= state_waiting(now); back++) {
		ticket = state_next(now) - back;
		cell = backlog_cell(backlog, ticket);
		key = __atomic_load_n(&cell->key, __ATOMIC_ACQUIRE);
		if (key_ticket(key) != ticket || slot_key_tid(key) != tid)
			continue;
		comm->half[0] = __atomic_load_n(&cell->half[0],
				__ATOMIC_ACQUIRE);
		comm->half[1] = __atomic_load_n(&cell->half[1],
				__ATOMIC_ACQUIRE);
		/*
		 * If this change still waits, so do all that came after it,
		 * and none of them was of this tid when we looked.
		 */
		if (!ticket_waits(state, ticket))
			return BACKLOG_MOVED;
		return key & CELL_FORGET ? BACKLOG_FORGOTTEN : BACKLOG_SAVED;
	}
	return BACKLOG_NONE;
}

bool backlog_add(struct cache_backlog *backlog, backlog_state *state,
		uint32_t tid, const struct commcache_comm *comm)
{
	static const struct commcache_comm none;
	backlog_state now = __atomic_load_n(state, __ATOMIC_RELAXED);
	struct cache_slot *cell;
	uint32_t ticket;

	do {
		if (state_waiting(now) == BACKLOG_CELLS)
			return false;
	} while (!__atomic_compare_exchange_n(state, &now,
			now + (UINT64_C(1) << 32) + 1, false,
			__ATOMIC_ACQ_REL, __ATOMIC_RELAXED));

	ticket = state_next(now);
	/*
	 * Who still reads the change that was here will see that it does not
	 * wait any more.
	 */
	cell = &backlog->cells[ticket % BACKLOG_CELLS];
	if (comm)
		slot_fill(cell, slot_key(ticket, tid), comm);
	else
		slot_fill(cell, slot_key(ticket, tid) | CELL_FORGET, &none);
	return true;
}

bool backlog_oldest(const struct cache_backlog *backlog,
		const backlog_state *state, uint32_t *tid,
		struct commcache_comm *comm, bool *forget)
{
	backlog_state now = __atomic_load_n(state, __ATOMIC_ACQUIRE);
	const struct cache_slot *cell;
	uint32_t ticket;
	uint64_t key;

	if (!state_waiting(now))
		return false;
	ticket = state_next(now) - state_waiting(now);
	cell = backlog_cell(backlog, ticket);
	key = __atomic_load_n(&cell->key, __ATOMIC_ACQUIRE);
	if (key_ticket(key) != ticket || !slot_key_tid(key))
		return false;
	*tid = slot_key_tid(key);
	*forget = key & CELL_FORGET;
	comm->half[0] = __atomic_load_n(&cell->half[0], __ATOMIC_RELAXED);
	comm->half[1] = __atomic_load_n(&cell->half[1], __ATOMIC_RELAXED);
	return true;
}

void backlog_done(backlog_state *state)
{
	__atomic_fetch_sub(state, 1, __ATOMIC_ACQ_REL);
}
