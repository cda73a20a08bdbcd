/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "futex.h"
#include "threads.h"

/* Of reading a name that changes all the time. */
#define NAME_TRIES	10

struct feed *agent_feed_published;
struct feed_rings feed_rings;

void feed_name_thread(const char *name)
{
	/* The system call: we stand before the C library's. */
	syscall(SYS_prctl, PR_SET_NAME, name, 0, 0, 0);
}

bool feed_change_state(enum feed_state from, enum feed_state to)
{
	struct feed *feed = agent_feed();
	uint32_t state = from;
	bool changed = __atomic_compare_exchange_n(&feed->state, &state, to,
			false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);

	if (changed)
		feed_futex_wake(&feed->state);
	return changed;
}

void agent_feed_call(void)
{
	struct feed *feed = agent_feed();
	int saved_errno = errno;

	if (!feed)
		return;
	__atomic_fetch_add(&feed->calls, 1, __ATOMIC_RELEASE);
	feed_futex_wake(&feed->calls);
	errno = saved_errno;
}

bool agent_feed_comm(const struct agent_proc_thread *thread,
		struct commcache_comm *comm, uint64_t *ts)
{
	struct commcache_comm before;
	bool lives = agent_proc_thread_comm(thread, comm);
	int tries;

	*ts = 0;
	if (!agent_feed_is_on())
		return lives;
	/* A name that is the same before and after was so in between. */
	for (tries = 0; lives && tries < NAME_TRIES; tries++) {
		before = *comm;
		*ts = agent_feed_now();
		lives = agent_proc_thread_comm(thread, comm);
		if (commcache_comm_equal(&before, comm))
			break;
	}
	return lives;
}
