/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_NO_LTTNG_RELEASE_H
#define COMMCACHE_TESTS_NO_LTTNG_RELEASE_H

/*
 * liburcu before 0.15 orders what rcu_assign_pointer() stores by a fence in
 * assembler, which ThreadSanitizer does not see; since then it has the
 * compiler's own, as here.
 */

#include <urcu/pointer.h>

#undef rcu_assign_pointer
#define rcu_assign_pointer(p, v) \
	__atomic_store_n(&(p), (v), __ATOMIC_RELEASE)

#endif /* COMMCACHE_TESTS_NO_LTTNG_RELEASE_H */
