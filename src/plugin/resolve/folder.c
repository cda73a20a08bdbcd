/* SPDX-License-Identifier: MIT */
#include "resolve/folder.h"

#include <glib.h>

char *folder_of_stream(const bt_stream *stream)
{
	const char *name = bt_stream_get_name(stream);

	return name && g_path_is_absolute(name) &&
		g_file_test(name, G_FILE_TEST_IS_REGULAR) ?
		g_path_get_dirname(name) : NULL;
}

/* { "inputs": [folder] }. NULL: no memory. */
static bt_value *make_inputs(const char *folder)
{
	bt_value *map = bt_value_map_create(), *inputs = NULL;

	if (map && bt_value_map_insert_empty_array_entry(map, "inputs",
			&inputs) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
			bt_value_array_append_string_element(inputs, folder) ==
			BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK)
		return map;
	bt_value_put_ref(map);
	return NULL;
}

static const bt_value *query(const bt_plugin *plugin, const char *folder)
{
	const bt_component_class_source *fs =
		bt_plugin_borrow_source_component_class_by_name_const(plugin,
			"fs");
	bt_value *inputs = fs ? make_inputs(folder) : NULL;
	bt_query_executor *executor = NULL;
	const bt_value *infos = NULL;

	if (inputs)
		executor = bt_query_executor_create(
			bt_component_class_source_as_component_class_const(fs),
			"babeltrace.trace-infos", inputs);
	if (executor && bt_query_executor_query(executor, &infos) !=
			BT_QUERY_EXECUTOR_QUERY_STATUS_OK)
		infos = NULL;
	bt_query_executor_put_ref(executor);
	bt_value_put_ref(inputs);
	return infos;
}

static const bt_value *entry(const bt_value *map, const char *name)
{
	return map && bt_value_is_map(map) ?
		bt_value_map_borrow_entry_value_const(map, name) : NULL;
}

static uint64_t length_of(const bt_value *array)
{
	return array && bt_value_is_array(array) ?
		bt_value_array_get_length(array) : 0;
}

/* Of the streams of one trace. */
static bool find_newest(const bt_value *trace, int64_t *newest)
{
	const bt_value *streams = entry(trace, "stream-infos"), *end;
	bool is_told = false;
	uint64_t i;

	for (i = 0; i < length_of(streams); i++) {
		end = entry(entry(bt_value_array_borrow_element_by_index_const(
			streams, i), "range-ns"), "end");
		if (!end || !bt_value_is_signed_integer(end))
			continue;
		*newest = MAX(*newest, bt_value_integer_signed_get(end));
		is_told = true;
	}
	return is_told;
}

bool folder_newest(const char *folder, int64_t *newest)
{
	const bt_plugin *plugin = NULL;
	const bt_value *infos = NULL;
	bool is_told = false;
	uint64_t i;

	*newest = INT64_MIN;
	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, BT_FALSE,
			&plugin) == BT_PLUGIN_FIND_STATUS_OK)
		infos = query(plugin, folder);
	for (i = 0; i < length_of(infos); i++)
		is_told |= find_newest(
			bt_value_array_borrow_element_by_index_const(infos, i),
			newest);
	bt_value_put_ref(infos);
	bt_plugin_put_ref(plugin);
	/* What it could not tell is no error of ours. */
	bt_current_thread_clear_error();
	return is_told;
}
