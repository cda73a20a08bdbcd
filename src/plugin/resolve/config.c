/* SPDX-License-Identifier: MIT */
#include "resolve/config.h"

#include <glib.h>
#include <string.h>

void naming_config_init(struct naming_config *config)
{
	*config = (struct naming_config) {
		.field_name = g_strdup("comm"),
		.ids = g_new0(char *, 1),
		.keep = g_new0(char *, 1),
		.infer_current = true,
		.unknown = g_strdup("<...>"),
	};
}

void naming_config_finish(struct naming_config *config)
{
	g_free((char *) config->field_name);
	g_free((char *) config->unknown);
	g_strfreev(config->ids);
	g_strfreev(config->keep);
	naming_seed_destroy((struct naming_seed *) config->seed);
	/* The component that failed to begin with it finishes it, too. */
	memset(config, 0, sizeof(*config));
}

param_status naming_config_read_infer_current(const struct param_reader *reader,
		const bt_value *value, struct naming_config *config)
{
	return param_read_bool(reader, value, &config->infer_current);
}

param_status naming_config_read_names_from(const struct param_reader *reader,
		const bt_value *value, struct naming_config *config)
{
	struct naming_seed *seed = NULL;
	enum mirror_status load_status;

	if (!bt_value_is_string(value)) {
		return param_wrong_type(reader, "a string, the path of a file",
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
			PARAM_MEMORY_ERROR : PARAM_ERROR;
	}

	config->seed = seed;
	return PARAM_OK;
}
