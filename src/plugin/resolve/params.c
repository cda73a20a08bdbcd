/* SPDX-License-Identifier: MIT */
#include "resolve/params.h"

#include <glib.h>
#include <stddef.h>
#include <string.h>

/* While parameters are read. */
struct reader {
	struct resolve_params *params;
	/* Weak. */
	bt_self_component *self_component;
	/* The parameter that is read. */
	const char *name;
};

typedef bt_component_class_initialize_method_status init_status;

static const init_status ok = BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
static const init_status error = BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;

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

static init_status wrong_type(const struct reader *reader, const char *expected,
		const bt_value *value)
{
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		reader->self_component,
		"Parameter `%s` has to be %s, and is %s", reader->name,
		expected, type_name(value));
	return error;
}

static init_status wrong_value(const struct reader *reader, const char *value,
		const char *expected)
{
	char *shown = g_strescape(value, NULL);

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		reader->self_component,
		"Parameter `%s`: \"%s\" is no good: it has to be %s",
		reader->name, shown, expected);
	g_free(shown);
	return error;
}

/* As CTF has it, so that the output can be written as such. */
static bool is_identifier(const char *text)
{
	size_t i;

	if (g_ascii_isdigit(text[0]) || text[0] == '\0') {
		return false;
	}

	for (i = 0; text[i]; i++) {
		if (!g_ascii_isalnum(text[i]) && text[i] != '_') {
			return false;
		}
	}

	return true;
}

static init_status read_field_name(struct reader *reader, const bt_value *value)
{
	const char *text;

	if (!bt_value_is_string(value)) {
		return wrong_type(reader, "a string", value);
	}

	text = bt_value_string_get(value);
	if (!is_identifier(text)) {
		return wrong_value(reader, text,
			"letters, digits and underscores, with no digit first");
	}

	g_free((char *) reader->params->naming.field_name);
	reader->params->naming.field_name = g_strdup(text);
	return ok;
}

static init_status read_unknown(struct reader *reader, const bt_value *value)
{
	if (!bt_value_is_string(value)) {
		return wrong_type(reader, "a string", value);
	}

	g_free((char *) reader->params->naming.unknown);
	reader->params->naming.unknown =
		g_strdup(bt_value_string_get(value));
	return ok;
}

/* The command line makes booleans of an unquoted yes and no. */
static init_status read_lookahead(struct reader *reader, const bt_value *value)
{
	enum resolve_lookahead *lookahead = &reader->params->lookahead;
	const char *text;

	if (bt_value_is_bool(value)) {
		*lookahead = bt_value_bool_get(value) ?
			RESOLVE_LOOKAHEAD_YES : RESOLVE_LOOKAHEAD_NO;
		return ok;
	}

	if (!bt_value_is_string(value)) {
		return wrong_type(reader, "`auto`, `yes` or `no`", value);
	}

	text = bt_value_string_get(value);
	if (strcmp(text, "auto") == 0) {
		*lookahead = RESOLVE_LOOKAHEAD_AUTO;
	} else if (strcmp(text, "yes") == 0) {
		*lookahead = RESOLVE_LOOKAHEAD_YES;
	} else if (strcmp(text, "no") == 0) {
		*lookahead = RESOLVE_LOOKAHEAD_NO;
	} else {
		return wrong_value(reader, text, "`auto`, `yes` or `no`");
	}

	return ok;
}

static init_status read_bool(struct reader *reader, const bt_value *value,
		bool *out)
{
	if (!bt_value_is_bool(value)) {
		return wrong_type(reader, "a boolean (`yes` or `no`)", value);
	}

	*out = bt_value_bool_get(value);
	return ok;
}

static init_status read_infer_current(struct reader *reader, const bt_value *value)
{
	return read_bool(reader, value, &reader->params->naming.infer_current);
}

static init_status read_provenance(struct reader *reader, const bt_value *value)
{
	return read_bool(reader, value, &reader->params->naming.provenance);
}

/* An array of strings, none of them empty; or one string. */
static init_status read_strings(struct reader *reader, const bt_value *value,
		char ***out)
{
	static const char expected[] = "a string, or an array of strings";
	uint64_t count = 1;
	char **strings;
	uint64_t i;

	if (bt_value_is_array(value)) {
		count = bt_value_array_get_length(value);
	} else if (!bt_value_is_string(value)) {
		return wrong_type(reader, expected, value);
	}

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
			return error;
		}

		strings[i] = g_strdup(bt_value_string_get(element));
		if (strings[i][0] == '\0') {
			g_strfreev(strings);
			return wrong_value(reader, "", "not empty");
		}
	}

	g_strfreev(*out);
	*out = strings;
	return ok;
}

