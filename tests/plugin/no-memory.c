/* SPDX-License-Identifier: MIT */

/*
 * To be preloaded: of the allocations that the plugin makes and checks, the one
 * of number $NO_MEMORY_AT (from 1 on) fails, and all after it where $NO_MEMORY_ON
 * is set. At the end it says how many there were.
 *
 * Those are malloc() and its like called from the plugin's own code, and GLib's
 * g_try_...(). What GLib takes for itself is not among them: without memory for
 * that it ends the process (g_malloc() in its manual).
 */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Else they override nothing. */
#pragma GCC visibility push(default)

/* glibc's own names for what is overridden here. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

void *g_try_malloc(size_t size);
void *g_try_malloc0(size_t size);
void *g_try_malloc_n(size_t count, size_t size);
void *g_try_malloc0_n(size_t count, size_t size);

static long fail_at = -1;
static bool fail_on;
static long count;

static __attribute__((constructor)) void begin(void)
{
	const char *at = getenv("NO_MEMORY_AT");

	fail_on = getenv("NO_MEMORY_ON");
	fail_at = at ? atol(at) : 0;
}

static __attribute__((destructor)) void end(void)
{
	fprintf(stderr, "no-memory: %ld allocations\n", count);
}

static bool fails(const void *caller)
{
	Dl_info info;

	/* Before the constructor, dladdr() may not be called. */
	if (fail_at < 0 || !dladdr(caller, &info) || !info.dli_fname ||
			!strstr(info.dli_fname, "babeltrace-plugin-commcache."))
		return false;
	count++;
	return fail_on ? fail_at > 0 && count >= fail_at : count == fail_at;
}

#define CALLER	__builtin_return_address(0)

void *malloc(size_t size)
{
	return fails(CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
	return fails(CALLER) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
	return fails(CALLER) ? NULL : __libc_realloc(memory, size);
}

void *g_try_malloc(size_t size)
{
	return fails(CALLER) ? NULL : __libc_malloc(size);
}

void *g_try_malloc0(size_t size)
{
	return fails(CALLER) ? NULL : __libc_calloc(1, size);
}

void *g_try_malloc_n(size_t number, size_t size)
{
	return number == 0 || fails(CALLER) ? NULL :
		__libc_calloc(number, size);
}

void *g_try_malloc0_n(size_t number, size_t size)
{
	return number == 0 || fails(CALLER) ? NULL :
		__libc_calloc(number, size);
}

#pragma GCC visibility pop
