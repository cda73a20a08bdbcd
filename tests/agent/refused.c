/* SPDX-License-Identifier: MIT */

/*
 * Names in a program to which the kernel refuses one system call:
 *	refused errno|kill NUMBER	the call of that number
 *	refused errno|kill get-name	prctl(PR_GET_NAME) alone
 * It makes none of them itself, if it can do without.
 */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "subject.h"

#define LOAD(member)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
		offsetof(struct seccomp_data, member))
#define UNLESS(value, skipped)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, \
		skipped)

static void refuse(uint32_t action, const char *call)
{
	const bool get_name = !strcmp(call, "get-name");
	struct sock_filter filter[] = {
		LOAD(nr),
		UNLESS(get_name ? SYS_prctl : (uint32_t) atoi(call), 3),
		LOAD(args[0]),
		/* Any first argument, if it is not for a name. */
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K,
				get_name ? PR_GET_NAME : 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	if (get_name)
		filter[3] = (struct sock_filter) UNLESS(PR_GET_NAME, 1);
	subject_need(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
			!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program),
			"a filter");
}

static pthread_barrier_t barrier;

static void *name_self(void *data)
{
	pthread_setname_np(pthread_self(), "by-itself");
	pthread_setname_np(pthread_self(), "by-itself-again");
	return data;
}

static void *be_named(void *data)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return data;
}

static void have_thread(void *(*function)(void *), bool named)
{
	pthread_t thread;

	subject_need(!pthread_create(&thread, NULL, function, NULL),
			"a thread");
	if (named) {
		pthread_barrier_wait(&barrier);
		/* May be refused. */
		(void) pthread_setname_np(thread, "by-creator");
		pthread_barrier_wait(&barrier);
	}
	subject_need(!pthread_join(thread, NULL), "its end");
}

int main(int argc, char **argv)
{
	subject_need(argc == 3, "two arguments");
	pthread_barrier_init(&barrier, NULL, 2);
	refuse(strcmp(argv[1], "kill") ? SECCOMP_RET_ERRNO | EPERM :
			SECCOMP_RET_KILL_PROCESS, argv[2]);
	have_thread(name_self, false);
	if (strcmp(argv[1], "kill"))
		have_thread(be_named, true);
	prctl(PR_SET_NAME, "main-thread");
	_exit(0);
}
