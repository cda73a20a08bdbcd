/* SPDX-License-Identifier: MIT */
#include "resolve/config.h"

#include <glib.h>
#include <stddef.h>
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
	g_free((char *) config->names_from);
	g_free((char *) config->learned);
	naming_seed_destroy((struct naming_seed *) config->seed);
	/* The component that failed to begin with it finishes it, too. */
	memset(config, 0, sizeof(*config));
}

enum status naming_config_check_names_from(const struct param_reader *reader,
		void *place)
{
	char *path = *(char **) place;
	struct naming_config *config = (struct naming_config *) ((char *) place -
		offsetof(struct naming_config, names_from));
	struct naming_seed *seed = NULL;
	enum status status;

	status = naming_seed_load(reader->self_component, path, &seed);
	config->seed = seed;
	if (status == STATUS_OK)
		return STATUS_OK;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		reader->self_component,
		"Parameter `%s`: the file cannot be used", reader->name);
	return status == STATUS_MEMORY_ERROR ? STATUS_MEMORY_ERROR :
		STATUS_ERROR;
}
