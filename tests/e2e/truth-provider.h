/* SPDX-License-Identifier: MIT */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER truth

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./truth-provider.h"

#if !defined(TRUTH_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define TRUTH_PROVIDER_H

#include <lttng/tracepoint.h>

/* The name that the thread really has at this moment. */
LTTNG_UST_TRACEPOINT_EVENT(truth, name,
	LTTNG_UST_TP_ARGS(int, sequence, const char *, name),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, sequence, sequence)
		lttng_ust_field_string(name, name)
	)
)

#endif /* TRUTH_PROVIDER_H */

#include <lttng/tracepoint-event.h>
