/* SPDX-License-Identifier: MIT */

/*
 * Preloaded after the agent: prctl() is interrupted by a signal, once the
 * kernel has done what it was asked.
 */

#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default")))
int prctl(int option, ...)
{
	unsigned long name;
	va_list args;
	int ret;

	va_start(args, option);
	name = va_arg(args, unsigned long);
	va_end(args);
	ret = (int) syscall(SYS_prctl, option, name, 0, 0, 0);
	raise(SIGUSR1);
	return ret;
}
