/* SPDX-License-Identifier: MIT */
#include "threads/component.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>

#include "threads/output.h"
#include "threads/rows.h"
#include "threads/sink.h"

struct threads_sink {
	struct sink sink;
	struct threads_params params;
};

static enum status init(struct sink *sink, const bt_value *params)
{
	struct threads_sink *own = (struct threads_sink *) sink;

	sink->params = &own->params;
	return threads_params_init(&own->params, sink->self_component, params);
}

static void finish(struct sink *sink)
{
	threads_params_finish(&((struct threads_sink *) sink)->params);
}

static enum status print(struct sink *sink)
{
	struct rows rows;

	rows_init(&rows, sink->threads, sink->params);
	errno = 0;
	if (sink->params->format == THREADS_JSON)
		output_json(&rows, stdout);
	else
		output_text(&rows, stdout);
	rows_finish(&rows);
	return sink_end_output(sink);
}

bt_component_class_initialize_method_status threads_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration
			__attribute__((unused)),
		const bt_value *params, void *data __attribute__((unused)))
{
	static const struct sink_class class = {
		.size = sizeof(struct threads_sink),
		.init = init,
		.finish = finish,
		.print = print,
	};

	return sink_init(&class, self, params);
}
