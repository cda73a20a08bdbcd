/* SPDX-License-Identifier: MIT */

/*
 * Threads are named: pthread_setname_np(3), prctl(2). The C library's
 * pthread_setname_np() does not come by our prctl(): nothing is seen twice.
 */

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cancel.h"
#include "event.h"
#include "names.h"
#include "next.h"
#include "proc.h"
#include "rename.h"
#include "start.h"

/* arg: what prctl() gets after the option, else NULL. 0 if it named thread. */
typedef int (*call_next)(pthread_t thread, const char *name,
		const unsigned long *arg);

static __attribute__((noinline))
int rename_wanted(call_next next, pthread_t thread, const char *name,
		const unsigned long *arg)
{
	struct agent_rename rename;
	struct agent_cancel cancel;
	int ret;

	if (!agent_start())
		return next(thread, name, arg);
	/* From one to the other: what begins is counted, and has to end. */
	cancel = agent_cancel_off();
	agent_rename_begin(&rename, thread);
	ret = next(thread, name, arg);
	if (ret)
		agent_rename_failed(&rename);
	else
		agent_rename_end(&rename, name);
	if (!ret)
		agent_event_procname(thread);
	agent_cancel_restore(cancel);
	return ret;
}

/* A session started while it was renamed, or ended some time before. */
static __attribute__((noinline))
void rename_late(pthread_t thread, const char *name)
{
	struct agent_cancel cancel;

	agent_event_procname(thread);
	if (!agent_event_is_wanted() && !agent_names_are_sure() &&
			!agent_debugging)
		return;
	if (!agent_start())
		return;
	cancel = agent_cancel_off();
	agent_rename_came_to_light(thread, name);
	agent_cancel_restore(cancel);
}

/*
 * What all calls that name a thread have in common. Inlined, for next to be
 * called directly where nobody wants to know.
 */
static inline __attribute__((always_inline))
int rename_by(call_next next, pthread_t thread, const char *name,
		const unsigned long *arg)
{
	int ret;

	if (__builtin_expect(agent_event_is_wanted(), 0))
		return rename_wanted(next, thread, name, arg);
	ret = next(thread, name, arg);
	if (__builtin_expect(agent_event_is_wanted() ||
			__atomic_load_n(&agent_event_has_after,
				__ATOMIC_RELAXED), 0) && !ret)
		rename_late(thread, name);
	return ret;
}

static int next_setname(pthread_t thread, const char *name,
		const unsigned long *arg)
{
	(void) arg;
	return rcu_dereference(agent_next.pthread_setname_np)(thread, name);
}

/*
 * Allocators call prctl() before anything is set up, at a time when dlsym()
 * would call them back. The system call is all there is to it.
 */
static int next_prctl(int option, const unsigned long arg[4])
{
	__typeof__(prctl) *next = rcu_dereference(agent_next.prctl);

	if (next)
		return next(option, arg[0], arg[1], arg[2], arg[3]);
	return (int) syscall(SYS_prctl, option, arg[0], arg[1], arg[2],
			arg[3]);
}

static int next_prctl_name(pthread_t thread, const char *name,
		const unsigned long *arg)
{
	(void) thread;
	(void) name;
	return next_prctl(PR_SET_NAME, arg);
}

__attribute__((visibility("default")))
int pthread_setname_np(pthread_t thread, const char *name)
{
	return rename_by(next_setname, thread, name, NULL);
}

#if __SIZEOF_LONG__ == 4 && !defined(__USE_TIME_BITS64) && \
	!defined(__USE_TIME64_REDIRECTS)
/* What prctl() is called by programs of 32 bits with a time_t of 64. */
__attribute__((visibility("default"), alias("prctl")))
int __prctl_time64(int option, ...);
#endif

__attribute__((visibility("default")))
int prctl(int option, ...)
{
	unsigned long arg[4];
	va_list args;
	int i;

	/* As many as the system call takes, as the C library does. */
	va_start(args, option);
	for (i = 0; i < 4; i++)
		arg[i] = va_arg(args, unsigned long);
	va_end(args);
	if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP)
		agent_proc_guard();
	if (option != PR_SET_NAME)
		return next_prctl(option, arg);
	return rename_by(next_prctl_name, pthread_self(),
			(const char *) arg[0], arg);
}
