/* SPDX-License-Identifier: MIT */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER pool

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./pool-provider.h"

#if !defined(POOL_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define POOL_PROVIDER_H

#include <lttng/tracepoint.h>

/* What a worker does with a job. */
LTTNG_UST_TRACEPOINT_EVENT(pool, job,
	LTTNG_UST_TP_ARGS(int, number, const char *, step),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, number, number)
		lttng_ust_field_string(step, step)
	)
)

#endif /* POOL_PROVIDER_H */

#include <lttng/tracepoint-event.h>
