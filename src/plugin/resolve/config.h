/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_CONFIG_H
#define COMMCACHE_PLUGIN_RESOLVE_CONFIG_H

#include <babeltrace2/babeltrace.h>

#include "param.h"
#include "resolve/naming.h"

/* The parameters of naming, whoever names: the filter, or a sink. */

/* Sets the defaults. */
void naming_config_init(struct naming_config *config);
void naming_config_finish(struct naming_config *config);

/* Loads the file of `names-from`, of whose place in a config it is told. */
enum status naming_config_check_names_from(const struct param_reader *reader,
		void *place);

#endif /* COMMCACHE_PLUGIN_RESOLVE_CONFIG_H */
