/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_FUTEX_H
#define COMMCACHE_AGENT_FEED_FUTEX_H

/* Threads of this process that wait for a word to change: futex(2). */

#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* For so long at most; it may also return early. */
static inline void feed_futex_wait(uint32_t *word, uint32_t value,
		unsigned int ms)
{
	const struct timespec time = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000L,
	};

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time, NULL, 0);
}

static inline void feed_futex_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#endif /* COMMCACHE_AGENT_FEED_FUTEX_H */
