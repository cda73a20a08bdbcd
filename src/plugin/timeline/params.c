/* SPDX-License-Identifier: MIT */
#include "timeline/params.h"

#include <stddef.h>

#include "escape.h"

static enum status check_path(const struct param_reader *reader, void *place)
{
	return **(char **) place ? STATUS_OK :
		param_wrong_value(reader, "", "the name of a file");
}

/* It goes into a page; and can come from anywhere. */
static enum status escape_title(const struct param_reader *reader, void *place)
{
	char **title = place;
	char *shown = escape_text(*title);

	(void) reader;
	g_free(*title);
	*title = shown;
	return STATUS_OK;
}

static const char *const formats[] = {
	[TIMELINE_HTML] = "html",
	[TIMELINE_PERFETTO] = "perfetto",
	NULL
};

#define PLACE(member)	.place = offsetof(struct timeline_params, member)

static const struct param known[] = {
	{ "format", PARAM_WORD, PLACE(format), formats },
	{ "infer-current", PARAM_BOOL, PLACE(threads.naming.infer_current) },
	{ "learned", PARAM_PATH, PLACE(threads.naming.learned) },
	{ "name", PARAM_STRINGS, PLACE(names) },
	{ "names-from", PARAM_PATH, PLACE(threads.naming.names_from),
		.check = naming_config_check_names_from },
	{ "path", PARAM_PATH, PLACE(path), .check = check_path },
	{ "pid", PARAM_IDS, PLACE(threads.pids) },
	{ "progress", PARAM_BOOL, PLACE(threads.progress) },
	{ "tid", PARAM_IDS, PLACE(threads.tids) },
	{ "title", PARAM_STRING, PLACE(title), .check = escape_title },
};

enum status timeline_params_init(struct timeline_params *params,
		bt_self_component *self_component, const bt_value *values)
{
	struct param_reader reader = {
		.self_component = self_component,
		.params = params,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	enum status status;

	*params = (struct timeline_params) {
		.format = TIMELINE_HTML,
		.names = g_new0(char *, 1),
		.title = g_strdup(""),
	};
	threads_params_set_defaults(&params->threads);
	status = param_read_all(&reader, values);
	if (status != STATUS_OK)
		timeline_params_finish(params);
	return status;
}

void timeline_params_finish(struct timeline_params *params)
{
	threads_params_finish(&params->threads);
	g_strfreev(params->names);
	g_free(params->path);
	g_free(params->title);
}
