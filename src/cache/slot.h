/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_SRC_CACHE_SLOT_H
#define COMMCACHE_SRC_CACHE_SLOT_H

/*
 * A slot: a thread and its name, read without a lock and without a store.
 *
 * The key says which thread the slot is of, and which change wrote it:
 *
 *	63            32 31       30           0
 *	| change number | renaming |    tid     |	0: empty
 *
 * Change numbers are of the whole cache and never used twice (but for a wrap
 * at 2^32), so a reader who finds the same key before and after it read the
 * name knows that the name is of that key: nobody wrote meanwhile, and nobody
 * gave the slot's memory away and back.
 *
 * Every store of a change is a release and every load of a reader but the
 * last an acquire. So a reader who has seen any store of a change also sees,
 * when it loads the key again, what was stored there before it.
 */

#include <stdbool.h>
#include <stdint.h>

#include <commcache/cache.h>

#define SLOT_TID_MASK	UINT32_C(0x7fffffff)
/* The name is being replaced: it is to be read in the slot_rename. */
#define SLOT_RENAMING	(UINT32_C(1) << 31)

struct cache_slot {
	uint64_t key __attribute__((aligned(8)));
	uint64_t half[2];
	/* The thread's place in the order; used by the lock's holder alone. */
	uint32_t place;
	/*
	 * How many threads are in slots further from their home than this one,
	 * which they passed over: a search goes on if there are any.
	 */
	uint32_t passed;
};

_Static_assert(sizeof(struct cache_slot) == 32,
		"the header promises 32 bytes a slot");
_Static_assert(__atomic_always_lock_free(sizeof(uint64_t), 0),
		"a lock in libatomic would not be safe in a signal handler");

/*
 * The name of the one slot that is being renamed. Readers take it from here
 * rather than wait until the slot is whole again; and a child process whose
 * parent forked in the middle of a rename finishes the rename from here.
 */
struct slot_rename {
	uint64_t half[2];
};

static inline bool likely(bool condition)
{
	return __builtin_expect(condition, true);
}

static inline uint64_t slot_key(uint32_t number, uint32_t tid)
{
	return (uint64_t) number << 32 | tid;
}

static inline uint32_t slot_key_tid(uint64_t key)
{
	return (uint32_t) key & SLOT_TID_MASK;
}

/* Whether the slot is tid's, with this name, and nobody is changing it. */
static inline bool slot_holds(const struct cache_slot *slot, uint32_t tid,
		const struct commcache_comm *comm)
{
	uint64_t key = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);

	return likely((uint32_t) key == tid) &&
			likely(__atomic_load_n(&slot->half[0],
				__ATOMIC_ACQUIRE) == comm->half[0]) &&
			likely(__atomic_load_n(&slot->half[1],
				__ATOMIC_ACQUIRE) == comm->half[1]) &&
			likely(__atomic_load_n(&slot->key,
				__ATOMIC_RELAXED) == key);
}

/* The name under a key that was just loaded; false if it changed meanwhile. */
static inline bool slot_read(const struct cache_slot *slot, uint64_t key,
		const struct slot_rename *rename, struct commcache_comm *comm)
{
	const uint64_t *half = key & SLOT_RENAMING ? rename->half : slot->half;

	comm->half[0] = __atomic_load_n(&half[0], __ATOMIC_ACQUIRE);
	comm->half[1] = __atomic_load_n(&half[1], __ATOMIC_ACQUIRE);
	return key == __atomic_load_n(&slot->key, __ATOMIC_RELAXED);
}

static inline void slot_store_half(uint64_t half[2],
		const struct commcache_comm *comm)
{
	__atomic_store_n(&half[0], comm->half[0], __ATOMIC_RELEASE);
	__atomic_store_n(&half[1], comm->half[1], __ATOMIC_RELEASE);
}

static inline void slot_store_key(struct cache_slot *slot, uint64_t key)
{
	__atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
}

/* Nobody may take the slot for what it was. */
static inline void slot_fill(struct cache_slot *slot, uint64_t key,
		const struct commcache_comm *comm)
{
	slot_store_half(slot->half, comm);
	slot_store_key(slot, key);
}

static inline void slot_set_name(struct cache_slot *slot, uint64_t key,
		struct slot_rename *rename, const struct commcache_comm *comm)
{
	slot_store_half(rename->half, comm);
	/* From here on the thread bears the new name. */
	slot_store_key(slot, key | SLOT_RENAMING);
	slot_store_half(slot->half, comm);
	slot_store_key(slot, key);
}

static inline uint32_t slot_passed(const struct cache_slot *slot)
{
	return __atomic_load_n(&slot->passed, __ATOMIC_ACQUIRE);
}

static inline void slot_set_passed(struct cache_slot *slot, uint32_t passed)
{
	__atomic_store_n(&slot->passed, passed, __ATOMIC_RELEASE);
}

#endif /* COMMCACHE_SRC_CACHE_SLOT_H */
