/* SPDX-License-Identifier: MIT */

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include <lttng/ust-fork.h>
#include <lttng/urcu/urcu-ust.h>

#include "feed/feed.h"
#include "fork.h"
#include "next.h"
#include "process.h"

/* Who has LTTng-UST's locks while the caller forks. */
static __thread enum {
	NOT_FORKING,
	HANDLED_BY_OTHERS,
	HANDLED_BY_US,
} forking __attribute__((tls_model("initial-exec")));

/* Of the thread that forks; under the locks. */
static sigset_t signals;

/* This process is a child in which LTTng-UST did not start anew. */
static bool orphaned;

/*
 * Handlers run around the fork alone: ours are registered so early that those
 * of nearly all others run before and after.
 */
static void prepare(void)
{
	int saved_errno = errno;
	sigset_t mask;

	if (forking == HANDLED_BY_OTHERS)
		return;
	/* No mask has SIGKILL, unless it is left alone. */
	sigemptyset(&mask);
	sigaddset(&mask, SIGKILL);
	agent_next.lttng_ust_before_fork(&mask);
	/* It does nothing where LTTng-UST forks itself. */
	if (!sigismember(&mask, SIGKILL)) {
		forking = HANDLED_BY_US;
		signals = mask;
	}
	errno = saved_errno;
}

static void parent(void)
{
	int saved_errno = errno;
	sigset_t mask = signals;

	if (forking != HANDLED_BY_US)
		return;
	forking = NOT_FORKING;
	agent_next.lttng_ust_after_fork_parent(&mask);
	errno = saved_errno;
}

static void child(void)
{
	int saved_errno = errno;
	sigset_t mask = signals;

	if (forking != HANDLED_BY_US)
		return;
	forking = NOT_FORKING;
	orphaned = true;
	/* Give the locks back; nothing starts anew. */
	agent_next.lttng_ust_after_fork_parent(&mask);
	/* Forget readers that are not here: they would be waited for. */
	lttng_ust_urcu_before_fork();
	lttng_ust_urcu_after_fork_child();
	errno = saved_errno;
}

int agent_fork_start(void)
{
	return pthread_atfork(prepare, parent, child);
}

__attribute__((visibility("default")))
void lttng_ust_before_fork(sigset_t *save_sigset)
{
	agent_next_need();
	forking = HANDLED_BY_OTHERS;
	agent_next.lttng_ust_before_fork(save_sigset);
}

__attribute__((visibility("default")))
void lttng_ust_after_fork_parent(sigset_t *restore_sigset)
{
	agent_next.lttng_ust_after_fork_parent(restore_sigset);
	forking = NOT_FORKING;
}

__attribute__((visibility("default")))
void lttng_ust_after_fork_child(sigset_t *restore_sigset)
{
	forking = NOT_FORKING;
	orphaned = false;
	/* Before the first session can start: no rename is to be missed. */
	agent_process_follow();
	/* Before there is another thread: it is to be watched too. */
	agent_feed_follow();
	agent_next.lttng_ust_after_fork_child(restore_sigset);
	agent_feed_wait();
}

static bool is_in_lttng_ust(void *address)
{
	Dl_info ours, theirs;

	return dladdr(address, &ours) &&
			dladdr((void *) agent_next.lttng_ust_before_fork,
				&theirs) &&
			ours.dli_fbase == theirs.dli_fbase;
}

/*
 * LTTng-UST's destructor cancels its threads. In an orphan their descriptors
 * may be unmapped, or be those of other threads by now.
 */
__attribute__((visibility("default")))
int pthread_cancel(pthread_t thread)
{
	if (orphaned && is_in_lttng_ust(__builtin_return_address(0)))
		return 0;
	agent_next_need();
	return agent_next.pthread_cancel(thread);
}
