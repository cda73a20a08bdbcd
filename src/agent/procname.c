/* SPDX-License-Identifier: MIT */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <lttng/ust-events.h>

#include "debug.h"
#include "procname.h"

static bool kept;

void agent_procname_start(void)
{
	const char *value = getenv("COMMCACHE_PROCNAME");

	kept = value && !strcmp(value, "keep");
	if (kept)
		agent_debug("procname: left as LTTng-UST has it, COMMCACHE_PROCNAME=keep");
}

void agent_procname_renamed(void)
{
	if (!kept)
		lttng_ust_context_procname_reset();
}

void agent_procname_started(void)
{
	lttng_ust_context_procname_reset();
}
