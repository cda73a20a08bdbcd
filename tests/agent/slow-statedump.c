/* SPDX-License-Identifier: MIT */

/*
 * Preloaded beside the agent: its statedumps take long between reading a name
 * and writing it, so that renames come in between.
 */

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DELAY_US	1000

__attribute__((visibility("default")))
long syscall(long number, ...)
{
	static long (*next)(long number, ...);
	long arg[6];
	va_list args;
	int i;

	va_start(args, number);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (!next)
		next = (long (*)(long, ...)) dlsym(RTLD_NEXT, "syscall");
	/* The agent closes a comm file that it has read. */
	if (number == SYS_close)
		usleep(DELAY_US);
	return next(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}
