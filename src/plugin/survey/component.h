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

#endif /* COMMCACHE_PLUGIN_SURVEY_COMPONENT_H */
