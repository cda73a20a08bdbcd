/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_BENCH_URCU_CACHE_FLAVOR_H
#define COMMCACHE_TESTS_BENCH_URCU_CACHE_FLAVOR_H

/*
 * The cache on liburcu, for the flavor whose header was included before with
 * URCU_API_MAP, which names its functions alike.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <urcu/rculfhash.h>

#include <commcache/cache.h>

struct urcu_cache {
	/* Owned by this. */
	struct cds_lfht *threads;
	size_t capacity;
	size_t next;
	/* Owned by this. The tids that came last; 0: none. */
	pid_t *ring;
};

/* Owned by the table; after that by call_rcu(). */
struct urcu_cache_thread {
	struct cds_lfht_node node;
	struct rcu_head head;
	pid_t tid;
	struct commcache_comm comm;
};

static inline unsigned long hash_of(pid_t tid)
{
	return (uint32_t) tid * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static inline struct urcu_cache_thread *thread_of(struct cds_lfht_node *node)
{
	return caa_container_of(node, struct urcu_cache_thread, node);
}

static int has_tid(struct cds_lfht_node *node, const void *tid)
{
	return thread_of(node)->tid == *(const pid_t *) tid;
}

static void free_thread(struct rcu_head *head)
{
	free(caa_container_of(head, struct urcu_cache_thread, head));
}

/* Within a read-side section, as all below. */
static inline struct cds_lfht_node *find_node(struct urcu_cache *cache,
		pid_t tid)
{
	struct cds_lfht_iter iter;

	cds_lfht_lookup(cache->threads, hash_of(tid), has_tid, &tid, &iter);
	return cds_lfht_iter_get_node(&iter);
}

static void remove_tid(struct urcu_cache *cache, pid_t tid)
{
	struct cds_lfht_node *node = find_node(cache, tid);

	if (node && !cds_lfht_del(cache->threads, node))
		call_rcu(&thread_of(node)->head, free_thread);
}

/* Who came first makes room. */
static void take_place(struct urcu_cache *cache, pid_t tid)
{
	size_t place = uatomic_add_return(&cache->next, 1) % cache->capacity;
	pid_t oldest = uatomic_xchg(&cache->ring[place], tid);

	if (oldest)
		remove_tid(cache, oldest);
}

static void change(struct urcu_cache *cache, pid_t tid,
		const struct commcache_comm *comm)
{
	struct urcu_cache_thread *thread = malloc(sizeof(*thread));
	struct cds_lfht_node *old;

	if (!thread)
		return;
	cds_lfht_node_init(&thread->node);
	thread->tid = tid;
	thread->comm = *comm;
	old = cds_lfht_add_replace(cache->threads, hash_of(tid), has_tid, &tid,
			&thread->node);
	if (old)
		call_rcu(&thread_of(old)->head, free_thread);
	else
		take_place(cache, tid);
}

static inline void save(struct urcu_cache *cache, pid_t tid,
		const struct commcache_comm *comm)
{
	struct cds_lfht_node *node;

	if (!tid)
		return;
	rcu_read_lock();
	node = find_node(cache, tid);
	if (!node || !commcache_comm_equal(&thread_of(node)->comm, comm))
		change(cache, tid, comm);
	rcu_read_unlock();
}

static struct commcache_switch_status save_switch(struct commcache *cache,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm)
{
	static const struct commcache_switch_status nothing_told;

	save((void *) cache, prev_tid, prev_comm);
	save((void *) cache, next_tid, next_comm);
	return nothing_told;
}

static bool find(struct commcache *cache, pid_t tid,
		struct commcache_comm *comm)
{
	struct cds_lfht_node *node;

	rcu_read_lock();
	node = find_node((void *) cache, tid);
	if (node)
		*comm = thread_of(node)->comm;
	rcu_read_unlock();
	return node;
}

static struct commcache *create(size_t capacity)
{
	struct urcu_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		goto error;
	cache->capacity = capacity;
	cache->ring = calloc(capacity, sizeof(*cache->ring));
	cache->threads = cds_lfht_new(64, 64, 0, CDS_LFHT_AUTO_RESIZE, NULL);
	if (!cache->ring || !cache->threads)
		goto error_free;
	return (void *) cache;

error_free:
	if (cache->threads)
		cds_lfht_destroy(cache->threads, NULL);
	free(cache->ring);
	free(cache);
error:
	return NULL;
}

static void destroy(struct commcache *data)
{
	struct urcu_cache *cache = (void *) data;
	size_t i;

	rcu_read_lock();
	for (i = 0; i < cache->capacity; i++) {
		if (cache->ring[i])
			remove_tid(cache, cache->ring[i]);
	}
	rcu_read_unlock();
	rcu_barrier();
	cds_lfht_destroy(cache->threads, NULL);
	free(cache->ring);
	free(cache);
}

#endif /* COMMCACHE_TESTS_BENCH_URCU_CACHE_FLAVOR_H */
