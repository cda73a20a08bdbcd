/* SPDX-License-Identifier: MIT */

/*
 * To be preloaded: a clock that goes on by COMMCACHE_TEST_CLOCK_MS whenever it is
 * looked at, so that a read is as long as a test wants, on any machine.
 */

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default")))
int clock_gettime(clockid_t clock, struct timespec *time)
{
	const char *step = getenv("COMMCACHE_TEST_CLOCK_MS");
	static long now;
	long ms;

	if (clock != CLOCK_MONOTONIC)
		return (int) syscall(SYS_clock_gettime, clock, time);
	ms = __atomic_add_fetch(&now, step ? atol(step) : 0, __ATOMIC_RELAXED);
	time->tv_sec = ms / 1000;
	time->tv_nsec = ms % 1000 * 1000000;
	return 0;
}
