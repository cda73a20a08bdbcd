/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_SURVEY_COMPONENT_H
#define COMMCACHE_PLUGIN_SURVEY_COMPONENT_H

#include <babeltrace2/babeltrace.h>

/*
 * The component class `sink.commcache.survey`: prints what a trace holds, a fact
 * a line, for the commands that judge it (src/cli/survey.sh reads them).
 */

bt_component_class_initialize_method_status survey_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data);

void survey_component_finalize(bt_self_component_sink *self);

bt_component_class_sink_graph_is_configured_method_status
survey_component_graph_is_configured(bt_self_component_sink *self);

bt_component_class_sink_consume_method_status survey_component_consume(
		bt_self_component_sink *self);

#endif /* COMMCACHE_PLUGIN_SURVEY_COMPONENT_H */
