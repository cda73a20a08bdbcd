/* SPDX-License-Identifier: MIT */

#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "debug.h"
#include "proc.h"
#include "process.h"
#include "tid.h"

static bool clock_tells_tid;

/*
 * Of the thread; shared with a child of vfork(), and so set in it. In thread-
 * local storage of the initial-exec model, so that it is there in signal
 * handlers.
 */
static __thread volatile sig_atomic_t is_doubted
		__attribute__((tls_model("initial-exec")));
static bool all_are_doubted;

/*
 * The tid of a thread, without a system call: the clock of a thread is named
 * by its tid, complemented, above three bits of type. This is how the C library
 * and the kernel talk, see MAKE_THREAD_CPUCLOCK in the kernel's
 * include/linux/posix-timers.h, which clock_gettime(2) takes apart; it is still
 * not documented, so it is tried before it is relied on.
 */
static pid_t clock_tid(pthread_t thread)
{
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock))
		return 0;
	return (pid_t) ~(clock >> 3);
}

void agent_tid_start(void)
{
	/* A child may have all that its parent had, and is known by its pid. */
	if (!agent_process_is_wiped())
		agent_tid_doubt_all();
	clock_tells_tid = clock_tid(pthread_self()) ==
			(pid_t) syscall(SYS_gettid);
	if (!clock_tells_tid)
		agent_debug("renames of other threads: left off, the C library does not tell the tid of a pthread_t");
}

pid_t agent_tid_own(void)
{
	if (clock_tells_tid)
		return clock_tid(pthread_self());
	return (pid_t) syscall(SYS_gettid);
}

/*
 * Whoever the C library takes for the thread that it is, is no child of vfork()
 * or clone(), and no thread that shares the thread-local storage of another.
 */
pid_t agent_tid_real(void)
{
	pid_t tid;

	if ((!is_doubted && !__atomic_load_n(&all_are_doubted,
			__ATOMIC_RELAXED)) || agent_proc_is_guarded())
		return agent_tid_own();
	tid = (pid_t) syscall(SYS_gettid);
	if (clock_tells_tid && tid == clock_tid(pthread_self()) &&
			agent_process_is_wiped()) {
		/* It runs again: the child has left its memory. */
		is_doubted = false;
		return tid;
	}
	return tid > 0 && getpid() == agent_process()->pid ? tid : 0;
}

void agent_tid_doubt(void)
{
	is_doubted = true;
}

void agent_tid_doubt_all(void)
{
	__atomic_store_n(&all_are_doubted, true, __ATOMIC_RELAXED);
}

pid_t agent_tid_of(pthread_t thread)
{
	if (clock_tells_tid)
		return clock_tid(thread);
	return pthread_equal(thread, pthread_self()) ? agent_tid_own() : 0;
}
