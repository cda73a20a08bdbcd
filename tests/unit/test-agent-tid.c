/* SPDX-License-Identifier: MIT */

/*
 * Whose number the agent writes, and when it has to ask the kernel for it.
 */

#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debug.h"
#include "proc.h"
#include "process.h"
#include "tap.h"
#include "tid.h"

static struct agent_process process;

struct agent_process *agent_process_published = &process;
bool agent_debugging;

static unsigned int asked;
static bool is_wiped = true;
/* What a child saw, in the memory of its parent. */
static volatile pid_t child_real;
static char stack[1 << 16] __attribute__((aligned(16)));

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

long __wrap_syscall(long number, ...)
{
	asked += number == SYS_gettid;
	return __real_syscall(number);
}

void agent_debug(const char *format, ...)
{
	(void) format;
}

bool agent_proc_is_guarded(void)
{
	return false;
}

bool agent_process_is_wiped(void)
{
	return is_wiped;
}

/* How often the kernel was asked for the caller's own number. */
static unsigned int asks(void)
{
	asked = 0;
	if (agent_tid_real() != getpid())
		return 100;
	return asked;
}

static void test_vfork(void)
{
	pid_t pid;

	agent_tid_doubt();
	pid = vfork();
	if (pid == 0) {
		child_real = agent_tid_real();
		_exit(0);
	}
	bail_out_unless(pid > 0 && waitpid(pid, NULL, 0) == pid, "a child");
	ok_equal(child_real, 0, "a child of vfork() is not its parent");
	ok_equal(asks(), 1, "the parent asks once after it");
	ok_equal(asks(), 0, "and then no more");
}

static int look(void *data)
{
	(void) data;
	child_real = agent_tid_real();
	_exit(0);
}

static void test_clone(void)
{
	pid_t pid;

	child_real = 1;
	agent_tid_doubt_all();
	pid = clone(look, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	bail_out_unless(pid > 0 && waitpid(pid, NULL, 0) == pid, "a child");
	ok_equal(child_real, 0, "nor is one that clone() made in its memory");
	(void) asks();
	ok_equal(asks(), 1, "who may be another one asks each time");
}

/* The kernel only says that it empties memory: the child has it all. */
static void test_not_wiped(void)
{
	int status;
	pid_t pid;

	is_wiped = false;
	agent_tid_start();
	ok_equal(asks(), 1, "where memory is not emptied, so does everybody");
	pid = fork();
	if (pid == 0)
		_exit(agent_tid_real() != 0);
	bail_out_unless(pid > 0 && waitpid(pid, &status, 0) == pid, "a child");
	ok_equal(status, 0, "a child that has all its parent had is known by its pid");
}

int main(void)
{
	process.pid = getpid();
	agent_tid_start();
	ok_equal(asks(), 0, "the kernel is not asked");
	test_vfork();
	test_clone();
	test_not_wiped();
	return tap_end();
}
