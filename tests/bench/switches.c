/* SPDX-License-Identifier: MIT */

/*
 * What the agent's second feed is measured with: switches WAY COUNT prints
 * nanoseconds, of the clock, and of the process on all CPUs.
 *
 * ping: for each time that two threads wake each other through pipes.
 * messages: for each message from ten threads to ten others.
 * compute: for each of many turns of pure computing, on all CPUs.
 */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SENDERS	10
#define MESSAGE	100

static unsigned long count;
static int ends[2][2];

static void need(int condition, const char *what)
{
	if (condition)
		return;
	perror(what);
	exit(1);
}

static double now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static void start(pthread_t *thread, void *(*function)(void *data))
{
	need(!pthread_create(thread, NULL, function, NULL), "pthread_create");
}

static void *pong(void *data)
{
	unsigned long i;
	char byte;

	(void) data;
	for (i = 0; i < count; i++)
		need(read(ends[0][0], &byte, 1) == 1 &&
				write(ends[1][1], &byte, 1) == 1, "pong");
	return NULL;
}

static void way_ping(void)
{
	unsigned long i;
	pthread_t thread;
	char byte = 0;

	start(&thread, pong);
	for (i = 0; i < count; i++)
		need(write(ends[0][1], &byte, 1) == 1 &&
				read(ends[1][0], &byte, 1) == 1, "ping");
	pthread_join(thread, NULL);
}

static void *send(void *data)
{
	char message[MESSAGE] = "";
	unsigned long i;

	(void) data;
	for (i = 0; i < count / SENDERS; i++)
		need(write(ends[0][1], message, MESSAGE) == MESSAGE, "send");
	return NULL;
}

static void *receive(void *data)
{
	char message[MESSAGE];
	unsigned long i;

	(void) data;
	for (i = 0; i < count / SENDERS; i++)
		need(read(ends[0][0], message, MESSAGE) == MESSAGE, "receive");
	return NULL;
}

static void way_messages(void)
{
	pthread_t senders[SENDERS], receivers[SENDERS];
	int i;

	for (i = 0; i < SENDERS; i++) {
		start(&receivers[i], receive);
		start(&senders[i], send);
	}
	for (i = 0; i < SENDERS; i++) {
		pthread_join(senders[i], NULL);
		pthread_join(receivers[i], NULL);
	}
}

static void *compute(void *data)
{
	volatile uint64_t value = 1;
	unsigned long i;

	(void) data;
	for (i = 0; i < count; i++)
		value = value * 6364136223846793005u + 1442695040888963407u;
	return NULL;
}

static void way_compute(void)
{
	long i, cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[64];

	for (i = 0; i < cpus && i < 64; i++)
		start(&threads[i], compute);
	while (i--)
		pthread_join(threads[i], NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "compute", way_compute },
	{ "messages", way_messages },
	{ "ping", way_ping },
};

int main(int argc, char **argv)
{
	double begin, begin_cpu;
	size_t i;

	need(!pipe(ends[0]) && !pipe(ends[1]), "pipe");
	count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	for (i = 0; count && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		begin = now(CLOCK_MONOTONIC);
		begin_cpu = now(CLOCK_PROCESS_CPUTIME_ID);
		ways[i].run();
		printf("%.1f %.1f ns\n",
				(now(CLOCK_MONOTONIC) - begin) / (double) count,
				(now(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu) /
				(double) count);
		return 0;
	}
	fprintf(stderr, "usage: switches compute|messages|ping COUNT\n");
	return 2;
}
