/* SPDX-License-Identifier: MIT */
#include "resolve/params.h"

#include <glib.h>

/* As CTF has it, so that the output can be written as such. */
static bool is_identifier(const char *text)
{
	size_t i;

	if (g_ascii_isdigit(text[0]) || text[0] == '\0')
		return false;
	for (i = 0; text[i]; i++) {
		if (!g_ascii_isalnum(text[i]) && text[i] != '_')
			return false;
	}

	return true;
}

static enum status check_field_name(const struct param_reader *reader,
		void *place)
{
	const char *text = *(char **) place;

	return is_identifier(text) ? STATUS_OK : param_wrong_value(reader, text,
		"letters, digits and underscores, with no digit first");
}

static const char *const lookahead_words[] = {
	[RESOLVE_LOOKAHEAD_AUTO] = "auto",
	[RESOLVE_LOOKAHEAD_YES] = "yes",
	[RESOLVE_LOOKAHEAD_NO] = "no",
	NULL
};

#define PLACE(member)	.place = offsetof(struct resolve_params, member)

static const struct param known[] = {
	{ "field-name", PARAM_STRING, PLACE(naming.field_name),
		.check = check_field_name },
	{ "ids", PARAM_STRINGS, PLACE(naming.ids) },
	{ "infer-current", PARAM_BOOL, PLACE(naming.infer_current) },
	{ "keep", PARAM_STRINGS, PLACE(naming.keep) },
	{ "learned", PARAM_PATH, PLACE(naming.learned) },
	{ "lookahead", PARAM_WORD, PLACE(lookahead), lookahead_words },
	{ "names-from", PARAM_PATH, PLACE(naming.names_from),
		.check = naming_config_check_names_from },
	{ "progress", PARAM_BOOL, PLACE(progress) },
	{ "provenance", PARAM_BOOL, PLACE(naming.provenance) },
	{ "unknown", PARAM_STRING, PLACE(naming.unknown) },
};

enum status resolve_params_init(struct resolve_params *params,
		bt_self_component *self_component, const bt_value *values)
{
	struct param_reader reader = {
		.self_component = self_component,
		.params = params,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	enum status status;

	params->lookahead = RESOLVE_LOOKAHEAD_AUTO;
	params->progress = false;
	naming_config_init(&params->naming);
	status = param_read_all(&reader, values);
	if (status != STATUS_OK)
		resolve_params_finish(params);
	return status;
}

void resolve_params_finish(struct resolve_params *params)
{
	naming_config_finish(&params->naming);
}
