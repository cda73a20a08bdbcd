/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_SINK_H
#define COMMCACHE_PLUGIN_THREADS_SINK_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "resolve/input.h"
#include "resolve/naming.h"
#include "threads/thread.h"

/*
 * What the sinks share: read the input twice, once to learn all names and once
 * to count each event to its thread and name; then write what was counted.
 */
struct sink;

struct sink_ops {
	/*
	 * Only look at the messages, once: no names, no threads. `print` is
	 * given NULL then.
	 */
	bool only_looks;
	/*
	 * Each message, of the second pass where there are two; NULL: there is
	 * nothing to do. False: no more is wanted, what was seen is printed.
	 */
	bool (*message)(void *owner, const bt_message *message);
	/* Before the first event counts; NULL: there is nothing to do. */
	void (*begin)(void *owner, struct threads *threads);
	/*
	 * All that there is was counted. After an error of the input too, with
	 * what came before it. ERROR: a cause was appended.
	 */
	enum input_status (*print)(void *owner, struct threads *threads);
};

/*
 * Adds the input port; tells of its progress, if that is wanted. `config`, `ops` and `owner` (all weak) have to outlive
 * it. On failure *out is NULL.
 */
bt_component_class_initialize_method_status sink_create(
		bt_self_component_sink *self,
		const struct naming_config *config, const struct sink_ops *ops,
		void *owner, bool progress, struct sink **out);

/* NULL is fine. */
void sink_destroy(struct sink *sink);

/* The component class's methods of these names. */
bt_component_class_sink_graph_is_configured_method_status
sink_graph_is_configured(struct sink *sink);
bt_component_class_sink_consume_method_status sink_consume(struct sink *sink);

#endif /* COMMCACHE_PLUGIN_THREADS_SINK_H */
