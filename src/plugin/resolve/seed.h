/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_SEED_H
#define COMMCACHE_PLUGIN_RESOLVE_SEED_H

#include <commcache/history.h>

#include "resolve/naming.h"

/* Whether the file says of which hosts its names are. */
bool seed_tells_hosts(const struct naming_seed *seed);

/*
 * The names of the file, for the threads of that domain, which is of that host;
 * NULL: not told. Those of other hosts are left out.
 */
enum commcache_history_status seed_apply(const struct naming_seed *seed,
		const char *host, struct commcache_history_domain *root);

#endif /* COMMCACHE_PLUGIN_RESOLVE_SEED_H */
