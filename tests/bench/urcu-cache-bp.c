/* SPDX-License-Identifier: MIT */

/* The readers' side in the code, not called. */
#define URCU_INLINE_SMALL_FUNCTIONS
#define URCU_API_MAP
#include <urcu/urcu-bp.h>

#include "urcu-cache-flavor.h"
#include "urcu-cache.h"

struct commcache *urcu_bp_cache_create(size_t capacity)
{
	return create(capacity);
}

void urcu_bp_cache_destroy(struct commcache *cache)
{
	destroy(cache);
}

struct commcache_switch_status urcu_bp_cache_switch(struct commcache *cache,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm)
{
	return save_switch(cache, prev_tid, prev_comm, next_tid, next_comm);
}

bool urcu_bp_cache_find(struct commcache *cache, pid_t tid,
		struct commcache_comm *comm)
{
	return find(cache, tid, comm);
}
