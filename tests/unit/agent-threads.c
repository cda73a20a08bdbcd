/* SPDX-License-Identifier: MIT */

/*
 * The agent's own files as ThreadSanitizer sees them, all but those that stand
 * before fork(): threads begin, name themselves and each other, and end, while
 * sessions come and go and the kernel's records are read. LTTng-UST and the
 * kernel's rings are played here (no-lttng/).
 *
 * usage: agent-threads [ROUNDS]
 */

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <lttng/ust-events.h>

#include "agent/debug.h"
#include "agent/feed/feed.h"
#include "agent/feed/launch.h"
#include "agent/fork.h"
#include "agent/process.h"
#include "agent/start.h"
#include "agent/statedump.h"
#include "feed-ring.h"
#include "tap.h"

#define WORKERS		3
#define CPUS		2
#define FIRST_FD	1000
#define RING_BYTES	4096

typedef void (*session_probe)(void *data, struct lttng_ust_session *session);

static session_probe session_starts, session_started;
static bool is_on, is_over;
static unsigned int events;
/* The rings that were asked for. */
static struct perf_event_mmap_page *rings[CPUS];

long __wrap_syscall(long number, ...);
long __real_syscall(long number, ...);
void *__wrap_mmap(void *address, size_t size, int protection, int flags,
		int fd, off_t offset);
void *__real_mmap(void *address, size_t size, int protection, int flags,
		int fd, off_t offset);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_epoll_wait(int fd, struct epoll_event *ready, int count, int ms);
size_t __wrap_feed_cpus_possible(void);
bool __wrap_feed_cpus_changed(void);

static void nap(void)
{
	const struct timespec time = { .tv_nsec = 200000 };

	nanosleep(&time, NULL);
}

/* LTTng-UST. */

bool played_is_on(void)
{
	return __atomic_load_n(&is_on, __ATOMIC_RELAXED);
}

void played_event(int pid, int tid, const char *text, const char *other)
{
	if (pid && tid >= 0 && strlen(text) + strlen(other))
		__atomic_fetch_add(&events, 1, __ATOMIC_RELAXED);
}

void lttng_ust_context_procname_reset(void)
{
}

int lttng_ust_tracepoint_provider_register(const char *provider,
		const char *event, void (*probe)(void), void *data,
		const char *signature)
{
	(void) provider;
	(void) data;
	(void) signature;
	if (!strcmp(event, "start"))
		session_starts = (session_probe) probe;
	else
		session_started = (session_probe) probe;
	return 0;
}

/* Nobody forks here. */
int agent_fork_start(void)
{
	return 0;
}

/* The kernel. The second CPU comes later. */

size_t __wrap_feed_cpus_possible(void)
{
	return CPUS;
}

bool __wrap_feed_cpus_changed(void)
{
	return true;
}

long __wrap_syscall(long number, ...)
{
	static unsigned int asked;
	long argument[6];
	va_list list;
	int i;

	va_start(list, number);
	for (i = 0; i < 6; i++)
		argument[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_close_range)
		return 0;
	if (number == SYS_close && argument[0] >= FIRST_FD)
		return 0;
	if (number != SYS_perf_event_open)
		return __real_syscall(number, argument[0], argument[1],
				argument[2], argument[3], argument[4],
				argument[5]);
	if ((int) argument[2] > 0 && asked++ < 40) {
		errno = ENODEV;
		return -1;
	}
	return FIRST_FD + (int) argument[2];
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags,
		int fd, off_t offset)
{
	struct perf_event_mmap_page *page;

	if (fd < FIRST_FD)
		return __real_mmap(address, size, protection, flags, fd,
				offset);
	page = ring_make(RING_BYTES);
	__atomic_store_n(&rings[fd - FIRST_FD], page, __ATOMIC_RELEASE);
	return page;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	(void) fd;
	(void) request;
	return 0;
}

