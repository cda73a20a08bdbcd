/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_NEXT_H
#define COMMCACHE_AGENT_NEXT_H

/*
 * The functions that we stand before, and the next in line of each: libc's, or
 * that of another preloaded library.
 */

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <threads.h>
#include <unistd.h>

#include <lttng/ust-fork.h>
#include <urcu/pointer.h>

/* In no header: what pthread_atfork(3) is made of. */
int __register_atfork(void (*before)(void), void (*in_parent)(void),
		void (*in_child)(void), void *library);

/* One line for each interposed function; all else follows from it. */
#define AGENT_INTERPOSED(line) \
	line(__register_atfork) \
	line(clone) \
	line(lttng_ust_after_fork_child) \
	line(lttng_ust_after_fork_parent) \
	line(lttng_ust_before_fork) \
	line(pthread_cancel) \
	line(pthread_create) \
	line(pthread_setname_np) \
	line(prctl) \
	line(thrd_create) \
	line(vfork)

#define AGENT_NEXT_MEMBER(name)	__typeof__(name) *name;
struct agent_next {
	AGENT_INTERPOSED(AGENT_NEXT_MEMBER)
};
#undef AGENT_NEXT_MEMBER

/*
 * To be read by rcu_dereference(): another thread may be filling it. Hidden, as
 * all that is read often: its address is known when the library is linked.
 */
extern struct agent_next agent_next __attribute__((visibility("hidden")));

/*
 * Fill agent_next. To be called when the process is young: dlsym() is neither
 * for signal handlers nor for the child of a fork.
 */
void agent_next_find(void);

/* For what may be called before the agent's start. */
static inline void agent_next_need(void)
{
	if (__builtin_expect(!rcu_dereference(
			agent_next.pthread_create), 0))
		agent_next_find();
}

#endif /* COMMCACHE_AGENT_NEXT_H */
