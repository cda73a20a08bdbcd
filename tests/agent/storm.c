/* SPDX-License-Identifier: MIT */

/*
 * Threads that hardly live, each renamed twice, some at a time:
 * storm THREADS AT-A-TIME.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "subject.h"

#define MOST_AT_A_TIME	256

static void *hardly_live(void *data)
{
	char name[16];

	snprintf(name, sizeof(name), "a%u", (unsigned int) (size_t) data);
	pthread_setname_np(pthread_self(), name);
	name[0] = 'b';
	prctl(PR_SET_NAME, name);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int nr = argc == 3 ? (unsigned int) atoi(argv[1]) : 0, i;
	unsigned int at_a_time = argc == 3 ? (unsigned int) atoi(argv[2]) : 0;
	pthread_t threads[MOST_AT_A_TIME];

	subject_need(at_a_time > 0 && at_a_time <= MOST_AT_A_TIME,
			"some at a time");
	for (i = 0; i < nr + at_a_time; i++) {
		if (i >= at_a_time)
			pthread_join(threads[i % at_a_time], NULL);
		if (i < nr)
			subject_need(!pthread_create(&threads[i % at_a_time],
					NULL, hardly_live,
					(void *) (size_t) i), "a thread");
	}
	return 0;
}
