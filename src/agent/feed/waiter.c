/* SPDX-License-Identifier: MIT */

/*
 * The thread that opens the rings, keeps their descriptors, and waits for the
 * kernel to tell that one of them fills.
 */

#include <errno.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../nap.h"
#include "../proc.h"
#include "cpus.h"
#include "futex.h"
#include "threads.h"

/* For CPUs that come, so often. */
#define LOOK_MS		1000

/* Linux 5.9 and later, linux/close_range.h. */
#define CLOSE_RANGE_IN_OWN_TABLE	(1U << 1)

/* Where it is refused to wait, the reader looks by itself: every now and then. */
#define REFUSED_NS	100000000L

#define EVENTS	16

/* At a start as in /proc/self/task; then, when CPUs come. */
static char tasks[32768] __attribute__((aligned(8)));

static bool open_thread(const struct agent_proc_thread *thread, void *data)
{
	int *error = data;

	if (thread->tid != (pid_t) agent_feed()->reader_tid &&
			thread->tid != (pid_t) agent_feed()->waiter_tid)
		*error = feed_open_thread(&feed_rings, thread->tid);
	return !*error;
}

/* 0 or an error number. */
static int open_threads(void)
{
	int error = 0;

	feed_open_begin(&feed_rings);
	if (!agent_proc_for_each_thread_in(tasks, sizeof(tasks), open_thread,
			&error))
		return ENOENT;
	/* Of what there are no records, the calls are to tell. */
	return error ? error : feed_open_is_none(&feed_rings) ? ESRCH : 0;
}

static bool is_shortage(int error)
{
	return error == EPERM || error == ENOMEM;
}

static int open_rings(void)
{
	int error = open_threads();

	while (is_shortage(error) && feed_open_smaller(&feed_rings))
		error = open_threads();
	return error;
}

/*
 * Edge-triggered: a ring that is not read, as nobody wants it, does not wake
 * us again and again; nor does one whose threads have all ended.
 */
static void wait_for_new(int epoll)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	size_t cpu;

	for (cpu = 0; cpu < feed_rings.count; cpu++) {
		if (!feed_rings.event[cpu].is_new)
			continue;
		feed_rings.event[cpu].is_new = false;
		(void) epoll_ctl(epoll, EPOLL_CTL_ADD,
				feed_rings.event[cpu].fd, &event);
	}
}

/*
 * A table of descriptors of our own, with nothing in it: in one system call,
 * so that we never hold any of the program's.
 */
static bool leave_table(void)
{
	return !syscall(SYS_close_range, 0U, ~0U, CLOSE_RANGE_IN_OWN_TABLE);
}

/* The descriptor to wait with; -1: it failed, and is told. */
static int start(void)
{
	int epoll;

	agent_feed()->tried = "close_range";
	if (!leave_table())
		goto error;
	agent_feed()->tried = "epoll_create1";
	epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll < 0)
		goto error;
	(void) feed_cpus_changed();
	agent_feed()->tried = "perf_event_open";
	errno = open_rings();
	if (errno)
		goto error;
	wait_for_new(epoll);
	return epoll;
error:
	agent_feed()->error = errno;
	return -1;
}

static void call_reader(void)
{
	if (agent_feed_is_on())
		agent_feed_call();
}

/* A CPU that was offline. If it can not be watched, the others still are. */
static void look_for_cpus(int epoll)
{
	if (!agent_feed_is_on() || !feed_cpus_changed())
		return;
	(void) open_threads();
	wait_for_new(epoll);
	/* What was renamed there meanwhile. */
	__atomic_store_n(&agent_feed()->broken, 1, __ATOMIC_RELEASE);
}

/* It is not to be watched: its tid is to be known. */
static void wait_for_reader(void)
{
	while (!__atomic_load_n(&agent_feed()->reader_tid, __ATOMIC_ACQUIRE))
		feed_futex_wait(&agent_feed()->reader_tid, 0, LOOK_MS);
}

void *feed_wait(void *data)
{
	struct epoll_event events[EVENTS];
	int epoll, ready;

	(void) data;
	feed_name_thread("commcache-wait");
	agent_feed()->waiter_tid = (uint32_t) syscall(SYS_gettid);
	wait_for_reader();
	epoll = start();
	if (!feed_change_state(FEED_STARTING, epoll < 0 ? FEED_FAILED :
			FEED_ASLEEP) || epoll < 0)
		return NULL;
	for (;;) {
		ready = epoll_wait(epoll, events, EVENTS, LOOK_MS);
		if (ready > 0)
			call_reader();
		else if (ready == 0 || errno == EINTR)
			look_for_cpus(epoll);
		else
			agent_nap(REFUSED_NS);
	}
}
