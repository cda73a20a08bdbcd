/* SPDX-License-Identifier: MIT */

/*
 * Another program, of which less is told than of the one before.
 */

#include "history-private.h"

enum commcache_history_status commcache_history_program(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm)
{
	/* No other life: what its numbers mean outside is the same. */
	struct change took = { .kind = CHANGE_TOOK, .value = COMM_UNKNOWN };
	enum commcache_history_status status, weak;

	if (!thread || !comm)
		return COMMCACHE_HISTORY_INVALID;
	moment = moment_fit(moment);
	status = thread_add(thread_route(thread, moment), moment, &took, 1);
	if (status < 0)
		return status;
	weak = commcache_history_procname(thread, moment, comm);
	return weak < 0 ? weak : status;
}