int __wrap_epoll_wait(int fd, struct epoll_event *ready, int count, int ms)
{
	static unsigned int waits;

	(void) fd;
	(void) ready;
	(void) count;
	(void) ms;
	nap();
	return waits++ % 2;
}

static void put_record(unsigned int number)
{
	const uint32_t tid = (uint32_t) getpid();
	struct perf_event_mmap_page *page = __atomic_load_n(
			&rings[number % CPUS], __ATOMIC_ACQUIRE);
	unsigned char bytes[RECORD_BYTES] __attribute__((aligned(8)));

	if (!page)
		return;
	(void) ring_put(page, number % 3 ?
			record_switch(bytes, tid, agent_feed_now(), 0) :
			record_comm(bytes, tid, tid, agent_feed_now(),
				number % 2 ? "one" : "two"));
	if (number % 64 == 0)
		(void) ring_put(page, record_lost(bytes, 1,
				agent_feed_now()));
}

static void *play_kernel(void *data)
{
	unsigned int number;

	for (number = 0; !__atomic_load_n(&is_over, __ATOMIC_RELAXED);
			number++) {
		put_record(number);
		if (number % 8 == 0)
			nap();
	}
	return data;
}

/* As LTTng-UST's listener: sessions one after the other. */
static void *play_sessions(void *data)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		__atomic_store_n(&is_on, true, __ATOMIC_RELEASE);
		session_starts(NULL, NULL);
		session_started(NULL, NULL);
		nap();
		__atomic_store_n(&is_on, false, __ATOMIC_RELEASE);
		nap();
	}
	return data;
}

static void *name_itself(void *data)
{
	pthread_setname_np(pthread_self(), "itself");
	return data;
}

/* data: what it returns, so often it creates a thread. */
static void *work(void *data)
{
	const unsigned int rounds = *(const unsigned int *) data;
	pthread_t thread;
	unsigned int i;

	for (i = 0; i < rounds; i++) {
		if (pthread_create(&thread, NULL, name_itself, data))
			return NULL;
		pthread_setname_np(thread, i % 2 ? "a child" : "the child");
		pthread_setname_np(pthread_self(), i % 2 ? "worker" : "hard");
		if (i % 8 == 0)
			agent_feed_wait();
		pthread_join(thread, NULL);
	}
	return data;
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? (unsigned int) atoi(argv[1]) : 300;
	unsigned int written;
	pthread_t workers[WORKERS], kernel, sessions;
	bool done = true;
	void *result;
	int i;

	setenv("COMMCACHE_FEED", "perf", 1);
	ring_pid = (uint32_t) getpid();
	ok(agent_start(), "the agent is on");
	ok(session_starts && session_started, "and sees sessions start");
	ok(agent_feed() && agent_feed()->state == FEED_ASLEEP,
			"and the kernel's records");
	agent_statedump_loaded();
	agent_feed_wait();
	for (i = 0; i < WORKERS; i++)
		bail_out_unless(!pthread_create(&workers[i], NULL, work,
				&rounds), "a thread");
	bail_out_unless(!pthread_create(&kernel, NULL, play_kernel, NULL) &&
			!pthread_create(&sessions, NULL, play_sessions, NULL),
			"two threads");
	for (i = 0; i < WORKERS; i++) {
		pthread_join(workers[i], &result);
		done = done && result == &rounds;
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	pthread_join(kernel, NULL);
	pthread_join(sessions, NULL);
	ok(done, "%u threads ran", WORKERS * rounds);
	/* The reader may be writing still. */
	written = __atomic_load_n(&events, __ATOMIC_RELAXED);
	ok(written > rounds, "%u events were written", written);
	ok(rings[1] != NULL, "a CPU came meanwhile");
	__atomic_store_n(&is_on, true, __ATOMIC_RELAXED);
	agent_feed_wait();
	agent_feed_end();
	/* Its threads do not end. */
	fflush(stdout);
	_exit(tap_end());
}
