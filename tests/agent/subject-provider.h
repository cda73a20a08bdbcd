/* SPDX-License-Identifier: MIT */

/*
 * The tracepoint of the programs under test: what a thread is really called,
 * as the kernel tells it at that moment.
 */

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER subject

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "subject-provider.h"

#if !defined(COMMCACHE_TESTS_SUBJECT_PROVIDER_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define COMMCACHE_TESTS_SUBJECT_PROVIDER_H

#include <lttng/tracepoint.h>

/* The thread tid is called comm. */
LTTNG_UST_TRACEPOINT_EVENT(subject, truth,
	LTTNG_UST_TP_ARGS(
		int, pid,
		int, tid,
		const char *, comm
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, pid, pid)
		lttng_ust_field_integer(int, tid, tid)
		lttng_ust_field_string(comm, comm)
	)
)

/* The same for a reader that is not to learn from it. */
LTTNG_UST_TRACEPOINT_EVENT(subject, called,
	LTTNG_UST_TP_ARGS(
		int, thread,
		const char *, name
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, thread, thread)
		lttng_ust_field_string(name, name)
	)
)

#endif /* COMMCACHE_TESTS_SUBJECT_PROVIDER_H */

#include <lttng/tracepoint-event.h>
