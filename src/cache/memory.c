/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

void (*cache_memory_mapped)(void *address, size_t size);

size_t cache_memory_size(size_t size)
{
	size_t page = (size_t) sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

void *cache_memory_map(size_t size)
{
	int saved_errno = errno;
	void *address;

	size = cache_memory_size(size);
	address = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (address == MAP_FAILED) {
		address = NULL;
		goto end;
	}
	if (cache_memory_mapped)
		cache_memory_mapped(address, size);
end:
	errno = saved_errno;
	return address;
}

void cache_memory_discard(void *address, size_t size)
{
	int saved_errno = errno;

	size = cache_memory_size(size);
	if (!madvise(address, size, MADV_DONTNEED))
		goto end;
	/* Locked pages (mlockall) are not given back unless unlocked. */
	munlock(address, size);
	if (!madvise(address, size, MADV_DONTNEED))
		goto end;
	memset(address, 0, size);
end:
	errno = saved_errno;
}

void cache_memory_unmap(void *address, size_t size)
{
	int saved_errno = errno;

	munmap(address, cache_memory_size(size));
	errno = saved_errno;
}
