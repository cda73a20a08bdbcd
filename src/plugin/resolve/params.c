/* SPDX-License-Identifier: MIT */
#include "resolve/params.h"

#include <glib.h>

static struct naming_config *config_of(const struct param_reader *reader)
{
	return &((struct resolve_params *) reader->params)->naming;
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

static param_status read_field_name(struct param_reader *reader,
		const bt_value *value)
{
	const char *text;

	if (!bt_value_is_string(value)) {
		return param_wrong_type(reader, "a string", value);
	}

	text = bt_value_string_get(value);
	if (!is_identifier(text)) {
		return param_wrong_value(reader, text,
			"letters, digits and underscores, with no digit first");
	}

	return param_read_string(reader, value,
		(char **) &config_of(reader)->field_name);
}

static param_status read_unknown(struct param_reader *reader,
		const bt_value *value)
{
	return param_read_string(reader, value,
		(char **) &config_of(reader)->unknown);
}

/* The command line makes booleans of an unquoted yes and no. */
static param_status read_lookahead(struct param_reader *reader,
		const bt_value *value)
{
	static const char *const words[] = {
		[RESOLVE_LOOKAHEAD_AUTO] = "auto",
		[RESOLVE_LOOKAHEAD_YES] = "yes",
		[RESOLVE_LOOKAHEAD_NO] = "no",
		NULL
	};
	struct resolve_params *params = reader->params;
	param_status status;
	int word;

	if (bt_value_is_bool(value)) {
		params->lookahead = bt_value_bool_get(value) ?
			RESOLVE_LOOKAHEAD_YES : RESOLVE_LOOKAHEAD_NO;
		return PARAM_OK;
	}

	status = param_read_word(reader, value, words, &word);
	if (status == PARAM_OK) {
		params->lookahead = word;
	}

	return status;
}

static param_status read_infer_current(struct param_reader *reader,
		const bt_value *value)
{
	return naming_config_read_infer_current(reader, value,
		config_of(reader));
}

static param_status read_provenance(struct param_reader *reader,
		const bt_value *value)
{
	return param_read_bool(reader, value, &config_of(reader)->provenance);
}

static param_status read_ids(struct param_reader *reader,
		const bt_value *value)
{
	return param_read_strings(reader, value, &config_of(reader)->ids);
}

static param_status read_keep(struct param_reader *reader,
		const bt_value *value)
{
	return param_read_strings(reader, value, &config_of(reader)->keep);
}

static param_status read_names_from(struct param_reader *reader,
		const bt_value *value)
{
	return naming_config_read_names_from(reader, value, config_of(reader));
}

static param_status read_progress(struct param_reader *reader,
		const bt_value *value)
{
	return param_read_bool(reader, value,
		&((struct resolve_params *) reader->params)->progress);
}

static const struct param known[] = {
	{ "field-name", read_field_name },
	{ "ids", read_ids },
	{ "infer-current", read_infer_current },
	{ "keep", read_keep },
	{ "lookahead", read_lookahead },
	{ "names-from", read_names_from },
	{ "progress", read_progress },
	{ "provenance", read_provenance },
	{ "unknown", read_unknown },
};

param_status resolve_params_init(struct resolve_params *params,
		bt_self_component *self_component, const bt_value *values)
{
	struct param_reader reader = {
		.self_component = self_component,
		.params = params,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	param_status status;

	params->lookahead = RESOLVE_LOOKAHEAD_AUTO;
	params->progress = false;
	naming_config_init(&params->naming);
	status = param_read_all(&reader, values);
	if (status != PARAM_OK) {
		resolve_params_finish(params);
	}

	return status;
}

void resolve_params_finish(struct resolve_params *params)
{
	naming_config_finish(&params->naming);
}
