/* SPDX-License-Identifier: MIT */
#include "table.h"

const struct learn_table *learn_table_choose(const struct learn_tracer *tracer)
{
	/* The last one knows every tracer. */
	static const struct learn_table *const tables[] = {
		&learn_lttng_kernel,
		&learn_lttng_ust,
		&learn_perf,
		&learn_any,
	};
	size_t i = 0;

	while (!tables[i]->knows(tracer))
		i++;
	return tables[i];
}
