/* SPDX-License-Identifier: MIT */

/*
 * The agent's second feed asks the kernel for its records, on 1 to 512 CPUs:
 * the kernel is played here.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <linux/perf_event.h>

#include "agent/feed/open.h"

#include "feed-ring.h"
#include "tap.h"

#define FIRST_FD	100
#define FDS		20000
#define CPUS		512

long __wrap_syscall(long number, ...);
void *__wrap_mmap(void *address, size_t size, int protection, int flags,
		int fd, off_t offset);
int __wrap_munmap(void *address, size_t size);
int __wrap_ioctl(int fd, unsigned long request, ...);
void *__real_mmap(void *address, size_t size, int protection, int flags,
		int fd, off_t offset);

/* What this kernel is like. */
static struct {
	/* Online are all from 0 on, but one. */
	int online;
	int offline;
	/* Descriptors that a process may have, and bytes that it may lock. */
	int most_fds;
	size_t most_bytes;
	/* This CPU answers with that. */
	int bad_cpu;
	int bad_error;

	int fds;
	size_t bytes;
	int redirected;
	/* The CPU of each open event; -1: closed. */
	int cpu_of[FDS];
	pid_t tid_of[FDS];
	bool wrong_attr;
} kernel;

static void boot(int online)
{
	memset(&kernel, 0, sizeof(kernel));
	memset(kernel.cpu_of, 0xff, sizeof(kernel.cpu_of));
	kernel.online = online;
	kernel.offline = -1;
	kernel.bad_cpu = -1;
	kernel.most_fds = FDS;
	kernel.most_bytes = SIZE_MAX;
}

static long fail(int error)
{
	errno = error;
	return -1;
}

static long open_event(const struct perf_event_attr *attr, pid_t tid, int cpu)
{
	int fd;

	if (!attr->inherit || !attr->inherit_thread || !attr->exclude_kernel ||
			!attr->context_switch || !attr->comm || !attr->task ||
			!attr->sample_id_all || !attr->use_clockid)
		kernel.wrong_attr = true;
	if (cpu == kernel.bad_cpu)
		return fail(kernel.bad_error);
	if (cpu >= kernel.online || cpu == kernel.offline)
		return fail(ENODEV);
	if (kernel.fds >= kernel.most_fds)
		return fail(EMFILE);
	for (fd = 0; kernel.cpu_of[fd] >= 0; fd++)
		;
	kernel.cpu_of[fd] = cpu;
	kernel.tid_of[fd] = tid;
	kernel.fds++;
	return FIRST_FD + fd;
}

long __wrap_syscall(long number, ...)
{
	long arguments[3];
	va_list list;
	int i;

	va_start(list, number);
	for (i = 0; i < 3; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open)
		return open_event((const void *) arguments[0],
			(pid_t) arguments[1], (int) arguments[2]);
	if (number == SYS_close && (int) arguments[0] >= FIRST_FD) {
		kernel.cpu_of[arguments[0] - FIRST_FD] = -1;
		kernel.fds--;
		return 0;
	}
	return fail(ENOSYS);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags,
		int fd, off_t offset)
{
	if (fd < FIRST_FD)
		return __real_mmap(address, size, protection, flags, fd,
			offset);
	if (kernel.bytes + size > kernel.most_bytes) {
		errno = EPERM;
		return MAP_FAILED;
	}
	kernel.bytes += size;
	return ring_make(size - 4096);
}

int __wrap_munmap(void *address, size_t size)
{
	kernel.bytes -= size;
	free(address);
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	if (fd < FIRST_FD || request != PERF_EVENT_IOC_SET_OUTPUT)
		return (int) fail(EBADF);
	kernel.redirected++;
	return 0;
}

static size_t rings_open(const struct feed_rings *rings)
{
	size_t i, count = 0;

	for (i = 0; i < rings->count; i++)
		count += rings->ring[i].page && rings->event[i].fd >= 0;
	return count;
}

static void test_counts(void)
{
	static const size_t counts[] = { 1, 2, 3, 64, 511, 512 };
	struct feed_rings rings;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		boot((int) counts[i]);
		bail_out_unless(feed_rings_allocate(&rings, counts[i], 0),
			"memory");
		feed_open_begin(&rings);
		ret = feed_open_thread(&rings, 1000);
		ok(!ret && rings_open(&rings) == counts[i] &&
			!kernel.wrong_attr, "%zu CPUs: a ring for each",
			counts[i]);
		ok(kernel.bytes - counts[i] * 4096 <=
			FEED_RINGS_KIB_MAX * 1024UL, "%zu CPUs: %zu KiB each",
			counts[i], rings.bytes / 1024);
	}
}

static void test_absent(void)
{
	struct feed_rings rings;

	boot(CPUS / 2);
	kernel.offline = 5;
	feed_rings_allocate(&rings, CPUS, 16);
	feed_open_begin(&rings);
	ok(!feed_open_thread(&rings, 1000) &&
		rings_open(&rings) == CPUS / 2 - 1,
		"CPUs that are not there are left out");

	/* They come: each thread that there is by then is to be watched. */
	kernel.online = CPUS;
	kernel.offline = -1;
	feed_open_begin(&rings);
	ok(!feed_open_thread(&rings, 1000) && rings_open(&rings) == CPUS,
		"they come, and have rings");
	kernel.redirected = 0;
	ok(!feed_open_thread(&rings, 1001) &&
		kernel.redirected == CPUS / 2 + 1,
		"another thread writes into the new ones, and into no other");
	feed_open_begin(&rings);
	kernel.fds = 0;
	ok(!feed_open_thread(&rings, 1002) && !kernel.fds,
		"where all are there, nothing is opened");
}

static void test_shortage(void)
{
	struct feed_rings rings;
	int tries = 0, ret;

	boot(CPUS);
	/* Room for 16 KiB for each. */
	kernel.most_bytes = CPUS * (size_t) (16384 + 4096);
	feed_rings_allocate(&rings, CPUS, 256);
	do {
		feed_open_begin(&rings);
		ret = feed_open_thread(&rings, 1000);
		tries++;
	} while (ret == EPERM && feed_open_smaller(&rings));
	ok(!ret && rings.bytes == 16384 && rings_open(&rings) == CPUS,
		"little memory: smaller rings, after %d tries", tries);
	ok(kernel.fds == CPUS, "and nothing is left of the larger ones");

	boot(2);
	kernel.most_bytes = 4096;
	feed_rings_allocate(&rings, 2, 256);
	do {
		feed_open_begin(&rings);
		ret = feed_open_thread(&rings, 1000);
	} while (ret == EPERM && feed_open_smaller(&rings));
	ok(ret == EPERM && !rings_open(&rings) && !kernel.fds && !kernel.bytes,
		"too little memory: none, and it ends");

	boot(CPUS);
	kernel.most_fds = 300;
	feed_rings_allocate(&rings, CPUS, 4);
	feed_open_begin(&rings);
	ok(feed_open_thread(&rings, 1000) == EMFILE, "too few descriptors");

	boot(4);
	kernel.bad_cpu = 2;
	kernel.bad_error = EACCES;
	feed_rings_allocate(&rings, 4, 4);
	feed_open_begin(&rings);
	ok(feed_open_thread(&rings, 1000) == EACCES, "not allowed");
	kernel.bad_error = ESRCH;
	feed_open_begin(&rings);
	ok(!feed_open_thread(&rings, 1000), "a thread that has ended");
}

int main(void)
{
	test_counts();
	test_absent();
	test_shortage();
	return tap_end();
}
