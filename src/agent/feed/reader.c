/* SPDX-License-Identifier: MIT */

/*
 * The thread that reads the rings while a session wants what is in them.
 */

#include <sys/syscall.h>
#include <unistd.h>

#include "../nap.h"
#include "futex.h"
#include "merge.h"
#include "threads.h"
#include "write.h"

/*
 * What is in the rings is read so often, if they do not fill before. What is
 * there when the process ends without destructors, as by _exit(2), is not.
 */
#define READ_MS		20

/*
 * A child that is forked to exec another program does so within this, and
 * stops the reader wherever it is. In the midst of an event that would be bad:
 * LTTng waits for the event's end, and lttng destroy with it. So at first the
 * records stay where they are, unless a ring fills.
 */
#define YOUNG_MS	100

/* A session that does not tell us of its start (lttng enable-event, later). */
#define LOOK_MS		1000

/*
 * A record is of a time a little before the kernel puts it into its ring; it
 * is given so long, so that records of different rings are in order.
 */
#define SETTLE_NS	100000

/* To try again to have the rings to itself. */
#define LOCKED_NS	1000000L

static bool lock(void)
{
	return !__atomic_exchange_n(&agent_feed()->reading, 1, __ATOMIC_ACQUIRE);
}

static void unlock(void)
{
	__atomic_store_n(&agent_feed()->reading, 0, __ATOMIC_RELEASE);
}

/* The kernel does not tell of a loss before there is something else to tell. */
static void look_for_losses(void)
{
	size_t i;

	for (i = 0; i < feed_rings.count; i++) {
		if (!feed_rings.ring[i].full)
			continue;
		feed_rings.ring[i].full = false;
		__atomic_store_n(&agent_feed()->broken, 1, __ATOMIC_RELEASE);
	}
}

bool feed_read_until(uint64_t limit)
{
	if (!lock())
		return false;
	feed_merge(feed_rings.ring, feed_rings.count, feed_rings.heap, limit,
			feed_write_record);
	look_for_losses();
	feed_write_mend();
	unlock();
	return true;
}

/* What is there is from before, when nobody wanted it. */
static void wake(void)
{
	size_t i;

	if (!feed_change_state(FEED_ASLEEP, FEED_WAKING))
		return;
	/* The process ends, or so it seems: not now. */
	if (!lock()) {
		(void) feed_change_state(FEED_WAKING, FEED_ASLEEP);
		agent_nap(LOCKED_NS);
		return;
	}
	for (i = 0; i < feed_rings.count; i++) {
		if (feed_ring_is_open(&feed_rings.ring[i]))
			feed_ring_drop(&feed_rings.ring[i]);
	}
	feed_write_look();
	unlock();
	(void) feed_change_state(FEED_WAKING, FEED_AWAKE);
}

static enum feed_state state_now(void)
{
	return __atomic_load_n(&agent_feed()->state, __ATOMIC_ACQUIRE);
}

/* For a call, that many milliseconds at most. */
static void wait_for_call(uint32_t calls, unsigned int ms)
{
	feed_futex_wait(&agent_feed()->calls, calls, ms);
}

static bool is_a_ring_filling(void)
{
	size_t i;

	for (i = 0; i < feed_rings.count; i++) {
		if (feed_ring_is_open(&feed_rings.ring[i]) &&
				feed_ring_is_filling(&feed_rings.ring[i]))
			return true;
	}
	return false;
}

/* old_at: when the process is not young any more. */
static void read_while_wanted(uint64_t old_at)
{
	uint32_t calls;

	while (state_now() == FEED_AWAKE && feed_write_wanted()) {
		calls = __atomic_load_n(&agent_feed()->calls, __ATOMIC_ACQUIRE);
		if (agent_feed_now() >= old_at || is_a_ring_filling())
			(void) feed_read_until(agent_feed_now() - SETTLE_NS);
		wait_for_call(calls, READ_MS);
	}
	(void) feed_change_state(FEED_AWAKE, FEED_ASLEEP);
}

static void wait_while(enum feed_state state)
{
	while (state_now() == state)
		feed_futex_wait(&agent_feed()->state, state, LOOK_MS);
}

void *feed_read(void *data)
{
	const uint64_t old_at = agent_feed_now() + YOUNG_MS * UINT64_C(1000000);
	uint32_t calls;

	(void) data;
	feed_name_thread("commcache-feed");
	__atomic_store_n(&agent_feed()->reader_tid,
			(uint32_t) syscall(SYS_gettid), __ATOMIC_RELEASE);
	feed_futex_wake(&agent_feed()->reader_tid);
	wait_while(FEED_STARTING);
	while (state_now() >= FEED_ASLEEP) {
		calls = __atomic_load_n(&agent_feed()->calls, __ATOMIC_ACQUIRE);
		if (feed_write_wanted()) {
			wake();
			read_while_wanted(old_at);
		} else {
			wait_for_call(calls, LOOK_MS);
		}
	}
	/* Not a return: a thread's end runs code while the process's does. */
	wait_while(FEED_ENDED);
	return NULL;
}
