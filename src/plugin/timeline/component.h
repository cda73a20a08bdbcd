/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_TIMELINE_COMPONENT_H
#define COMMCACHE_PLUGIN_TIMELINE_COMPONENT_H

#include <babeltrace2/babeltrace.h>

/*
 * The component class `sink.commcache.timeline`: reads its input twice and draws
 * a picture of the threads over time. Its other methods are those of
 * threads/sink.h.
 */
bt_component_class_initialize_method_status timeline_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data);

#endif /* COMMCACHE_PLUGIN_TIMELINE_COMPONENT_H */
