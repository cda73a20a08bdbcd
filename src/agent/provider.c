/* SPDX-License-Identifier: MIT */

/*
 * The provider's code, made by LTTng-UST's headers, and with it the library's
 * constructor and destructor, for their order: constructors of one file run as
 * they stand in it, and ours needs the provider registered.
 */

/* A failed check of LTTng-UST's must not end the program. */
#define NDEBUG

#define LTTNG_UST_TRACEPOINT_HIDDEN_DEFINITION
#define LTTNG_UST_TRACEPOINT_PROVIDER_HIDDEN_DEFINITION
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE

#define LTTNG_UST_TP_SESSION_CHECK
#include "agent/provider-session.h"
#undef LTTNG_UST_TP_SESSION_CHECK
#include "agent/provider.h"

#include "cancel.h"
#include "copies.h"
#include "debug.h"
#include "feed/launch.h"
#include "names.h"
#include "process.h"
#include "start.h"
#include "statedump.h"

/*
 * Before the provider registers itself, which it does but once: the probes of a
 * copy that is off would write each event a second time.
 */
__attribute__((constructor(101)))
static void keep_copy_off(void)
{
	if (!agent_copies_is_first())
		lttng_ust__probe_register_refcount___commcache++;
}

__attribute__((constructor))
static void load(void)
{
	struct agent_cancel cancel = agent_cancel_off();

	if (agent_start())
		agent_statedump_loaded();
	agent_feed_wait();
	agent_cancel_restore(cancel);
}

__attribute__((destructor))
static void unload(void)
{
	struct agent_cancel cancel;

	if (!agent_process_followed())
		return;
	cancel = agent_cancel_off();
	agent_feed_end();
	agent_process_tell_counts();
	agent_names_tell_counts();
	agent_cancel_restore(cancel);
}
