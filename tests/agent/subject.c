/* SPDX-License-Identifier: MIT */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "subject-provider.h"

#include "subject.h"

void subject_need(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "subject: failed: %s\n", what);
	exit(99);
}

pid_t subject_tid(void)
{
	return (pid_t) syscall(SYS_gettid);
}

/* False: there is no such thread. */
static bool read_comm(pid_t tid, char comm[64])
{
	char path[64];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", (int) tid);
	file = fopen(path, "r");
	if (!file)
		return false;
	length = fread(comm, 1, 63, file);
	fclose(file);
	subject_need(length > 0, "read comm");
	comm[length - 1] = '\0';
	return true;
}

void subject_called_of(pid_t tid)
{
	char comm[64];

	if (read_comm(tid, comm))
		lttng_ust_tracepoint(subject, called, (int) tid, comm);
}

void subject_called(void)
{
	subject_called_of(subject_tid());
}

void subject_truth_of(pid_t tid)
{
	char comm[64];

	if (!read_comm(tid, comm))
		return;
	lttng_ust_tracepoint(subject, truth, (int) getpid(), (int) tid, comm);
}

/* By prctl(), for who has no /proc. */
void subject_truth(void)
{
	char comm[64] = "";

	subject_need(!syscall(SYS_prctl, PR_GET_NAME, comm, 0, 0, 0),
			"the own name");
	lttng_ust_tracepoint(subject, truth, (int) getpid(),
			(int) subject_tid(), comm);
}

void subject_truth_of_all(void)
{
	DIR *directory = opendir("/proc/self/task");
	struct dirent *entry;

	subject_need(directory, "open /proc/self/task");
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] != '.')
			subject_truth_of(atoi(entry->d_name));
	}
	closedir(directory);
}

static void *work(void *data)
{
	struct subject_worker *worker = data;

	worker->tid = subject_tid();
	for (;;) {
		pthread_barrier_wait(&worker->barrier);
		pthread_barrier_wait(&worker->barrier);
		if (!worker->job)
			return NULL;
		worker->job(worker);
	}
}

void subject_worker_start(struct subject_worker *worker)
{
	worker->job = NULL;
	worker->data = NULL;
	pthread_barrier_init(&worker->barrier, NULL, 2);
	subject_need(!pthread_create(&worker->thread, NULL, work, worker),
			"create a thread");
	pthread_barrier_wait(&worker->barrier);
}

void subject_worker_run(struct subject_worker *worker,
		void (*job)(struct subject_worker *worker), void *data)
{
	worker->job = job;
	worker->data = data;
	pthread_barrier_wait(&worker->barrier);
	/* It comes back when the job is done. */
	pthread_barrier_wait(&worker->barrier);
}

void subject_worker_end(struct subject_worker *worker)
{
	worker->job = NULL;
	pthread_barrier_wait(&worker->barrier);
	subject_need(!pthread_join(worker->thread, NULL), "join");
	pthread_barrier_destroy(&worker->barrier);
}
