/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_FAILING_ALLOC_H
#define COMMCACHE_TESTS_FAILING_ALLOC_H

/* Allocations that fail when a test wants it: linked with --wrap. */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

void *__real_realloc(void *block, size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_calloc(size_t count, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);

/* Allocations that succeed before all fail; less than 0: no end. */
static long allowed = -1;
/* How many were asked for, and of these the largest. */
static unsigned long allocations;
static size_t largest;

static bool may_allocate(size_t size)
{
	allocations++;
	if (size > largest)
		largest = size;
	if (allowed > 0)
		allowed--;
	else if (allowed == 0)
		return false;
	return true;
}

void *__wrap_realloc(void *block, size_t size)
{
	return may_allocate(size) ? __real_realloc(block, size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
	return may_allocate(count * size) ? __real_calloc(count, size) : NULL;
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
	return may_allocate(size) ? __real_posix_memalign(block, alignment,
			size) : ENOMEM;
}

#endif /* COMMCACHE_TESTS_FAILING_ALLOC_H */
