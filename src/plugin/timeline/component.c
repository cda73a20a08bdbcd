/* SPDX-License-Identifier: MIT */
#include "timeline/component.h"

#include <errno.h>
#include <glib.h>

#include "escape.h"
#include "threads/rows.h"
#include "threads/sink.h"
#include "timeline/lanes.h"
#include "out-file.h"
#include "timeline/params.h"
#include "timeline/picture.h"

/* 40 bytes each. */
#define ITEMS_MAX	(UINT32_C(1) << 20)

struct timeline_sink {
	struct sink sink;
	struct timeline_params params;
	/* Owned by this; outlives the counting. */
	struct lanes *lanes;
};

static enum status init(struct sink *sink, const bt_value *params)
{
	struct timeline_sink *own = (struct timeline_sink *) sink;

	sink->params = &own->params.threads;
	return timeline_params_init(&own->params, sink->self_component, params);
}

static void finish(struct sink *sink)
{
	struct timeline_sink *own = (struct timeline_sink *) sink;

	lanes_destroy(own->lanes);
	timeline_params_finish(&own->params);
}

static void begin(struct sink *sink)
{
	struct timeline_sink *own = (struct timeline_sink *) sink;

	own->lanes = lanes_create(ITEMS_MAX);
	sink->threads->watcher = &own->lanes->watcher;
}

static void draw(struct timeline_sink *own, FILE *file)
{
	struct picture picture;
	struct rows rows;

	rows_init(&rows, own->sink.threads, &own->params.threads);
	picture_init(&picture, &rows, own->lanes, &own->params);
	if (own->params.format == TIMELINE_PERFETTO)
		picture_write_perfetto(&picture, file);
	else
		picture_write_page(&picture, file);
	picture_finish(&picture);
	rows_finish(&rows);
}

static enum status print(struct sink *sink)
{
	struct timeline_sink *own = (struct timeline_sink *) sink;
	const char *path = own->params.path;
	struct out_file out;
	const char *reason;
	char *shown;
	bool good;

	errno = 0;
	good = out_file_open(&out, path);
	if (good) {
		draw(own, out.file);
		good = out_file_finish(&out);
	}
	if (good)
		return STATUS_OK;
	reason = g_strerror(errno);
	shown = escape_text(path ? path : "the standard output");
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		sink->self_component, "Cannot write to %s: %s", shown, reason);
	g_free(shown);
	return STATUS_ERROR;
}

bt_component_class_initialize_method_status timeline_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration
			__attribute__((unused)),
		const bt_value *params, void *data __attribute__((unused)))
{
	static const struct sink_class class = {
		.size = sizeof(struct timeline_sink),
		.init = init,
		.finish = finish,
		.begin = begin,
		.print = print,
	};

	return sink_init(&class, self, params);
}
