/* SPDX-License-Identifier: MIT */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ust_load

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "ust-load-tp.h"

#if !defined(UST_LOAD_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define UST_LOAD_TP_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(ust_load, work,
	LTTNG_UST_TP_ARGS(int, seq),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, seq, seq)
	)
)

#endif

#include <lttng/tracepoint-event.h>
