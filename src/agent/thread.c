/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "debug.h"
#include "life.h"
#include "process.h"
#include "thread.h"

/*
 * The end of a thread is seen by the destructor of a key. Destructors run in
 * rounds, for keys that were set meanwhile (pthread_key_create(3)). Ours acts
 * in the second: what those of the program write in the first comes before.
 * Not later: LTTng-UST registers the thread anew to write, and needs a round
 * after that to take it back.
 */
#define END_ROUND	2

static __thread struct agent_thread self
		__attribute__((tls_model("initial-exec")));

static pthread_key_t end_key;
static bool tid_of_others;

static pid_t clock_tid(pthread_t thread)
{
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock))
		return 0;
	/*
	 * The clock of one thread is named by its tid, complemented, above
	 * three bits of type: MAKE_THREAD_CPUCLOCK in the kernel's
	 * include/linux/posix-timers.h, which clock_gettime(2) decodes.
	 */
	return (pid_t) ~(clock >> 3);
}

static void end_round(void *value)
{
	uintptr_t round = (uintptr_t) value;

	if (round < END_ROUND) {
		pthread_setspecific(end_key, (void *) (round + 1));
		return;
	}
	agent_life_end();
}

int agent_thread_start(void)
{
	int ret = pthread_key_create(&end_key, end_round);

	if (ret)
		return ret;
	tid_of_others = clock_tid(pthread_self()) ==
			(pid_t) syscall(SYS_gettid);
	if (!tid_of_others)
		agent_debug("renames of other threads: left off, the C library does not tell the tid of a pthread_t");
	return 0;
}

pid_t agent_thread_tid(void)
{
	uint32_t generation = agent_process->generation;

	if (self.generation != generation) {
		/* In this order: a signal handler may come in between. */
		self.tid = (pid_t) syscall(SYS_gettid);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		self.generation = generation;
	}
	return self.tid;
}

void agent_thread_watch_end(void)
{
	if (!pthread_getspecific(end_key))
		pthread_setspecific(end_key, (void *) (uintptr_t) 1);
}

pid_t agent_thread_tid_of(pthread_t thread)
{
	if (pthread_equal(thread, pthread_self()))
		return agent_thread_tid();
	return tid_of_others ? clock_tid(thread) : 0;
}
