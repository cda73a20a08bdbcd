/* SPDX-License-Identifier: MIT */

/*
 * Threads that rename themselves as fast as they can and tell their names, till
 * the end of standard input; one thread is renamed by another, which waits for it
 * each time, so that it is clear what its name is: racer THREADS. For each line
 * that it reads it answers when some renames more have been made.
 */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "subject.h"
#include "subject-provider.h"

#define EVENTS_PER_NAME	7
#define RENAMES_PER_LINE	64

static volatile bool stop;

static void tell(const char *name)
{
	lttng_ust_tracepoint(subject, truth, (int) getpid(),
			(int) subject_tid(), name);
}

static void *race(void *data)
{
	unsigned int number, event;
	char name[16];

	for (number = 0; !stop; number++) {
		snprintf(name, sizeof(name), "r%d.%u", *(int *) data,
				number % 1000000);
		pthread_setname_np(pthread_self(), name);
		for (event = 0; event < EVENTS_PER_NAME; event++)
			tell(name);
		/* A burst, then rest: the trace is to be read to the end. */
		if (number % 8 == 0)
			usleep(10000);
	}
	return NULL;
}

static void tell_often(struct subject_worker *worker)
{
	unsigned int event;

	for (event = 0; event < EVENTS_PER_NAME; event++)
		tell(worker->data);
}

static void answer(void)
{
	puts("done");
	fflush(stdout);
}

/* Whether to go on; a line that has come counts the renames from now. */
static bool look_for_line(unsigned int number, unsigned int *answer_at)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char byte;

	if (poll(&input, 1, 0) != 1)
		return true;
	if (read(STDIN_FILENO, &byte, 1) != 1)
		return false;
	*answer_at = number + RENAMES_PER_LINE;
	return true;
}

int main(int argc, char **argv)
{
	int threads = argc == 2 ? atoi(argv[1]) : 0, i;
	pthread_t thread[64];
	int numbers[64];
	struct subject_worker worker;
	unsigned int number, answer_at = 0;
	char name[16];

	subject_need(threads <= 64, "at most 64 threads");
	for (i = 0; i < threads; i++) {
		numbers[i] = i;
		pthread_create(&thread[i], NULL, race, &numbers[i]);
	}
	subject_worker_start(&worker);
	for (number = 1; look_for_line(number, &answer_at); number++) {
		snprintf(name, sizeof(name), "other.%u", number % 1000000);
		pthread_setname_np(worker.thread, name);
		subject_worker_run(&worker, tell_often, name);
		if (number == answer_at)
			answer();
		if (number % 8 == 0)
			usleep(10000);
	}
	subject_worker_end(&worker);
	stop = true;
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
