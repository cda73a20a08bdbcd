/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_SRC_CACHE_MEMORY_H
#define COMMCACHE_SRC_CACHE_MEMORY_H

/*
 * The cache's memory: zeroed pages straight from the kernel, because malloc
 * must not be called in a signal handler, and because a page can be given
 * back while its addresses stay readable, as zeros.
 */

#include <stddef.h>

/*
 * For tests: called with each range mapped from now on, if set. Not for
 * changing while another thread maps.
 */
extern void (*cache_memory_mapped)(void *address, size_t size);

/* size rounded up to whole pages. */
size_t cache_memory_size(size_t size);

/* NULL if there is no memory. errno is kept. */
void *cache_memory_map(size_t size);

/* Give the pages back; the range stays mapped and reads as zeros. */
void cache_memory_discard(void *address, size_t size);

void cache_memory_unmap(void *address, size_t size);

#endif /* COMMCACHE_SRC_CACHE_MEMORY_H */
