/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "open.h"

#define PAGE_BYTES	((size_t) sysconf(_SC_PAGESIZE))

static int open_event(pid_t tid, int cpu, size_t ring_bytes)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		/* It counts nothing: what goes along with it is what counts. */
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		/* Threads, not children of fork(). */
		.inherit = 1,
		.inherit_thread = 1,
		/* All that kernel.perf_event_paranoid=2 allows. */
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.comm = 1,
		.task = 1,
		.context_switch = 1,
		/* LTTng-UST's clock. */
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = (uint32_t) (ring_bytes / 4),
	};

	return (int) syscall(SYS_perf_event_open, &attr, tid, cpu, -1,
			PERF_FLAG_FD_CLOEXEC);
}

int feed_open_try(void)
{
	int fd = open_event(0, -1, PAGE_BYTES);

	if (fd < 0)
		return errno;
	syscall(SYS_close, fd);
	return 0;
}

static void *allocate(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* A power of two of pages, of which the kernel makes a ring. */
static size_t round_down(size_t bytes)
{
	size_t rounded = PAGE_BYTES;

	while (rounded * 2 <= bytes)
		rounded *= 2;
	return rounded;
}

void feed_rings_reset(struct feed_rings *rings)
{
	size_t i;

	memset(rings->ring, 0, rings->count * sizeof(*rings->ring));
	for (i = 0; i < rings->count; i++) {
		rings->ring[i].cpu = (int) i;
		rings->event[i].fd = -1;
	}
}

bool feed_rings_allocate(struct feed_rings *rings, size_t count,
		size_t kib_per_cpu)
{
	if (!kib_per_cpu) {
		kib_per_cpu = FEED_RINGS_KIB_MAX / count;
		if (kib_per_cpu > FEED_RING_KIB_DEFAULT)
			kib_per_cpu = FEED_RING_KIB_DEFAULT;
	}
	rings->bytes = round_down(kib_per_cpu * 1024);
	rings->count = count;
	rings->ring = allocate(count * sizeof(*rings->ring));
	rings->heap = allocate(count * sizeof(*rings->heap));
	rings->event = allocate(count * sizeof(*rings->event));
	if (!rings->ring || !rings->heap || !rings->event)
		return false;
	feed_rings_reset(rings);
	return true;
}

/* The first event of a CPU brings the ring along. */
static int open_ring(struct feed_rings *rings, size_t cpu, pid_t tid)
{
	int fd = open_event(tid, (int) cpu, rings->bytes);
	void *page;
	int ret;

	if (fd < 0)
		return errno;
	page = mmap(NULL, PAGE_BYTES + rings->bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		ret = errno;
		syscall(SYS_close, fd);
		return ret;
	}
	rings->event[cpu].fd = fd;
	rings->event[cpu].is_new = true;
	/* Last, and whole: the reader may look at any time. */
	feed_ring_open(&rings->ring[cpu], page);
	return 0;
}

/* Those of other threads write into it. */
static int open_into_ring(struct feed_rings *rings, size_t cpu, pid_t tid)
{
	int fd = open_event(tid, (int) cpu, rings->bytes);
	int ret;

	if (fd < 0)
		return errno;
	if (!ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, rings->event[cpu].fd))
		return 0;
	ret = errno;
	syscall(SYS_close, fd);
	return ret;
}

/* There is no such CPU, or not now. */
static bool is_absence(int error)
{
	return error == ENODEV || error == EINVAL;
}

void feed_open_begin(struct feed_rings *rings)
{
	size_t cpu;

	for (cpu = 0; cpu < rings->count; cpu++)
		rings->event[cpu].is_settled = rings->event[cpu].fd >= 0;
}

int feed_open_thread(struct feed_rings *rings, pid_t tid)
{
	size_t cpu;
	int ret;

	for (cpu = 0; cpu < rings->count; cpu++) {
		if (rings->event[cpu].is_settled)
			continue;
		if (rings->event[cpu].fd < 0)
			ret = open_ring(rings, cpu, tid);
		else
			ret = open_into_ring(rings, cpu, tid);
		/* ESRCH: it has ended. */
		if (ret == ESRCH)
			return 0;
		if (ret && !is_absence(ret))
			return ret;
	}
	return 0;
}

bool feed_open_is_none(const struct feed_rings *rings)
{
	size_t cpu;

	for (cpu = 0; cpu < rings->count; cpu++) {
		if (rings->event[cpu].fd >= 0)
			return false;
	}
	return true;
}

bool feed_open_smaller(struct feed_rings *rings)
{
	size_t cpu;

	for (cpu = 0; cpu < rings->count; cpu++) {
		if (rings->event[cpu].fd < 0)
			continue;
		munmap(rings->ring[cpu].page, PAGE_BYTES + rings->bytes);
		syscall(SYS_close, rings->event[cpu].fd);
	}
	feed_rings_reset(rings);
	rings->bytes /= 2;
	return rings->bytes >= PAGE_BYTES;
}
