/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../debug.h"
#include "../nap.h"
#include "../next.h"
#include "../proc.h"
#include "../process.h"
#include "../statedump.h"
#include "cpus.h"
#include "futex.h"
#include "launch.h"
#include "threads.h"
#include "write.h"

/*
 * Whoever waits for the feed goes on without after so long: a second, which a
 * thread that is about to run may have to wait for a CPU of a busy machine.
 */
#define START_MS	1000
#define WAKE_MS		1000

/* At most so often, while a statedump is under way. */
#define STATEDUMP_TRIES	10000

/* At the process's end: for the reader, a millisecond each. */
#define END_TRIES	1000

/*
 * For each CPU, whatever the environment says: the kernel gives root gigabytes,
 * locks them, and takes seconds for that.
 */
#define RING_KIB_MAX	65536

/* COMMCACHE_FEED_KIB: 0 where it is not there or no number. */
static size_t wanted_kib(void)
{
	const char *value = getenv("COMMCACHE_FEED_KIB");
	unsigned long kib;

	/* strtoul() takes -1 for a large number. */
	if (!value || *value < '0' || *value > '9')
		return 0;
	kib = strtoul(value, NULL, 10);
	return kib < RING_KIB_MAX ? kib : RING_KIB_MAX;
}

static bool is_wanted(void)
{
	const char *value = getenv("COMMCACHE_FEED");

	if (!value || !strcmp(value, "") || !strcmp(value, "hooks"))
		return false;
	if (strcmp(value, "perf") && strcmp(value, "auto")) {
		agent_debug("feed: hooks; COMMCACHE_FEED is hooks, perf or auto");
		return false;
	}
	/* Times of ours would be of another clock than those of the events. */
	if (getenv("LTTNG_UST_CLOCK_PLUGIN")) {
		agent_debug("feed: hooks; the trace has another clock than the kernel's records (LTTNG_UST_CLOCK_PLUGIN)");
		return false;
	}
	return true;
}

static struct feed *map_feed(void)
{
	void *memory = mmap(NULL, sizeof(struct feed), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	if (madvise(memory, sizeof(struct feed), MADV_WIPEONFORK)) {
		munmap(memory, sizeof(struct feed));
		return NULL;
	}
	return memory;
}

static int create_thread(void *(*function)(void *data))
{
	pthread_t thread;
	int ret = rcu_dereference(agent_next.pthread_create)(&thread, NULL, function, NULL);

	if (!ret)
		pthread_detach(thread);
	return ret;
}

/* They have all signals blocked from their first moment on. */
static int create_threads(void)
{
	sigset_t all, saved;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &saved);
	ret = create_thread(feed_read);
	if (!ret)
		ret = create_thread(feed_wait);
	pthread_sigmask(SIG_SETMASK, &saved, NULL);
	return ret;
}

static uint32_t state_now(void)
{
	return __atomic_load_n(&agent_feed()->state, __ATOMIC_ACQUIRE);
}

/* Until the state is another; false: it takes too long. */
static bool wait_while(uint32_t state, unsigned int ms)
{
	const uint64_t end = agent_feed_now() + ms * UINT64_C(1000000);

	while (state_now() == state && agent_feed_now() < end)
		feed_futex_wait(&agent_feed()->state, state, ms);
	return state_now() != state;
}

static void tell(void)
{
	if (state_now() == FEED_FAILED)
		agent_debug("feed: hooks; the kernel's records can not be had: %s: %s",
				agent_feed()->tried, strerror(agent_feed()->error));
	else
		agent_debug("feed: perf; %zu KiB for each of %zu CPUs",
				feed_rings.bytes / 1024, feed_rings.count);
}

static void start_threads(void)
{
	int ret;

	__atomic_store_n(&agent_feed()->state, FEED_STARTING, __ATOMIC_RELEASE);
	ret = create_threads();
	if (ret) {
		agent_feed()->tried = "pthread_create";
		agent_feed()->error = ret;
		(void) feed_change_state(FEED_STARTING, FEED_FAILED);
	}
	/* Both wait for longer than this, if need be, and start late then. */
	(void) wait_while(FEED_STARTING, START_MS);
	tell();
}

void agent_feed_start(void)
{
	struct feed *feed;
	int ret;

	if (!is_wanted())
		return;
	ret = feed_open_try();
	if (ret) {
		agent_debug("feed: hooks; the kernel's records can not be had: perf_event_open: %s",
				strerror(ret));
		return;
	}
	feed = map_feed();
	if (!feed || !feed_write_start() ||
			!feed_rings_allocate(&feed_rings, feed_cpus_possible(),
				wanted_kib())) {
		agent_debug("feed: hooks; no memory");
		return;
	}
	/* Last: LTTng-UST's threads may tell of a session meanwhile. */
	rcu_assign_pointer(agent_feed_published, feed);
	start_threads();
}

void agent_feed_follow(void)
{
	int saved_errno = errno;

	if (!agent_feed() || state_now() != FEED_NONE || !feed_write_start())
		goto end;
	feed_rings_reset(&feed_rings);
	start_threads();
end:
	errno = saved_errno;
}

void agent_feed_wait(void)
{
	int saved_errno = errno, tries;

	if (!agent_feed() || state_now() < FEED_ASLEEP || !feed_write_wanted())
		goto end;
	agent_feed_call();
	if (wait_while(FEED_ASLEEP, WAKE_MS))
		(void) wait_while(FEED_WAKING, WAKE_MS);
	/*
	 * Else a child that is about to exec would stop LTTng-UST in the midst
	 * of it, as we have kept the child for so long: see YOUNG_MS.
	 */
	for (tries = 0; !agent_statedump_is_over() && tries < STATEDUMP_TRIES;
			tries++)
		agent_nap(AGENT_NAP_NS);
end:
	errno = saved_errno;
}

void agent_feed_end(void)
{
	int tries;

	if (!agent_feed_is_on())
		return;
	for (tries = 0; tries < END_TRIES; tries++) {
		if (feed_read_until(UINT64_MAX))
			break;
		/* Nobody wakes us: a nap, and no cancellation point. */
		feed_futex_wait(&agent_feed()->reading, 1, 1);
	}
	(void) feed_change_state(FEED_AWAKE, FEED_ENDED);
}
