/* SPDX-License-Identifier: MIT */
#include "timeline/params.h"

#include "escape.h"

static struct timeline_params *params_of(const struct param_reader *reader)
{
	return reader->params;
}

static param_status read_format(struct param_reader *reader,
		const bt_value *value)
{
	static const char *const words[] = {
		[TIMELINE_HTML] = "html",
		[TIMELINE_PERFETTO] = "perfetto",
		NULL
	};
	int word = params_of(reader)->format;
	const param_status status = param_read_word(reader, value, words,
		&word);

	params_of(reader)->format = word;
	return status;
}

static param_status read_path(struct param_reader *reader,
		const bt_value *value)
{
	const param_status status = param_read_string(reader, value,
		&params_of(reader)->path);

	if (status == PARAM_OK && !params_of(reader)->path[0])
		return param_wrong_value(reader, "", "the name of a file");
	return status;
}

/* It goes into a page; and can come from anywhere. */
static param_status read_title(struct param_reader *reader,
		const bt_value *value)
{
	char **title = &params_of(reader)->title;
	const param_status status = param_read_string(reader, value, title);
	char *shown;

	if (status != PARAM_OK)
		return status;
	shown = escape_text(*title);
	g_free(*title);
	*title = shown;
	return PARAM_OK;
}

static const struct param known[] = {
	{ "format", read_format },
	{ "infer-current", threads_params_read_infer_current },
	{ "name", threads_params_read_name },
	{ "names-from", threads_params_read_names_from },
	{ "path", read_path },
	{ "pid", threads_params_read_pid },
	{ "progress", threads_params_read_progress },
	{ "tid", threads_params_read_tid },
	{ "title", read_title },
};

param_status timeline_params_init(struct timeline_params *params,
		bt_self_component *self_component, const bt_value *values)
{
	struct param_reader reader = {
		.self_component = self_component,
		.params = params,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	param_status status;

	*params = (struct timeline_params) {
		.format = TIMELINE_HTML,
		.title = g_strdup(""),
	};
	threads_params_set_defaults(&params->threads);
	status = param_read_all(&reader, values);
	if (status != PARAM_OK) {
		timeline_params_finish(params);
		return status;
	}
	params->names = params->threads.names;
	params->threads.names = g_new0(char *, 1);
	return status;
}

void timeline_params_finish(struct timeline_params *params)
{
	threads_params_finish(&params->threads);
	g_strfreev(params->names);
	g_free(params->path);
	g_free(params->title);
}
