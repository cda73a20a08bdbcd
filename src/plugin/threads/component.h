/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_COMPONENT_H
#define COMMCACHE_PLUGIN_THREADS_COMPONENT_H

#include <babeltrace2/babeltrace.h>

/*
 * The component class `sink.commcache.threads`: reads its input twice, once to
 * learn all names and once to count, and then prints a table of all threads. Its
 * other methods are those of threads/sink.h.
 */
bt_component_class_initialize_method_status threads_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data);

#endif /* COMMCACHE_PLUGIN_THREADS_COMPONENT_H */
