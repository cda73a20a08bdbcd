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

struct call {
	pthread_t thread;
	const char *name;
	/* Of prctl(), after the option. */
	unsigned long arg[4];
};

typedef int (*call_next)(const struct call *call);

/* A session started while a rename was made of which nobody wanted to know. */
static void come_to_light(const struct call *call)
{
	struct agent_rename rename;

	if (!agent_start())
		return;
	agent_rename_begin_untraced(&rename, call->thread);
	agent_rename_end(&rename, call->name);
}

/*
 * What all calls that name a thread have in common: they return 0 if they did.
 * Inlined, for next to be called directly.
 */
static inline __attribute__((always_inline))
int rename_by(call_next next, const struct call *call)
{
	struct agent_rename rename;
	int ret;

	if (agent_rename_is_private()) {
		ret = next(call);
		if (!ret && !agent_rename_is_private())
			come_to_light(call);
		return ret;
	}
	if (!agent_start())
		return next(call);
	agent_rename_begin(&rename, call->thread);
	ret = next(call);
	if (ret)
		agent_rename_failed(&rename);
	else
		agent_rename_end(&rename, call->name);
	return ret;
}

static int next_setname(const struct call *call)
{
	return agent_next.pthread_setname_np(call->thread, call->name);
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

static int next_prctl_name(const struct call *call)
{
	return next_prctl(PR_SET_NAME, call->arg);
}

__attribute__((visibility("default")))
int pthread_setname_np(pthread_t thread, const char *name)
{
	const struct call call = { .thread = thread, .name = name };

	return rename_by(next_setname, &call);
}

__attribute__((visibility("default")))
int prctl(int option, ...)
{
	struct call call;
	va_list args;
	int i;

	/* As many as the system call takes, as the C library does. */
	va_start(args, option);
	for (i = 0; i < 4; i++)
		call.arg[i] = va_arg(args, unsigned long);
	va_end(args);
	if (option != PR_SET_NAME)
		return next_prctl(option, call.arg);

	call.thread = pthread_self();
	call.name = (const char *) call.arg[0];
	return rename_by(next_prctl_name, &call);
}
