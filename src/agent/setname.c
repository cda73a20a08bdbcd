/* SPDX-License-Identifier: MIT */

/*
 * Threads are named: pthread_setname_np(3), prctl(2). The C library's
 * pthread_setname_np() does not come by our prctl(): nothing is seen twice.
 */

#include <pthread.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "next.h"
#include "rename.h"
#include "start.h"

__attribute__((visibility("default")))
int pthread_setname_np(pthread_t thread, const char *name)
{
	struct agent_rename rename;
	int ret;

	if (!agent_start())
		return agent_next.pthread_setname_np(thread, name);
	agent_rename_begin(&rename, thread);
	ret = agent_next.pthread_setname_np(thread, name);
	if (ret)
		agent_rename_failed(&rename);
	else
		agent_rename_end(&rename, name);
	return ret;
}

/*
 * Allocators call prctl() before anything is set up, at a time when dlsym()
 * would call them back. The system call is all there is to it.
 */
static int next_prctl(int option, const unsigned long arg[4])
{
	if (agent_next.prctl)
		return agent_next.prctl(option, arg[0], arg[1], arg[2],
				arg[3]);
	return (int) syscall(SYS_prctl, option, arg[0], arg[1], arg[2],
			arg[3]);
}

__attribute__((visibility("default")))
int prctl(int option, ...)
{
	struct agent_rename rename;
	unsigned long arg[4];
	va_list args;
	int ret, i;

	va_start(args, option);
	for (i = 0; i < 4; i++)
		arg[i] = va_arg(args, unsigned long);
	va_end(args);
	if (option != PR_SET_NAME || !agent_start())
		return next_prctl(option, arg);

	agent_rename_begin(&rename, pthread_self());
	ret = next_prctl(option, arg);
	if (ret)
		agent_rename_failed(&rename);
	else
		agent_rename_end(&rename, (const char *) arg[0]);
	return ret;
}
