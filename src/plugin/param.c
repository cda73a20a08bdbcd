/* SPDX-License-Identifier: MIT */
#include "param.h"

#include <glib.h>
#include <string.h>

#include <commcache/history.h>

static const char *type_name(const bt_value *value)
{
	switch (bt_value_get_type(value)) {
	case BT_VALUE_TYPE_NULL:
		return "null";
	case BT_VALUE_TYPE_BOOL:
		return "a boolean";
	case BT_VALUE_TYPE_UNSIGNED_INTEGER:
	case BT_VALUE_TYPE_SIGNED_INTEGER:
		return "an integer";
	case BT_VALUE_TYPE_REAL:
		return "a real number";
	case BT_VALUE_TYPE_STRING:
		return "a string";
	case BT_VALUE_TYPE_ARRAY:
		return "an array";
	case BT_VALUE_TYPE_MAP:
		return "a map";
	default:
		return "of an unknown type";
	}
}

static enum status wrong_type(const struct param_reader *reader,
		const char *expected, const bt_value *value)
{
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		reader->self_component,
		"Parameter `%s` has to be %s, and is %s", reader->name,
		expected, type_name(value));
	return STATUS_ERROR;
}

enum status param_wrong_value(const struct param_reader *reader,
		const char *value, const char *expected)
{
	char *shown = g_strescape(value, NULL);

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		reader->self_component,
		"Parameter `%s`: \"%s\" is no good: it has to be %s",
		reader->name, shown, expected);
	g_free(shown);
	return STATUS_ERROR;
}

static enum status unknown_parameter(const struct param_reader *reader)
{
	GString *names = g_string_new(NULL);
	char *shown = g_strescape(reader->name, NULL);
	size_t i;

	for (i = 0; i < reader->known_count; i++)
		g_string_append_printf(names, "%s`%s`", i ? ", " : "",
			reader->known[i].name);
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		reader->self_component,
		"Unknown parameter `%s`: there are %s", shown, names->str);
	g_free(shown);
	g_string_free(names, TRUE);
	return STATUS_ERROR;
}

/* Ends the walk at a name that is not known. */
static bt_value_map_foreach_entry_const_func_status check_name(
		const char *name, const bt_value *value, void *data)
{
	struct param_reader *reader = data;
	size_t i;

	(void) value;
	for (i = 0; i < reader->known_count; i++) {
		if (strcmp(name, reader->known[i].name) == 0)
			return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	}

	reader->name = name;
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
}

static enum status read_bool(const struct param_reader *reader,
		const struct param *param, const bt_value *value, void *place)
{
	bool *out = place;

	(void) param;
	if (!bt_value_is_bool(value))
		return wrong_type(reader, "a boolean (`yes` or `no`)",
			value);
	*out = bt_value_bool_get(value);
	return STATUS_OK;
}

static enum status read_string(const struct param_reader *reader,
		const struct param *param, const bt_value *value, void *place)
{
	char **out = place;

	if (!bt_value_is_string(value))
		return wrong_type(reader, param->type == PARAM_PATH ?
			"a string, the path of a file" : "a string", value);
	g_free(*out);
	*out = g_strdup(bt_value_string_get(value));
	return STATUS_OK;
}

static const char *word_of(const bt_value *value)
{
	if (bt_value_is_bool(value))
		return bt_value_bool_get(value) ? "yes" : "no";
	return bt_value_is_string(value) ? bt_value_string_get(value) : NULL;
}

static enum status read_word(const struct param_reader *reader,
		const struct param *param, const bt_value *value, void *place)
{
	char *listed = g_strjoinv(", ", (char **) param->words);
	char *expected = g_strconcat("one of ", listed, NULL);
	const char *word = word_of(value);
	enum status status;
	unsigned int i;

	for (i = 0; word && param->words[i]; i++) {
		if (strcmp(param->words[i], word) == 0) {
			*(unsigned int *) place = i;
			status = STATUS_OK;
			goto end;
		}
	}

	status = bt_value_is_string(value) ?
		param_wrong_value(reader, word, expected) :
		wrong_type(reader, expected, value);
end:
	g_free(expected);
	g_free(listed);
	return status;
}

