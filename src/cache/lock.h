/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_SRC_CACHE_LOCK_H
#define COMMCACHE_SRC_CACHE_LOCK_H

/*
 * A lock that is tried and never waited for: its holder may be stopped in a
 * signal handler, even in one of the thread that tries.
 *
 * The lock bears the number of the process that took it, counted over forks.
 * A child inherits a lock that another thread of its parent held at the fork;
 * that thread does not exist in the child, so the child takes the lock over.
 * This needs nothing to be called before a fork, and no lock to be held while
 * the fork handlers of others run.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct cache_lock {
	/* 0: free. */
	uint32_t process;
};

/* This process, counted from 1 over forks. */
extern uint32_t cache_lock_process;

/*
 * How many sections of changes this thread is in: more than one in a signal
 * handler that came in the middle of one. The model saves a call that could
 * allocate in a signal handler.
 */
extern __thread volatile sig_atomic_t cache_lock_sections
		__attribute__((tls_model("initial-exec")));

/* Around all that changes the cache, also without the lock. */
static inline void cache_section_begin(void)
{
	cache_lock_sections++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void cache_section_end(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	cache_lock_sections--;
}

/*
 * Whether this section is the only one of its thread. If not, the code that
 * was interrupted will go on: what it holds must not be taken from it.
 */
static inline bool cache_section_is_outermost(void)
{
	return cache_lock_sections == 1;
}

/* Take the lock if its holder is *holder, 0 for none; else say who holds it. */
static inline bool cache_lock_try(struct cache_lock *lock, uint32_t *holder)
{
	return __atomic_compare_exchange_n(&lock->process, holder,
			cache_lock_process, false,
			__ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void cache_lock_release(struct cache_lock *lock)
{
	__atomic_store_n(&lock->process, 0, __ATOMIC_RELEASE);
}

#endif /* COMMCACHE_SRC_CACHE_LOCK_H */
