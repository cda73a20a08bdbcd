/* SPDX-License-Identifier: MIT */

/*
 * What a process can see of a guest: its file descriptors, threads, children,
 * signal mask, errno and output. Prints it; what the guest adds is the
 * difference.
 */

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

static void print_files(void)
{
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;
	char path[300], target[300];
	ssize_t length;

	subject_need(directory, "open /proc/self/fd");
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.' ||
				atoi(entry->d_name) == dirfd(directory))
			continue;
		snprintf(path, sizeof(path), "/proc/self/fd/%s",
				entry->d_name);
		length = readlink(path, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		/* Not the number in "socket:[1234]". */
		printf("file %.*s\n", (int) strcspn(target, ":["), target);
	}
	closedir(directory);
}

static void print_count_of_threads(void)
{
	DIR *directory = opendir("/proc/self/task");
	int threads = 0;

	subject_need(directory, "open /proc/self/task");
	while (readdir(directory))
		threads++;
	closedir(directory);
	printf("threads %d\n", threads - 2);
}

static void print_signals(const char *who)
{
	sigset_t mask;
	int number;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	printf("%s blocks", who);
	for (number = 1; number < NSIG; number++) {
		if (sigismember(&mask, number) == 1)
			printf(" %d", number);
	}
	putchar('\n');
}

/* One at a time: the output is to be the same each time. */
static pthread_barrier_t turn;

static void *run(void *data)
{
	pthread_barrier_wait(&turn);
	printf("new thread: errno %d\n", errno);
	print_signals("new thread");
	errno = 33;
	pthread_setname_np(pthread_self(), "guest's");
	prctl(PR_SET_NAME, "guest's");
	printf("after renames: errno %d\n", errno);
	print_signals("after renames");
	return data;
}

int main(void)
{
	sigset_t some;
	pthread_t thread;
	int i, status;

	pthread_barrier_init(&turn, NULL, 2);
	sigemptyset(&some);
	sigaddset(&some, SIGUSR1);
	sigaddset(&some, SIGWINCH);
	pthread_sigmask(SIG_BLOCK, &some, NULL);
	for (i = 0; i < 3; i++) {
		errno = 44;
		if (pthread_create(&thread, NULL, run, NULL))
			return 1;
		printf("after pthread_create: errno %d\n", errno);
		pthread_setname_np(thread, "by another");
		printf("after naming another: errno %d\n", errno);
		pthread_barrier_wait(&turn);
		pthread_join(thread, NULL);
	}
	print_signals("main");
	fflush(stdout);
	if (fork() == 0) {
		printf("child: errno %d\n", errno);
		print_signals("child");
		exit(0);
	}
	wait(&status);
	printf("parent: errno %d\n", errno);
	print_signals("parent");
	printf("child's status %d\n", status);
	printf("other children: %d\n", waitpid(-1, &status, WNOHANG) != -1);
	print_files();
	print_count_of_threads();
	return 0;
}
