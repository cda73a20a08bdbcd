/* SPDX-License-Identifier: MIT */

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include <lttng/ust-fork.h>
#include <lttng/urcu/urcu-ust.h>

#include "cancel.h"
#include "copies.h"
#include "feed/launch.h"
#include "fork.h"
#include "next.h"
#include "process.h"
#include "tid.h"

/* Who has LTTng-UST's locks while the caller forks. */
static __thread enum {
	NOT_FORKING,
	HANDLED_BY_OTHERS,
	HANDLED_BY_US,
	LEFT_ALONE,
} forking __attribute__((tls_model("initial-exec")));

/* Of the thread that forks; under the locks. */
static sigset_t signals;

/* This process is a child in which LTTng-UST did not start anew. */
static bool orphaned;

/* The last process in which it did. */
static pid_t started_in;

static bool registered;

/* As the C library's pthread_atfork() has it; of this library. */
extern void *__dso_handle __attribute__((visibility("hidden")));

/*
 * We are in a signal handler that interrupted an event of this very thread.
 * Who has LTTng-UST's locks may be waiting for that event to end, and so would
 * never give them to us.
 */
static bool is_within_event(void)
{
	return lttng_ust_urcu_read_ongoing();
}

/* Take LTTng-UST's locks, with all signals blocked; false: they are not ours. */
static bool take_locks(sigset_t *mask)
{
	/* No mask has SIGKILL, unless it is left alone. */
	sigemptyset(mask);
	sigaddset(mask, SIGKILL);
	rcu_dereference(agent_next.lttng_ust_before_fork)(mask);
	/* It does nothing where LTTng-UST forks itself. */
	return !sigismember(mask, SIGKILL);
}

/*
 * Handlers run around the fork alone: the last before it and the first after,
 * as ours are registered before those of all others.
 */
static void prepare(void)
{
	struct agent_cancel cancel = agent_cancel_off();
	int saved_errno = errno;
	sigset_t mask;

	if (forking != NOT_FORKING || is_within_event())
		goto end;
	if (take_locks(&mask)) {
		/* Not before signals are blocked: a handler may fork. */
		forking = HANDLED_BY_US;
		signals = mask;
	}
end:
	errno = saved_errno;
	agent_cancel_restore(cancel);
}

static void parent(void)
{
	struct agent_cancel cancel = agent_cancel_off();
	int saved_errno = errno;
	sigset_t mask = signals;

	if (forking == HANDLED_BY_US) {
		forking = NOT_FORKING;
		rcu_dereference(agent_next.lttng_ust_after_fork_parent)(&mask);
	}
	errno = saved_errno;
	agent_cancel_restore(cancel);
}

static void child(void)
{
	struct agent_cancel cancel = agent_cancel_off();
	int saved_errno = errno;
	sigset_t mask = signals;

	agent_process_leave();
	if (forking == HANDLED_BY_OTHERS)
		goto end;
	orphaned = true;
	if (forking != HANDLED_BY_US)
		goto end;
	forking = NOT_FORKING;
	/* Give the locks back; nothing starts anew. */
	rcu_dereference(agent_next.lttng_ust_after_fork_parent)(&mask);
	/* Forget readers that are not here: they would be waited for. */
	lttng_ust_urcu_before_fork();
	lttng_ust_urcu_after_fork_child();
end:
	errno = saved_errno;
	agent_cancel_restore(cancel);
}

int agent_fork_start(void)
{
	if (!agent_copies_is_first() || __atomic_exchange_n(&registered, true,
			__ATOMIC_ACQ_REL))
		return 0;
	started_in = getpid();
	agent_next_need();
	return rcu_dereference(agent_next.__register_atfork)(prepare, parent, child,
			&__dso_handle);
}

/*
 * What pthread_atfork(3) calls, for whoever registers handlers: ours come first,
 * so that in theirs none of LTTng-UST's locks is held. A thread may wait for a
 * lock of theirs in the midst of an event, or for ours with that lock.
 */
__attribute__((visibility("default")))
int __register_atfork(void (*before)(void), void (*in_parent)(void),
		void (*in_child)(void), void *library)
{
	agent_next_need();
	(void) agent_fork_start();
	return rcu_dereference(agent_next.__register_atfork)(before, in_parent, in_child,
			library);
}

__attribute__((visibility("default")))
void lttng_ust_before_fork(sigset_t *save_sigset)
{
	agent_next_need();
	if (registered && is_within_event()) {
		forking = LEFT_ALONE;
		return;
	}
	rcu_dereference(agent_next.lttng_ust_before_fork)(save_sigset);
	forking = HANDLED_BY_OTHERS;
}

__attribute__((visibility("default")))
void lttng_ust_after_fork_parent(sigset_t *restore_sigset)
{
	bool left_alone = forking == LEFT_ALONE;

	forking = NOT_FORKING;
	if (!left_alone)
		rcu_dereference(agent_next.lttng_ust_after_fork_parent)(restore_sigset);
}

__attribute__((visibility("default")))
void lttng_ust_after_fork_child(sigset_t *restore_sigset)
{
	struct agent_cancel cancel = agent_cancel_off();
	bool left_alone = forking == LEFT_ALONE;

	forking = NOT_FORKING;
	if (left_alone)
		goto end;
	orphaned = false;
	started_in = getpid();
	/* After clone(2), the C library takes it for who made it. */
	agent_tid_doubt();
	/* Before the first session can start: no rename is to be missed. */
	agent_process_leave();
	agent_process_follow();
	/* Before there is another thread: it is to be watched too. */
	agent_feed_follow();
	rcu_dereference(agent_next.lttng_ust_after_fork_child)(restore_sigset);
	agent_feed_wait();
end:
	agent_cancel_restore(cancel);
}

static bool is_in_lttng_ust(void *address)
{
	Dl_info ours, theirs;

	return dladdr(address, &ours) &&
			dladdr((void *) rcu_dereference(
					agent_next.lttng_ust_before_fork),
				&theirs) &&
			ours.dli_fbase == theirs.dli_fbase;
}

/* Whoever forked by itself (clone(2), _Fork()) called no handlers. */
static bool is_orphan(void)
{
	return orphaned || (registered && getpid() != started_in);
}

/*
 * LTTng-UST's destructor cancels its threads. In an orphan their descriptors
 * may be unmapped, or be those of other threads by now.
 */
__attribute__((visibility("default")))
int pthread_cancel(pthread_t thread)
{
	agent_next_need();
	if (is_in_lttng_ust(__builtin_return_address(0)) && is_orphan())
		return 0;
	return rcu_dereference(agent_next.pthread_cancel)(thread);
}
