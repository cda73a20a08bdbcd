/* SPDX-License-Identifier: MIT */

#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "procname.h"

bool agent_procname_read;

static bool kept;

void agent_procname_start(void)
{
	const char *value = getenv("COMMCACHE_PROCNAME");

	kept = value && !strcmp(value, "keep");
	if (kept)
		agent_debug("procname: left as LTTng-UST has it, COMMCACHE_PROCNAME=keep");
}

void agent_procname_session(void)
{
	if (!kept)
		__atomic_store_n(&agent_procname_read, true, __ATOMIC_RELAXED);
}