static enum status read_strings(const struct param_reader *reader,
		const struct param *param, const bt_value *value, void *place)
{
	static const char expected[] = "a string, or an array of strings";
	uint64_t count = 1;
	char ***out = place;
	char **strings;
	uint64_t i;

	(void) param;
	if (bt_value_is_array(value))
		count = bt_value_array_get_length(value);
	else if (!bt_value_is_string(value))
		return wrong_type(reader, expected, value);
	strings = g_new0(char *, count + 1);
	for (i = 0; i < count; i++) {
		const bt_value *element = bt_value_is_array(value) ?
			bt_value_array_borrow_element_by_index_const(value, i) :
			value;

		if (!bt_value_is_string(element)) {
			g_strfreev(strings);
			BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
				reader->self_component,
				"Parameter `%s` has to be %s, and its element %"
				G_GUINT64_FORMAT " is %s", reader->name,
				expected, i, type_name(element));
			return STATUS_ERROR;
		}

		strings[i] = g_strdup(bt_value_string_get(element));
		if (strings[i][0] == '\0') {
			g_strfreev(strings);
			return param_wrong_value(reader, "", "not empty");
		}
	}

	g_strfreev(*out);
	*out = strings;
	return STATUS_OK;
}

static bool get_integer(const bt_value *value, int64_t *out)
{
	if (bt_value_is_signed_integer(value))
		*out = bt_value_integer_signed_get(value);
	else if (bt_value_is_unsigned_integer(value))
		*out = (int64_t) MIN(bt_value_integer_unsigned_get(value),
			(uint64_t) INT64_MAX);
	else
		return false;
	return true;
}

static enum status read_integer(const struct param_reader *reader,
		const struct param *param, const bt_value *value, void *place)
{
	(void) param;
	return get_integer(value, place) ? STATUS_OK :
		wrong_type(reader, "an integer", value);
}

/* An id, or an array of them. */
static enum status read_ids(const struct param_reader *reader,
		const struct param *param, const bt_value *value, void *place)
{
	const bool is_array = bt_value_is_array(value);
	const uint64_t count = is_array ? bt_value_array_get_length(value) : 1;
	GArray *ids = *(GArray **) place;
	uint64_t i;
	int64_t id;

	(void) param;
	for (i = 0; i < count; i++) {
		const bt_value *element = is_array ?
			bt_value_array_borrow_element_by_index_const(value, i) :
			value;

		if (!get_integer(element, &id))
			return wrong_type(reader,
				"an integer, or an array of integers", element);
		if (id < 0 || id > COMMCACHE_HISTORY_TID_MAX) {
			char shown[24];

			(void) g_snprintf(shown, sizeof(shown),
				"%" G_GINT64_FORMAT, id);
			return param_wrong_value(reader, shown,
				"a number from 0 to 4194304");
		}

		g_array_append_val(ids, id);
	}

	return STATUS_OK;
}

static enum status read_param(struct param_reader *reader,
		const struct param *param, const bt_value *value)
{
	static enum status (*const read[])(const struct param_reader *reader,
			const struct param *param, const bt_value *value,
			void *place) = {
		[PARAM_BOOL] = read_bool,
		[PARAM_STRING] = read_string,
		[PARAM_PATH] = read_string,
		[PARAM_WORD] = read_word,
		[PARAM_STRINGS] = read_strings,
		[PARAM_IDS] = read_ids,
		[PARAM_INTEGER] = read_integer,
	};
	void *place = (char *) reader->params + param->place;
	enum status status;

	reader->name = param->name;
	status = read[param->type](reader, param, value, place);
	return status == STATUS_OK && param->check ?
		param->check(reader, place) : status;
}

enum status param_read_all(struct param_reader *reader, const bt_value *values)
{
	enum status status = STATUS_OK;
	size_t i;

	switch (bt_value_map_foreach_entry_const(values, check_name, reader)) {
	case BT_VALUE_MAP_FOREACH_ENTRY_CONST_STATUS_OK:
		break;
	case BT_VALUE_MAP_FOREACH_ENTRY_CONST_STATUS_INTERRUPTED:
		return unknown_parameter(reader);
	default:
		return STATUS_MEMORY_ERROR;
	}

	for (i = 0; i < reader->known_count && status == STATUS_OK; i++) {
		const bt_value *value = bt_value_map_borrow_entry_value_const(
			values, reader->known[i].name);

		if (value)
			status = read_param(reader, &reader->known[i], value);
	}

	return status;
}
