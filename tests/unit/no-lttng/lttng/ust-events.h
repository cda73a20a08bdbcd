/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_NO_LTTNG_UST_EVENTS_H
#define COMMCACHE_TESTS_NO_LTTNG_UST_EVENTS_H

/* See tracepoint.h. */

#include "tracepoint.h"

void lttng_ust_context_procname_reset(void);
int lttng_ust_tracepoint_provider_register(const char *provider,
		const char *event, void (*probe)(void), void *data,
		const char *signature);

#endif /* COMMCACHE_TESTS_NO_LTTNG_UST_EVENTS_H */
