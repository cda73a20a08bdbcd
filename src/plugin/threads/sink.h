/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_SINK_H
#define COMMCACHE_PLUGIN_THREADS_SINK_H

#include <babeltrace2/babeltrace.h>

#include "resolve/reader.h"
#include "threads/params.h"
#include "threads/thread.h"

/*
 * What the sinks share: read the input twice, once to learn all names and once
 * to count each event to its thread and name; then write what was counted.
 */
struct sink {
	/* Weak: owns this. */
	bt_self_component_sink *self;
	/* The same. */
	bt_self_component *self_component;
	/* Weak. */
	const struct sink_class *class;
	/* Weak, of what begins with this. */
	const struct threads_params *params;
	struct reader reader;
	struct naming_listener listener;
	/*
	 * Only look at the messages, once: no names, no threads. To be set by
	 * the class's init().
	 */
	bool only_looks;
	/* Only learn, once: what is learned is printed. As only_looks. */
	bool only_learns;
	/* Owned by this; NULL before the first event counts, and if none does. */
	struct threads *threads;
};

/* What differs between them. */
struct sink_class {
	/* Of a struct that begins with a struct sink, and is all zero at first. */
	size_t size;
	/*
	 * Reads the parameters, and sets the sink's; on failure a cause was
	 * appended, and nothing has to be finished.
	 */
	enum status (*init)(struct sink *sink, const bt_value *params);
	/* What was counted is gone. */
	void (*finish)(struct sink *sink);
	/* Before the first event counts; NULL: there is nothing to do. */
	void (*begin)(struct sink *sink);
	/*
	 * Each message, of the second pass where there are two; NULL: there is
	 * nothing to do. False: no more is wanted, what was seen is printed.
	 */
	bool (*message)(struct sink *sink, const bt_message *message);
	/*
	 * All that there is was counted. After an error of the input too, with
	 * what came before it. ERROR: a cause was appended.
	 */
	enum status (*print)(struct sink *sink);
};

/* The component class's methods; `class` has to outlive the component. */
bt_component_class_initialize_method_status sink_init(
		const struct sink_class *class, bt_self_component_sink *self,
		const bt_value *params);
void sink_finalize(bt_self_component_sink *self);
bt_component_class_get_supported_mip_versions_method_status
sink_get_mip_versions(bt_self_component_class_sink *self,
		const bt_value *params, void *data, bt_logging_level level,
		bt_integer_range_set_unsigned *versions);
bt_component_class_sink_graph_is_configured_method_status
sink_graph_is_configured(bt_self_component_sink *self);
bt_component_class_sink_consume_method_status sink_consume(
		bt_self_component_sink *self);

/*
 * All that print() writes is in the standard output; ERROR: it is not, and a cause
 * was appended. print() begins with errno = 0: what fails first is told.
 */
enum status sink_end_output(const struct sink *sink);

#endif /* COMMCACHE_PLUGIN_THREADS_SINK_H */
