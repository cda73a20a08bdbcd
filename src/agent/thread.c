/* SPDX-License-Identifier: MIT */

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cancel.h"
#include "debug.h"
#include "life.h"
#include "proc.h"
#include "process.h"
#include "thread.h"

/*
 * The end of a thread that we did not start is seen by the destructor of a key.
 * Destructors run in rounds, for keys that were set meanwhile
 * (pthread_key_create(3)). Ours acts in the second: what those of the program
 * write in the first comes before. Not later: LTTng-UST registers the thread
 * anew to write, and needs a round after that to take it back.
 */
enum end_key_value {
	/* Values of a key; NULL means unset. */
	END_FIRST_ROUND = 1,
	END_SECOND_ROUND,
	/* The one who started the thread sees to it. */
	END_SEEN_TO,
};

__thread volatile sig_atomic_t agent_thread_renames;

static pthread_key_t end_key;
static bool clock_tells_tid;

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

static void set_end(enum end_key_value value)
{
	pthread_setspecific(end_key, (void *) (uintptr_t) value);
}

static void end_round(void *value)
{
	struct agent_cancel cancel;

	switch ((enum end_key_value) (uintptr_t) value) {
	case END_FIRST_ROUND:
		set_end(END_SECOND_ROUND);
		break;
	case END_SECOND_ROUND:
		cancel = agent_cancel_off();
		agent_life_end();
		agent_cancel_restore(cancel);
		break;
	case END_SEEN_TO:
		break;
	}
}

int agent_thread_start(void)
{
	int ret = pthread_key_create(&end_key, end_round);

	if (ret)
		return ret;
	clock_tells_tid = clock_tid(pthread_self()) ==
			(pid_t) syscall(SYS_gettid);
	if (!clock_tells_tid)
		agent_debug("renames of other threads: left off, the C library does not tell the tid of a pthread_t");
	return 0;
}

pid_t agent_thread_tid(void)
{
	if (clock_tells_tid)
		return clock_tid(pthread_self());
	return (pid_t) syscall(SYS_gettid);
}

/*
 * Whoever the C library takes for the thread that it is, is no child of vfork()
 * or clone(), and no thread that shares the thread-local storage of another.
 */
pid_t agent_thread_real_tid(void)
{
	pid_t tid;

	if (agent_proc_is_guarded())
		return agent_thread_tid();
	tid = (pid_t) syscall(SYS_gettid);
	if (clock_tells_tid && tid == clock_tid(pthread_self()))
		return tid;
	return tid > 0 && getpid() == agent_process->pid ? tid : 0;
}

void agent_thread_watch_end(void)
{
	if (!pthread_getspecific(end_key))
		set_end(END_FIRST_ROUND);
}

void agent_thread_end_is_seen_to(void)
{
	set_end(END_SEEN_TO);
}

pid_t agent_thread_tid_of(pthread_t thread)
{
	if (clock_tells_tid)
		return clock_tid(thread);
	return pthread_equal(thread, pthread_self()) ? agent_thread_tid() : 0;
}
