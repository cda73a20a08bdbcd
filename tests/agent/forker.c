/* SPDX-License-Identifier: MIT */

/*
 * Forks from the midst of threads that never rest but for REST microseconds
 * after each few names: forker CHILDREN THREADS REST. Each child names itself, runs a named
 * thread, and some fork once more.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

static volatile bool stop;
static useconds_t rest;

static void *nothing(void *data)
{
	prctl(PR_SET_NAME, "short");
	return data;
}

/* Renames itself and its like, and has threads come and go. */
static void *never_rest(void *data)
{
	unsigned int number;
	pthread_t thread;
	char name[16];

	for (number = 0; !stop; number++) {
		snprintf(name, sizeof(name), "%d.%u", *(int *) data,
				number % 10000);
		pthread_setname_np(pthread_self(), name);
		if (number % 16)
			continue;
		if (!pthread_create(&thread, NULL, nothing, NULL)) {
			pthread_setname_np(thread, name);
			pthread_join(thread, NULL);
		}
		if (rest)
			usleep(rest);
	}
	return NULL;
}

static void have_child(bool has_child_too);

static void be_child(bool has_child)
{
	pthread_t thread;

	/* A child that hangs ends here, and is told from one that ends. */
	alarm(60);
	prctl(PR_SET_NAME, "child");
	subject_need(!pthread_create(&thread, NULL, nothing, NULL),
			"a thread of the child");
	subject_need(!pthread_join(thread, NULL), "join it");
	if (has_child)
		have_child(false);
	exit(0);
}

static void have_child(bool has_child_too)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		be_child(has_child_too);
	subject_need(pid > 0, "fork");
	subject_need(waitpid(pid, &status, 0) == pid, "wait");
	subject_need(WIFEXITED(status) && WEXITSTATUS(status) == 0,
			"the child's end");
}

int main(int argc, char **argv)
{
	int children = argc == 4 ? atoi(argv[1]) : 0, i;
	int nr_threads = argc == 4 ? atoi(argv[2]) : 0;
	pthread_t threads[64];
	int numbers[64];
	int status;

	subject_need(nr_threads <= 64, "at most 64 threads");
	rest = argc == 4 ? (useconds_t) atoi(argv[3]) : 0;
	for (i = 0; i < nr_threads; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, never_rest, &numbers[i]);
	}
	for (i = 0; i < children; i++)
		have_child(i % 8 == 0);
	stop = true;
	for (i = 0; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	/* No child of ours or of anybody is left. */
	subject_need(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD,
			"no zombie");
	return 0;
}
