/* SPDX-License-Identifier: MIT */
#include "timeline/component.h"

#include <errno.h>
#include <glib.h>

#include "threads/rows.h"
#include "threads/sink.h"
#include "timeline/lanes.h"
#include "timeline/out-file.h"
#include "timeline/params.h"
#include "timeline/picture.h"

/* 40 bytes each. */
#define ITEMS_MAX	(UINT32_C(1) << 20)

struct component {
	/* Weak: owns this. */
	bt_self_component *self;
	struct timeline_params params;
	/* Owned by this. */
	struct sink *sink;
	/* Owned by this; outlives the counting of `sink`. */
	struct lanes *lanes;
};

static void begin(void *owner, struct threads *threads)
{
	struct component *component = owner;

	component->lanes = lanes_create(ITEMS_MAX);
	threads->watcher = &component->lanes->watcher;
}

static void draw(struct component *component, struct threads *threads,
		FILE *file)
{
	struct picture picture;
	struct rows rows;

	rows_init(&rows, threads, &component->params.threads);
	picture_init(&picture, &rows, component->lanes, &component->params);
	if (component->params.format == TIMELINE_PERFETTO)
		picture_write_perfetto(&picture, file);
	else
		picture_write_page(&picture, file);
	picture_finish(&picture);
	rows_finish(&rows);
}

static enum input_status print(void *owner, struct threads *threads)
{
	struct component *component = owner;
	struct out_file out;
	bool good;

	errno = 0;
	good = out_file_open(&out, component->params.path);
	if (good) {
		draw(component, threads, out.file);
		good = out_file_finish(&out);
	}
	if (good)
		return INPUT_STATUS_OK;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component->self,
		"Cannot write to %s: %s", component->params.path ?
		component->params.path : "the standard output",
		g_strerror(errno));
	return INPUT_STATUS_ERROR;
}

static const struct sink_ops ops = {
	.begin = begin,
	.print = print,
};

bt_component_class_initialize_method_status timeline_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data)
{
	struct component *component = g_new0(struct component, 1);
	bt_component_class_initialize_method_status status;

	(void) configuration;
	(void) data;
	component->self = bt_self_component_sink_as_self_component(self);
	status = timeline_params_init(&component->params, component->self,
		params);
	if (status != PARAM_OK)
		goto error;
	status = sink_create(self, &component->params.threads.naming, &ops,
		component, component->params.threads.progress,
		&component->sink);
	if (status != PARAM_OK) {
		timeline_params_finish(&component->params);
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

void timeline_component_finalize(bt_self_component_sink *self)
{
	struct component *component = component_of(self);

	sink_destroy(component->sink);
	lanes_destroy(component->lanes);
	timeline_params_finish(&component->params);
	g_free(component);
}

bt_component_class_sink_graph_is_configured_method_status
timeline_component_graph_is_configured(bt_self_component_sink *self)
{
	return sink_graph_is_configured(component_of(self)->sink);
}

bt_component_class_sink_consume_method_status timeline_component_consume(
		bt_self_component_sink *self)
{
	return sink_consume(component_of(self)->sink);
}
