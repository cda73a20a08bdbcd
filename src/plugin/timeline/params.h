/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_TIMELINE_PARAMS_H
#define COMMCACHE_PLUGIN_TIMELINE_PARAMS_H

#include "threads/params.h"

enum timeline_format {
	TIMELINE_HTML,
	TIMELINE_PERFETTO,
};

struct timeline_params {
	/* Which threads; `names` is empty: whoever had such a name is shown
	 * with all names. */
	struct threads_params threads;
	enum timeline_format format;
	/* Glob patterns, NULL-terminated; none: all. Owned by this. */
	char **names;
	/* Owned by this. NULL: the standard output. */
	char *path;
	/* Owned by this. Never NULL. */
	char *title;
};

/*
 * Reads and checks the component's parameters. On failure a cause is appended
 * that names the parameter, and nothing has to be finished.
 */
enum status timeline_params_init(struct timeline_params *params,
		bt_self_component *self_component, const bt_value *values);

void timeline_params_finish(struct timeline_params *params);

#endif /* COMMCACHE_PLUGIN_TIMELINE_PARAMS_H */
