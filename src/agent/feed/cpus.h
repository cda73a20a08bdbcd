/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FEED_CPUS_H
#define COMMCACHE_AGENT_FEED_CPUS_H

/* Which CPUs there are, as the kernel lists them below /sys. */

#include <stdbool.h>
#include <stddef.h>

/* Linux's own limit: NR_CPUS_RANGE_END, arch/x86/Kconfig. */
#define FEED_CPUS_MAX	8192

/* Numbers of CPUs are less than this; from a list like "0-3,8". 0: no list. */
size_t feed_cpus_limit(const char *list);

/* How many CPUs there can be, offline ones too; 1 at least. */
size_t feed_cpus_possible(void);

/* Whether others are online than when it was asked last. By one thread. */
bool feed_cpus_changed(void);

#endif /* COMMCACHE_AGENT_FEED_CPUS_H */
