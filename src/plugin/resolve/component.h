/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_COMPONENT_H
#define COMMCACHE_PLUGIN_RESOLVE_COMPONENT_H

#include <babeltrace2/babeltrace.h>

#include "resolve/params.h"

/* A component `filter.commcache.resolve`. */
struct resolve_component {
	/* Weak: owns this. */
	bt_self_component_filter *self;
	struct resolve_params params;
};

bt_component_class_get_supported_mip_versions_method_status
resolve_component_get_mip_versions(bt_self_component_class_filter *self,
		const bt_value *params, void *data, bt_logging_level level,
		bt_integer_range_set_unsigned *versions);

bt_component_class_initialize_method_status resolve_component_init(
		bt_self_component_filter *self,
		bt_self_component_filter_configuration *configuration,
		const bt_value *params, void *data);

void resolve_component_finalize(bt_self_component_filter *self);

/* The input port. There is one: a muxer brings several inputs together. */
bt_self_component_port_input *resolve_component_borrow_input(
		const struct resolve_component *component);

#endif /* COMMCACHE_PLUGIN_RESOLVE_COMPONENT_H */
