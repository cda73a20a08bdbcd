/* SPDX-License-Identifier: MIT */

/*
 * Threads that name themselves and a child, before libraries are opened, with
 * them, and after they are closed: opener [LIBRARY...]. Linked with the agent
 * as `linked`.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

#define LIBRARIES	4

static void *name_self(void *data)
{
	prctl(PR_SET_NAME, data);
	subject_truth();
	return NULL;
}

static void do_all(void *name)
{
	pthread_t thread;
	int status;
	pid_t pid;

	subject_need(!pthread_create(&thread, NULL, name_self, name) &&
			!pthread_join(thread, NULL), "a thread");
	pid = fork();
	if (pid == 0) {
		alarm(60);
		exit(0);
	}
	subject_need(pid > 0 && waitpid(pid, &status, 0) == pid &&
			status == 0, "a child's good end");
}

int main(int argc, char **argv)
{
	static char before[] = "before", opened[] = "opened",
			closed[] = "closed";
	void *libraries[LIBRARIES] = { NULL };
	int i;

	do_all(before);
	for (i = 1; i < argc && i < LIBRARIES; i++) {
		libraries[i] = dlopen(argv[i], RTLD_NOW);
		subject_need(libraries[i], dlerror());
	}
	do_all(opened);
	for (i = 1; i < argc && i < LIBRARIES; i++)
		dlclose(libraries[i]);
	do_all(closed);
	return 0;
}