static init_status read_ids(struct reader *reader, const bt_value *value)
{
	return read_strings(reader, value, &reader->params->naming.ids);
}

static init_status read_keep(struct reader *reader, const bt_value *value)
{
	return read_strings(reader, value, &reader->params->naming.keep);
}

static init_status read_names_from(struct reader *reader, const bt_value *value)
{
	struct naming_seed *seed = NULL;
	enum mirror_status load_status;

	if (!bt_value_is_string(value)) {
		return wrong_type(reader, "a string, the path of a file",
			value);
	}

	load_status = naming_seed_load(reader->self_component,
		bt_value_string_get(value), &seed);
	if (load_status != MIRROR_STATUS_OK) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			reader->self_component,
			"Parameter `%s`: the file cannot be used",
			reader->name);
		return load_status == MIRROR_STATUS_MEMORY_ERROR ?
			BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR :
			error;
	}

	reader->params->naming.seed = seed;
	return ok;
}

static const struct {
	const char *name;
	init_status (*read)(struct reader *reader, const bt_value *value);
} known[] = {
	{ "field-name", read_field_name },
	{ "ids", read_ids },
	{ "infer-current", read_infer_current },
	{ "keep", read_keep },
	{ "lookahead", read_lookahead },
	{ "names-from", read_names_from },
	{ "provenance", read_provenance },
	{ "unknown", read_unknown },
};

static init_status unknown_parameter(const struct reader *reader)
{
	GString *names = g_string_new(NULL);
	char *shown = g_strescape(reader->name, NULL);
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(known); i++) {
		g_string_append_printf(names, "%s`%s`", i ? ", " : "",
			known[i].name);
	}

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		reader->self_component,
		"Unknown parameter `%s`: there are %s", shown, names->str);
	g_free(shown);
	g_string_free(names, TRUE);
	return error;
}

/* Ends the walk at a name that is not known. */
static bt_value_map_foreach_entry_const_func_status check_name(
		const char *name, const bt_value *value, void *data)
{
	struct reader *reader = data;
	size_t i;

	(void) value;
	for (i = 0; i < G_N_ELEMENTS(known); i++) {
		if (strcmp(name, known[i].name) == 0) {
			return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
		}
	}

	reader->name = name;
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
}

static init_status read_all(struct reader *reader, const bt_value *values)
{
	init_status result = ok;
	size_t i;

	switch (bt_value_map_foreach_entry_const(values, check_name, reader)) {
	case BT_VALUE_MAP_FOREACH_ENTRY_CONST_STATUS_OK:
		break;
	case BT_VALUE_MAP_FOREACH_ENTRY_CONST_STATUS_INTERRUPTED:
		return unknown_parameter(reader);
	default:
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	}

	for (i = 0; i < G_N_ELEMENTS(known) && result == ok; i++) {
		const bt_value *value = bt_value_map_borrow_entry_value_const(
			values, known[i].name);

		reader->name = known[i].name;
		if (value) {
			result = known[i].read(reader, value);
		}
	}

	return result;
}

init_status resolve_params_init(struct resolve_params *params,
		bt_self_component *self_component, const bt_value *values)
{
	struct reader reader = {
		.params = params,
		.self_component = self_component,
	};
	init_status result;

	*params = (struct resolve_params) {
		.lookahead = RESOLVE_LOOKAHEAD_AUTO,
		.naming = {
			.field_name = g_strdup("comm"),
			.ids = g_new0(char *, 1),
			.keep = g_new0(char *, 1),
			.infer_current = true,
			.unknown = g_strdup("<...>"),
		},
	};
	result = read_all(&reader, values);
	if (result != ok) {
		resolve_params_finish(params);
	}

	return result;
}

void resolve_params_finish(struct resolve_params *params)
{
	struct naming_config *naming = &params->naming;

	g_free((char *) naming->field_name);
	g_free((char *) naming->unknown);
	g_strfreev(naming->ids);
	g_strfreev(naming->keep);
	naming_seed_destroy((struct naming_seed *) naming->seed);
}
