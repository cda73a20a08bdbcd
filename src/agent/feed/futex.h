/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_FUTEX_H
#define COMMCACHE_AGENT_FEED_FUTEX_H

/* Threads of this process that wait for a word to change: futex(2). */

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../nap.h"

#define FEED_NAP_NS	1000000L

/*
 * For so long at most; it may also return early. Where it is refused (seccomp(2))
 * a nap does instead: who waits in a loop is not to keep a CPU busy.
 */
static inline void feed_futex_wait(uint32_t *word, uint32_t value,
		unsigned int ms)
{
	/* The kernel's form, whatever the C library's time_t is. */
	const struct {
		long sec;
		long nsec;
	} time = {
		.sec = ms / 1000,
		.nsec = ms % 1000 * 1000000L,
	};

	if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time, NULL,
			0) && errno != EAGAIN && errno != EINTR &&
			errno != ETIMEDOUT)
		agent_nap(FEED_NAP_NS);
}

static inline void feed_futex_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#endif /* COMMCACHE_AGENT_FEED_FUTEX_H */
