/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_BENCH_URCU_CACHE_H
#define COMMCACHE_TESTS_BENCH_URCU_CACHE_H

/*
 * What somebody would pick instead: liburcu's hash table of tids, a name in a
 * node of its own that is replaced whole, and a ring of tids, so that who came
 * first makes room. Once with urcu-bp, which registers threads by itself, and
 * once with urcu-memb, whose threads register themselves.
 *
 * The functions' types are the cache's own, as of all that is measured.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <commcache/cache.h>

/* NULL if there is no memory. */
struct commcache *urcu_bp_cache_create(size_t capacity);
void urcu_bp_cache_destroy(struct commcache *cache);
struct commcache_switch_status urcu_bp_cache_switch(struct commcache *cache,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm);
bool urcu_bp_cache_find(struct commcache *cache, pid_t tid,
		struct commcache_comm *comm);

struct commcache *urcu_memb_cache_create(size_t capacity);
void urcu_memb_cache_destroy(struct commcache *cache);
struct commcache_switch_status urcu_memb_cache_switch(struct commcache *cache,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm);
bool urcu_memb_cache_find(struct commcache *cache, pid_t tid,
		struct commcache_comm *comm);

/* Around what another thread does with it. */
void urcu_memb_cache_begin_thread(void);
void urcu_memb_cache_end_thread(void);

#endif /* COMMCACHE_TESTS_BENCH_URCU_CACHE_H */
