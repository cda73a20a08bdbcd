/* SPDX-License-Identifier: MIT */
#include "threads/params.h"

#include <stddef.h>

static const char *const formats[] = {
	[THREADS_TEXT] = "text",
	[THREADS_JSON] = "json",
	NULL
};

static const char *const sorts[] = {
	[THREADS_SORT_TID] = "tid",
	[THREADS_SORT_NAME] = "name",
	[THREADS_SORT_EVENTS] = "events",
	[THREADS_SORT_CPU] = "cpu",
	[THREADS_SORT_SWITCHES] = "switches",
	[THREADS_SORT_PREEMPTIONS] = "preemptions",
	[THREADS_SORT_FIRST] = "first",
	[THREADS_SORT_LAST] = "last",
	NULL
};

#define PLACE(member)	.place = offsetof(struct threads_params, member)

static const struct param known[] = {
	{ "format", PARAM_WORD, PLACE(format), formats },
	{ "infer-current", PARAM_BOOL, PLACE(naming.infer_current) },
	{ "learned", PARAM_PATH, PLACE(naming.learned) },
	{ "name", PARAM_STRINGS, PLACE(names) },
	{ "names-from", PARAM_PATH, PLACE(naming.names_from),
		.check = naming_config_check_names_from },
	{ "pid", PARAM_IDS, PLACE(pids) },
	{ "progress", PARAM_BOOL, PLACE(progress) },
	{ "sort", PARAM_WORD, PLACE(sort), sorts },
	{ "tid", PARAM_IDS, PLACE(tids) },
	{ "totals", PARAM_BOOL, PLACE(totals) },
};

void threads_params_set_defaults(struct threads_params *params)
{
	*params = (struct threads_params) {
		.format = THREADS_TEXT,
		.sort = THREADS_SORT_TID,
		.names = g_new0(char *, 1),
		.pids = g_array_new(FALSE, FALSE, sizeof(int64_t)),
		.tids = g_array_new(FALSE, FALSE, sizeof(int64_t)),
	};
	naming_config_init(&params->naming);
}

enum status threads_params_init(struct threads_params *params,
		bt_self_component *self_component, const bt_value *values)
{
	struct param_reader reader = {
		.self_component = self_component,
		.params = params,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	enum status status;

	threads_params_set_defaults(params);
	status = param_read_all(&reader, values);
	if (status != STATUS_OK)
		threads_params_finish(params);
	return status;
}

void threads_params_finish(struct threads_params *params)
{
	naming_config_finish(&params->naming);
	g_strfreev(params->names);
	g_array_free(params->pids, TRUE);
	g_array_free(params->tids, TRUE);
}
