/* SPDX-License-Identifier: MIT */

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER agent_operations

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "agent-operations-provider.h"

#if !defined(COMMCACHE_BENCH_AGENT_OPERATIONS_PROVIDER_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define COMMCACHE_BENCH_AGENT_OPERATIONS_PROVIDER_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(agent_operations, event,
	LTTNG_UST_TP_ARGS(
		unsigned int, number
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(unsigned int, number, number)
	)
)

#endif /* COMMCACHE_BENCH_AGENT_OPERATIONS_PROVIDER_H */

#include <lttng/tracepoint-event.h>
