/* SPDX-License-Identifier: MIT */

/*
 * truth [--pause]: 8 threads write 20,000 events, each with the name that its
 * thread has then. Every 7 events a thread gets another name: mostly from
 * itself, every 4th time from the main thread, for which it waits, so that
 * there is one truth at each event. The names are read back from the kernel
 * now and then: a truth that is not true fails the program.
 *
 * With --pause all threads stop halfway: the program prints "halfway" and goes
 * on when it can read a line.
 */

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "truth-provider.h"

#define THREADS 8
#define EVENTS_PER_THREAD 2500
#define EVENTS_PER_NAME 7
#define RENAMES_PER_FOREIGN_RENAME 4

struct worker {
	pthread_t thread;
	int index;
	char name[16];
	/* Posted by the main thread once it has renamed this one. */
	sem_t renamed;
};

static struct worker workers[THREADS];
static bool pause_halfway;
/* All workers and the main thread. */
static pthread_barrier_t halfway, go_on;

/* The one worker that waits to be renamed, if any. */
static struct worker *asking;
static int ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void fail(const char *what)
{
	fprintf(stderr, "truth: %s\n", what);
	exit(1);
}

/* Names of 5 to 15 bytes; most of them come once only. */
static void next_name(struct worker *worker, int number)
{
	snprintf(worker->name, sizeof(worker->name), "%c%d-%d%.*s",
		'a' + number % 26, worker->index, number, number % 7, "-longer");
}

static void check_name(const struct worker *worker)
{
	char name[16];

	if (pthread_getname_np(worker->thread, name, sizeof(name)) ||
			strcmp(name, worker->name))
		fail("the kernel tells another name than was set");
}

static void be_renamed(struct worker *worker)
{
	pthread_mutex_lock(&lock);
	while (asking)
		pthread_cond_wait(&changed, &lock);
	asking = worker;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	sem_wait(&worker->renamed);
}

static void rename_worker(struct worker *worker, int number)
{
	next_name(worker, number);
	if (number % RENAMES_PER_FOREIGN_RENAME == 0) {
		be_renamed(worker);
		check_name(worker);
	} else if (pthread_setname_np(worker->thread, worker->name)) {
		fail("pthread_setname_np on the own thread");
	}
}

static void *work(void *data)
{
	struct worker *worker = data;

	for (int i = 0; i < EVENTS_PER_THREAD; i++) {
		if (pause_halfway && i == EVENTS_PER_THREAD / 2) {
			pthread_barrier_wait(&halfway);
			pthread_barrier_wait(&go_on);
		}
		if (i % EVENTS_PER_NAME == 0)
			rename_worker(worker, i / EVENTS_PER_NAME + 1);
		lttng_ust_tracepoint(truth, name, i, worker->name);
	}
	pthread_mutex_lock(&lock);
	ended++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *wait_for_a_line(void *data)
{
	(void) data;
	pthread_barrier_wait(&halfway);
	puts("halfway");
	fflush(stdout);
	if (getchar() == EOF)
		fail("no line to go on");
	pthread_barrier_wait(&go_on);
	return NULL;
}

static void rename_who_asks(void)
{
	pthread_mutex_lock(&lock);
	while (ended < THREADS) {
		if (!asking) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		if (pthread_setname_np(asking->thread, asking->name))
			fail("pthread_setname_np on another thread");
		sem_post(&asking->renamed);
		asking = NULL;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv)
{
	pthread_t pauser;

	pause_halfway = argc == 2 && !strcmp(argv[1], "--pause");
	pthread_barrier_init(&halfway, NULL, THREADS + 1);
	pthread_barrier_init(&go_on, NULL, THREADS + 1);
	if (pause_halfway && pthread_create(&pauser, NULL, wait_for_a_line, NULL))
		fail("pthread_create");
	for (int i = 0; i < THREADS; i++) {
		struct worker *worker = &workers[i];

		worker->index = i;
		sem_init(&worker->renamed, 0, 0);
		if (pthread_create(&worker->thread, NULL, work, worker))
			fail("pthread_create");
	}
	rename_who_asks();
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	if (pause_halfway)
		pthread_join(pauser, NULL);
	return 0;
}
