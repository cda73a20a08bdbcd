/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_UNIT_STEP_H
#define COMMCACHE_TESTS_UNIT_STEP_H

/*
 * Running a function with a signal handler after each of its instructions.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ucontext.h>

/* ThreadSanitizer delivers signals late. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define STEP_WORKS	1

/*
 * What is done at each step, and how many there were. After last_step the
 * rest runs freely; 0: there is none.
 */
static void (*at_step)(void);
static long step, last_step;
static bool failed;

static inline void fail_unless(bool pass, const char *what)
{
	if (pass || failed)
		return;
	failed = true;
	printf("# %s, at step %ld\n", what, step);
}

#define TRAP_FLAG	0x100

static inline void on_trap(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	(void) signal;
	(void) info;
	step++;
	at_step();
	/* The rest may run freely. */
	if (step == last_step)
		interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/*
 * The trap flag makes a SIGTRAP after each instruction; the kernel clears it
 * in the handler. The stack is moved past the red zone first.
 */
static inline void trap_begin(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			"pushfq\n\t"
			"orq $0x100, (%%rsp)\n\t"
			"popfq\n\t"
			"lea 128(%%rsp), %%rsp" : : : "memory", "cc");
}

static inline void trap_end(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			"pushfq\n\t"
			"andq $~0x100, (%%rsp)\n\t"
			"popfq\n\t"
			"lea 128(%%rsp), %%rsp" : : : "memory", "cc");
}

static inline void step_setup(void)
{
	struct sigaction action = {
		.sa_sigaction = on_trap,
		.sa_flags = SA_SIGINFO,
	};

	sigaction(SIGTRAP, &action, NULL);
}

static inline void step_through(void (*function)(void), void (*handler)(void),
		long last)
{
	at_step = handler;
	step = 0;
	last_step = last;
	trap_begin();
	function();
	trap_end();
}

#endif

#endif /* COMMCACHE_TESTS_UNIT_STEP_H */
