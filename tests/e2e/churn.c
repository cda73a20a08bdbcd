/* SPDX-License-Identifier: MIT */

/*
 * churn SECONDS: threads come, take a name, write an event that says it, and
 * go, as fast as they can. What keeps a bit of each thread for ever grows.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "truth-provider.h"

static void *work(void *arg)
{
	const unsigned long number = (unsigned long) arg;
	char name[16];

	snprintf(name, sizeof(name), "churn-%lu", number % 1000000);
	pthread_setname_np(pthread_self(), name);
	lttng_ust_tracepoint(truth, name, (int) number, name);
	return NULL;
}

int main(int argc, char **argv)
{
	const time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 0);
	unsigned long number = 0;

	while (time(NULL) < end) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, work, (void *) number) != 0) {
			perror("churn: pthread_create");
			return 1;
		}

		pthread_join(thread, NULL);
		number++;
	}

	printf("%lu\n", number);
	return 0;
}
