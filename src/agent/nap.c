/* SPDX-License-Identifier: MIT */

#include <time.h>

#include "cancel.h"
#include "nap.h"

void agent_nap(long ns)
{
	const struct timespec time = { .tv_nsec = ns };
	struct agent_cancel cancel = agent_cancel_off();

	nanosleep(&time, NULL);
	agent_cancel_restore(cancel);
}
