/* SPDX-License-Identifier: MIT */

#include <pthread.h>

#include "lock.h"

uint32_t cache_lock_process = 1;

__thread volatile sig_atomic_t cache_lock_sections;

static void count_child(void)
{
	cache_lock_process++;
}

__attribute__((constructor))
static void register_count_child(void)
{
	/*
	 * Without it (no memory), a child that inherits a held lock is
	 * refused all changes, and told so.
	 */
	(void) pthread_atfork(NULL, NULL, count_child);
}
