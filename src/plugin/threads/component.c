/* SPDX-License-Identifier: MIT */
#include "threads/component.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>

#include "threads/output.h"
#include "threads/params.h"
#include "threads/rows.h"
#include "threads/sink.h"

struct component {
	/* Weak: owns this. */
	bt_self_component *self;
	struct threads_params params;
	/* Owned by this. */
	struct sink *sink;
};

static enum input_status print(void *owner, struct threads *threads)
{
	struct component *component = owner;
	struct rows rows;

	rows_init(&rows, threads, &component->params);
	errno = 0;
	if (component->params.format == THREADS_JSON)
		output_json(&rows, stdout);
	else
		output_text(&rows, stdout);
	rows_finish(&rows);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return INPUT_STATUS_OK;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component->self,
		"Cannot write to the standard output: %s", g_strerror(errno));
	return INPUT_STATUS_ERROR;
}

static const struct sink_ops ops = {
	.print = print,
};

bt_component_class_initialize_method_status threads_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data)
{
	struct component *component = g_new0(struct component, 1);
	bt_component_class_initialize_method_status status;

	(void) configuration;
	(void) data;
	component->self = bt_self_component_sink_as_self_component(self);
	status = threads_params_init(&component->params, component->self,
		params);
	if (status != PARAM_OK)
		goto error;
	status = sink_create(self, &component->params.naming, &ops, component,
		component->params.progress, &component->sink);
	if (status != PARAM_OK) {
		threads_params_finish(&component->params);
		goto error;
	}
	bt_self_component_set_data(component->self, component);
	return status;

error:
	g_free(component);
	return status;
}

static struct component *component_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));
}

void threads_component_finalize(bt_self_component_sink *self)
{
	struct component *component = component_of(self);

	sink_destroy(component->sink);
	threads_params_finish(&component->params);
	g_free(component);
}

bt_component_class_sink_graph_is_configured_method_status
threads_component_graph_is_configured(bt_self_component_sink *self)
{
	return sink_graph_is_configured(component_of(self)->sink);
}

bt_component_class_sink_consume_method_status threads_component_consume(
		bt_self_component_sink *self)
{
	return sink_consume(component_of(self)->sink);
}
