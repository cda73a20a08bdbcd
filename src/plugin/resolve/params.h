/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_PARAMS_H
#define COMMCACHE_PLUGIN_RESOLVE_PARAMS_H

#include <babeltrace2/babeltrace.h>

#include "resolve/config.h"

enum resolve_lookahead {
	/* Read the input twice where that can be done, and is of use. */
	RESOLVE_LOOKAHEAD_AUTO,
	/* Fail where it cannot be done. */
	RESOLVE_LOOKAHEAD_YES,
	RESOLVE_LOOKAHEAD_NO,
};

struct resolve_params {
	enum resolve_lookahead lookahead;
	/* Tell on a terminal how far the reading is. */
	bool progress;
	/* All it points to is owned by this. */
	struct naming_config naming;
};

/*
 * Reads and checks the component's parameters, the file of `names-from`
 * included. On failure a cause is appended that names the parameter, and
 * nothing has to be finished.
 */
enum status resolve_params_init(struct resolve_params *params,
		bt_self_component *self_component, const bt_value *values);

void resolve_params_finish(struct resolve_params *params);

#endif /* COMMCACHE_PLUGIN_RESOLVE_PARAMS_H */
