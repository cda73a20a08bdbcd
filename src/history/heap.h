/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_HEAP_H
#define COMMCACHE_HISTORY_HEAP_H

/*
 * Heap memory, counted: what a history uses is one of its promises.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As realloc(); NULL leaves the block as it was. */
static inline void *heap_resize(uint64_t *bytes, void *block, size_t from,
		size_t to)
{
	void *resized = realloc(block, to);

	if (resized)
		*bytes = *bytes - from + to;
	return resized;
}

/* As calloc(). */
static inline void *heap_zeroed(uint64_t *bytes, size_t count, size_t size)
{
	void *block = calloc(count, size);

	if (block)
		*bytes += count * size;
	return block;
}

/* The same, one object, at the beginning of a cache line. */
static inline void *heap_zeroed_line(uint64_t *bytes, size_t size)
{
	void *block = NULL;

	if (posix_memalign(&block, 64, size))
		return NULL;
	memset(block, 0, size);
	*bytes += size;
	return block;
}

static inline void heap_free(uint64_t *bytes, void *block, size_t size)
{
	if (!block)
		return;
	*bytes -= size;
	free(block);
}

#endif /* COMMCACHE_HISTORY_HEAP_H */
