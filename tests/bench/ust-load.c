/* SPDX-License-Identifier: MIT */
/*
 * ust-load EVENTS THREADS: that many events in all, from that many threads
 * at once. What the benchmark of the filter records.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust-load-tp.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long events_each;

static void *work(void *arg)
{
	long i;

	(void) arg;
	for (i = 0; i < events_each; i++)
		lttng_ust_tracepoint(ust_load, work, (int) i);
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc > 2 ? atol(argv[2]) : 0;
	pthread_t *ids;
	long i;

	if (threads < 1 || atol(argv[1]) < threads) {
		fprintf(stderr, "usage: ust-load EVENTS THREADS\n");
		return 2;
	}

	events_each = atol(argv[1]) / threads;
	ids = calloc(threads, sizeof(*ids));
	for (i = 0; i < threads; i++) {
		char name[32];

		if (pthread_create(&ids[i], NULL, work, NULL) != 0) {
			perror("ust-load: pthread_create");
			return 1;
		}

		snprintf(name, sizeof(name), "load-%ld", i % 1000);
		pthread_setname_np(ids[i], name);
	}

	for (i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	free(ids);
	return 0;
}
