/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_COMMS_H
#define COMMCACHE_HISTORY_COMMS_H

/*
 * Each different comm once: a change then holds four bytes of name, equal names
 * are equal ids, and an answer needs no copy.
 */

#include <commcache/cache.h>

/* The id of the unknown name. */
#define COMM_UNKNOWN 0

struct comms {
	/* Owned by this: blocks of comms, so that a comm never moves. */
	struct commcache_comm **blocks;
	uint32_t block_count;
	uint32_t count;
	/* Owned by this: open addressing, ids; 0 is a free slot. */
	uint32_t *slots;
	uint32_t slot_count;
	/* Names come from strangers: no one may foresee which ones collide. */
	uint64_t seed;
	/* Weak, owned by the history. */
	uint64_t *bytes;
};

/* False: no memory. */
bool comms_init(struct comms *comms, uint64_t *bytes);
void comms_fini(struct comms *comms);

/* The comm's id; COMM_UNKNOWN: no memory. */
uint32_t comms_intern(struct comms *comms, const struct commcache_comm *comm);

#define COMMS_BLOCK_SHIFT 8
#define COMMS_BLOCK_COUNT (1U << COMMS_BLOCK_SHIFT)

static inline const struct commcache_comm *comms_get(const struct comms *comms,
		uint32_t id)
{
	return &comms->blocks[id >> COMMS_BLOCK_SHIFT]
			[id & (COMMS_BLOCK_COUNT - 1)];
}

#endif /* COMMCACHE_HISTORY_COMMS_H */
