/* SPDX-License-Identifier: MIT */

/*
 * pool [JOBS]: a pool of workers as servers have it, each takes jobs of 2 ms and
 * renames itself for every one of them. One worker is renamed by the main thread, and a forked
 * child takes a last job. The program that ./demo traces.
 */

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "pool-provider.h"

#define WORKERS 4

static int jobs = 9;
static atomic_int next_job = 1;
static sem_t drained;
static sem_t renamed;

static void pause_ms(long ms)
{
	const struct timespec duration = { .tv_nsec = ms * 1000000 };

	nanosleep(&duration, NULL);
}

static void do_job(int number)
{
	char name[16];

	snprintf(name, sizeof(name), "job-%d", number);
	pthread_setname_np(pthread_self(), name);
	lttng_ust_tracepoint(pool, job, number, "begin");
	pause_ms(2);
	lttng_ust_tracepoint(pool, job, number, "end");
}

static void *work(void *data)
{
	int number;

	pthread_setname_np(pthread_self(), "worker");
	lttng_ust_tracepoint(pool, job, 0, "ready");
	while ((number = atomic_fetch_add(&next_job, 1)) <= jobs)
		do_job(number);
	if (data) {
		sem_post(&drained);
		sem_wait(&renamed);
		lttng_ust_tracepoint(pool, job, 0, "sweep");
	}
	return NULL;
}

static int run_child(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		do_job(jobs + 1);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	return status != 0;
}

int main(int argc, char **argv)
{
	pthread_t workers[WORKERS];

	if (argc > 1)
		jobs = atoi(argv[1]);
	sem_init(&drained, 0, 0);
	sem_init(&renamed, 0, 0);
	lttng_ust_tracepoint(pool, job, 0, "open");
	for (int i = 0; i < WORKERS; i++) {
		/* The first stays to be renamed. */
		if (pthread_create(&workers[i], NULL, work, i == 0 ? &renamed : NULL))
			return 1;
	}
	sem_wait(&drained);
	pthread_setname_np(workers[0], "sweeper");
	sem_post(&renamed);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	lttng_ust_tracepoint(pool, job, 0, "close");
	return run_child();
}
