/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_CANCEL_H
#define COMMCACHE_AGENT_CANCEL_H

/*
 * What we do for a thread is no cancellation point of it, and is never cut
 * short: LTTng-UST's ring buffer calls write() while an event is open, and a
 * thread that ended there would leave it open, with lttng destroy waiting for
 * it for ever. A cancellation that comes meanwhile is acted upon where it
 * would be without us.
 */

#include <pthread.h>

struct agent_cancel {
	int state;
	int type;
};

/*
 * Both are async-signal-safe in glibc. The type, too: a cancellation that was
 * sent before it was forbidden ends a thread of the asynchronous type still.
 */
static inline struct agent_cancel agent_cancel_off(void)
{
	struct agent_cancel cancel;

	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &cancel.type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel.state);
	return cancel;
}

/* Of asynchronous cancellation, the caller may end here. */
static inline void agent_cancel_restore(struct agent_cancel cancel)
{
	pthread_setcancelstate(cancel.state, &cancel.state);
	pthread_setcanceltype(cancel.type, &cancel.type);
}

#endif /* COMMCACHE_AGENT_CANCEL_H */
