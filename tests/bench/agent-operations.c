/* SPDX-License-Identifier: MIT */

/*
 * What the agent could make dearer, in nanoseconds for each:
 *
 *	agent-operations create N	pthread_create and pthread_join
 *	agent-operations create-event N	the same, of threads with one event
 *	agent-operations same N		pthread_setname_np to the same name
 *	agent-operations rename N	pthread_setname_np to another name
 *	agent-operations event N	an event of the program
 *	agent-operations paced N	the same, not faster than can be stored
 */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "agent-operations-provider.h"

static void *nothing(void *data)
{
	return data;
}

static void create(unsigned int i)
{
	pthread_t thread;

	(void) i;
	if (pthread_create(&thread, NULL, nothing, NULL))
		exit(1);
	pthread_join(thread, NULL);
}

static void *one_event(void *data)
{
	lttng_ust_tracepoint(agent_operations, event, 1);
	return data;
}

static void create_event(unsigned int i)
{
	pthread_t thread;

	(void) i;
	if (pthread_create(&thread, NULL, one_event, NULL))
		exit(1);
	pthread_join(thread, NULL);
}

static void same(unsigned int i)
{
	(void) i;
	pthread_setname_np(pthread_self(), "the same");
}

static void rename_self(unsigned int i)
{
	pthread_setname_np(pthread_self(), i & 1 ? "one" : "another");
}

static void event(unsigned int i)
{
	lttng_ust_tracepoint(agent_operations, event, i);
}

static void paced(unsigned int i)
{
	if (i % 4096 == 0)
		usleep(20000);
	event(i);
}

static const struct {
	const char *name;
	void (*run)(unsigned int i);
} operations[] = {
	{ "create", create },
	{ "create-event", create_event },
	{ "same", same },
	{ "rename", rename_self },
	{ "event", event },
	{ "paced", paced },
};

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int argc, char **argv)
{
	unsigned int n = argc == 3 ? (unsigned int) atoi(argv[2]) : 0, i, o;
	double start;

	for (o = 0; o < sizeof(operations) / sizeof(operations[0]); o++) {
		if (!n || strcmp(operations[o].name, argv[1]))
			continue;
		/* The first is dearer. */
		operations[o].run(1);
		start = now_ns();
		for (i = 0; i < n; i++)
			operations[o].run(i);
		printf("%.2f\n", (now_ns() - start) / n);
		return 0;
	}
	fprintf(stderr, "usage: agent-operations OPERATION N\n");
	return 2;
}
