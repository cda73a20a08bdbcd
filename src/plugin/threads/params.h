/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_PARAMS_H
#define COMMCACHE_PLUGIN_THREADS_PARAMS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "param.h"
#include "resolve/config.h"

enum threads_format {
	THREADS_TEXT,
	THREADS_JSON,
};

/* What comes first: the least; of what is counted, the most. */
enum threads_sort {
	/* Host, process, thread, time. */
	THREADS_SORT_TID,
	THREADS_SORT_NAME,
	THREADS_SORT_EVENTS,
	THREADS_SORT_CPU,
	THREADS_SORT_SWITCHES,
	THREADS_SORT_PREEMPTIONS,
	/* The first event, the last one. */
	THREADS_SORT_FIRST,
	THREADS_SORT_LAST,
};

struct threads_params {
	/* All it points to is owned by this. */
	struct naming_config naming;
	/* Tell on a terminal how far the reading is. */
	bool progress;
	enum threads_format format;
	enum threads_sort sort;
	/* A line for each thread, not for each of its names. */
	bool totals;
	/* Glob patterns, NULL-terminated; none: all. Owned by this. */
	char **names;
	/* int64_t; none: all. Owned by this. */
	GArray *pids;
	GArray *tids;
};

/*
 * Reads and checks the component's parameters. On failure a cause is appended
 * that names the parameter, and nothing has to be finished.
 */
enum status threads_params_init(struct threads_params *params,
		bt_self_component *self_component, const bt_value *values);

void threads_params_finish(struct threads_params *params);

/* For a component that has these parameters among others. */
void threads_params_set_defaults(struct threads_params *params);

#endif /* COMMCACHE_PLUGIN_THREADS_PARAMS_H */
