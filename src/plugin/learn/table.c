/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <string.h>

/* The last one knows every tracer. */
static const struct learn_table *const tables[] = {
	&learn_lttng_kernel,
	&learn_lttng_ust,
	&learn_perf,
	&learn_any,
};

const struct learn_table *learn_table_choose(const struct learn_tracer *tracer)
{
	size_t i = 0;

	while (!tables[i]->knows(tracer))
		i++;
	return tables[i];
}

const struct learn_table *learn_table_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (strcmp(tables[i]->name, name) == 0)
			return tables[i];
	}
	return NULL;
}
