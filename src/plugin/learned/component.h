/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARNED_COMPONENT_H
#define COMMCACHE_PLUGIN_LEARNED_COMPONENT_H

#include <babeltrace2/babeltrace.h>

/*
 * A sink that reads its input once and keeps what is learned in a file, for the
 * parameter `learned` of the others. The methods of its class that differ from
 * those of threads/sink.h.
 */
bt_component_class_initialize_method_status learned_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data);

#endif /* COMMCACHE_PLUGIN_LEARNED_COMPONENT_H */
