/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_SEED_H
#define COMMCACHE_PLUGIN_RESOLVE_SEED_H

#include <commcache/history.h>

#include "resolve/naming.h"

/*
 * The names of the file, for the threads of that domain. They are of no host:
 * whoever reads traces of several together has them for each.
 */
enum commcache_history_status seed_apply(const struct naming_seed *seed,
		struct commcache_history_domain *root);

#endif /* COMMCACHE_PLUGIN_RESOLVE_SEED_H */
