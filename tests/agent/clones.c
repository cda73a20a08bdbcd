/* SPDX-License-Identifier: MIT */

/*
 * Children and threads that the C library does not know for what they are, and
 * that name themselves: clones WAY. Each writes what the kernel says it is
 * called, if it is in a process that is followed.
 */

#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

#define THREAD	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | \
		CLONE_THREAD | CLONE_SYSVSEM)

static char stack[1 << 18] __attribute__((aligned(16)));
static char name[] = "stranger";
static pid_t stranger;

static int name_child(void *data)
{
	prctl(PR_SET_NAME, "cloned");
	if (data)
		subject_truth();
	prctl(PR_SET_NAME, "cloned again");
	if (data)
		subject_truth();
	_exit(0);
}

/* It shares the thread-local storage of who made it, which sleeps. */
static int name_stranger(void *data)
{
	prctl(PR_SET_NAME, data);
	return 0;
}

static void clone_with(int flags, void *data)
{
	pid_t pid = clone(name_child, stack + sizeof(stack), flags | SIGCHLD,
			data);

	subject_need(pid > 0 && waitpid(pid, NULL, 0) == pid, "a child");
}

static void be_process(void)
{
	clone_with(0, name);
}

static void be_in_memory(void)
{
	clone_with(CLONE_VM, NULL);
	clone_with(CLONE_VM | CLONE_VFORK, NULL);
}

static void be_vforked(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		prctl(PR_SET_NAME, "vforked");
		_exit(0);
	}
	subject_need(pid > 0 && waitpid(pid, NULL, 0) == pid, "a child");
}

static void be_thread(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		subject_need(clone(name_stranger, stack + sizeof(stack),
				THREAD | CLONE_PARENT_SETTID |
				CLONE_CHILD_CLEARTID, name, &stranger,
				NULL, &stranger) > 0, "a thread");
		while (__atomic_load_n(&stranger, __ATOMIC_ACQUIRE))
			syscall(SYS_sched_yield);
	}
}

static void be_raw(void)
{
	pid_t pid = (pid_t) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		name_child(NULL);
	subject_need(pid > 0 && waitpid(pid, NULL, 0) == pid, "a child");
}

static void be_raw_again(void)
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	pid_t pid = (pid_t) syscall(SYS_clone3, &args, sizeof(args));

	if (pid == 0)
		name_child(NULL);
	/* Not in older kernels, nor in all containers. */
	subject_need(pid < 0 || waitpid(pid, NULL, 0) == pid, "a child");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*be)(void);
	} ways[] = {
		{ "process", be_process },
		{ "memory", be_in_memory },
		{ "vfork", be_vforked },
		{ "thread", be_thread },
		{ "raw", be_raw },
		{ "clone3", be_raw_again },
	};
	size_t i;

	subject_need(argc == 2, "an argument");
	prctl(PR_SET_NAME, "parent");
	subject_truth();
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!strcmp(argv[1], ways[i].name))
			ways[i].be();
	}
	subject_truth();
	prctl(PR_SET_NAME, "parent at end");
	subject_truth();
	return 0;
}
