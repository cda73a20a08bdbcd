/* SPDX-License-Identifier: MIT */
#ifndef HISTORY_TEST_H
#define HISTORY_TEST_H

/*
 * What the tests of the history share: short ways to say evidence.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <commcache/history.h>

static inline struct commcache_comm comm_of(const char *str)
{
	struct commcache_comm comm;

	commcache_comm_from_string(&comm, str);
	return comm;
}

static inline struct commcache_moment at(int64_t time)
{
	return commcache_moment(time, 0);
}

static inline uint64_t random_next(uint64_t *state)
{
	/* xorshift64*, Vigna 2016: the same on all machines. */
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

/* 0 to count - 1. */
static inline unsigned int random_below(uint64_t *state, unsigned int count)
{
	return (unsigned int) ((random_next(state) >> 33) % count);
}

#endif /* HISTORY_TEST_H */
