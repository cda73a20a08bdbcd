/* SPDX-License-Identifier: MIT */
#include "threads/params.h"

#include <commcache/history.h>

static struct threads_params *params_of(const struct param_reader *reader)
{
	/* Also of what begins with them. */
	return reader->params;
}

static param_status read_format(struct param_reader *reader,
		const bt_value *value)
{
	static const char *const words[] = {
		[THREADS_TEXT] = "text",
		[THREADS_JSON] = "json",
		NULL
	};
	int word = params_of(reader)->format;
	const param_status status = param_read_word(reader, value, words,
		&word);

	params_of(reader)->format = word;
	return status;
}

static param_status read_sort(struct param_reader *reader,
		const bt_value *value)
{
	static const char *const words[] = {
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
	int word = params_of(reader)->sort;
	const param_status status = param_read_word(reader, value, words,
		&word);

	params_of(reader)->sort = word;
	return status;
}

static param_status read_totals(struct param_reader *reader,
		const bt_value *value)
{
	return param_read_bool(reader, value, &params_of(reader)->totals);
}

param_status threads_params_read_name(struct param_reader *reader,
		const bt_value *value)
{
	return param_read_strings(reader, value, &params_of(reader)->names);
}

static bool get_id(const bt_value *value, int64_t *id)
{
	if (bt_value_is_signed_integer(value))
		*id = bt_value_integer_signed_get(value);
	else if (bt_value_is_unsigned_integer(value))
		*id = (int64_t) MIN(bt_value_integer_unsigned_get(value),
			(uint64_t) INT64_MAX);
	else
		return false;
	return true;
}

/* An id, or an array of them. */
static param_status read_ids(const struct param_reader *reader,
		const bt_value *value, GArray *ids)
{
	const bool is_array = bt_value_is_array(value);
	const uint64_t count = is_array ? bt_value_array_get_length(value) : 1;
	uint64_t i;
	int64_t id;

	for (i = 0; i < count; i++) {
		const bt_value *element = is_array ?
			bt_value_array_borrow_element_by_index_const(value, i) :
			value;

		if (!get_id(element, &id))
			return param_wrong_type(reader,
				"an integer, or an array of integers", element);
		if (id < 0 || id > COMMCACHE_HISTORY_TID_MAX) {
			char *shown = g_strdup_printf("%" G_GINT64_FORMAT, id);

			(void) param_wrong_value(reader, shown,
				"a number from 0 to 4194304");
			g_free(shown);
			return PARAM_ERROR;
		}
		g_array_append_val(ids, id);
	}
	return PARAM_OK;
}

param_status threads_params_read_pid(struct param_reader *reader,
		const bt_value *value)
{
	return read_ids(reader, value, params_of(reader)->pids);
}

param_status threads_params_read_tid(struct param_reader *reader,
		const bt_value *value)
{
	return read_ids(reader, value, params_of(reader)->tids);
}

param_status threads_params_read_progress(struct param_reader *reader,
		const bt_value *value)
{
	return param_read_bool(reader, value, &params_of(reader)->progress);
}

param_status threads_params_read_infer_current(struct param_reader *reader,
		const bt_value *value)
{
	return naming_config_read_infer_current(reader, value,
		&params_of(reader)->naming);
}

param_status threads_params_read_names_from(struct param_reader *reader,
		const bt_value *value)
{
	return naming_config_read_names_from(reader, value,
		&params_of(reader)->naming);
}

static const struct param known[] = {
	{ "format", read_format },
	{ "infer-current", threads_params_read_infer_current },
	{ "name", threads_params_read_name },
	{ "names-from", threads_params_read_names_from },
	{ "pid", threads_params_read_pid },
	{ "progress", threads_params_read_progress },
	{ "sort", read_sort },
	{ "tid", threads_params_read_tid },
	{ "totals", read_totals },
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

param_status threads_params_init(struct threads_params *params,
		bt_self_component *self_component, const bt_value *values)
{
	struct param_reader reader = {
		.self_component = self_component,
		.params = params,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	param_status status;

	threads_params_set_defaults(params);
	status = param_read_all(&reader, values);
	if (status != PARAM_OK)
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
