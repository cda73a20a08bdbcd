/* SPDX-License-Identifier: MIT */

/*
 * Names in a process that may not see its own threads below /proc:
 * namespaces [inner]. inner: children are in a PID namespace of their own, and
 * are not another program.
 */

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

static void name(const char *text)
{
	prctl(PR_SET_NAME, text);
	subject_truth();
}

static void *name_self(void *data)
{
	subject_truth();
	name("thread-itself");
	return data;
}

static void have_named(struct subject_worker *worker)
{
	(void) worker;
	subject_truth();
}

static void have_threads(void)
{
	struct subject_worker worker;
	pthread_t thread;

	pthread_create(&thread, NULL, name_self, NULL);
	pthread_join(thread, NULL);
	subject_worker_start(&worker);
	pthread_setname_np(worker.thread, "thread-named");
	subject_worker_run(&worker, have_named, NULL);
	pthread_setname_np(worker.thread, "thread-again");
	subject_worker_run(&worker, have_named, NULL);
	subject_worker_end(&worker);
}

static void have_child(int depth)
{
	pid_t pid = fork();

	if (pid == 0) {
		subject_truth();
		name(depth ? "child" : "grandchild");
		have_threads();
		if (depth)
			have_child(depth - 1);
		exit(0);
	}
	subject_need(pid > 0 && waitpid(pid, NULL, 0) == pid, "a child");
}

int main(int argc, char **argv)
{
	subject_truth();
	name("outer");
	if (argc > 1 && !strcmp(argv[1], "inner"))
		subject_need(!unshare(CLONE_NEWPID), "unshare");
	/* No thread can be made after that, but by children. */
	else
		have_threads();
	have_child(1);
	name("outer end");
	return 0;
}
