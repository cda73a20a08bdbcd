/* SPDX-License-Identifier: MIT */

/*
 * How long a program takes from its start to its end, in microseconds: the
 * smallest of all runs, and the median.
 *
 *	spawn-time RUNS PRELOAD PROGRAM [ARGUMENT...]
 */

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

#define MOST_RUNS	10000

static double now_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *) a - *(const double *) b;

	return difference < 0 ? -1 : difference > 0;
}

int main(int argc, char **argv)
{
	int runs = argc > 3 ? atoi(argv[1]) : 0, i, status;
	static double times[MOST_RUNS];
	double start;
	pid_t pid;

	if (runs < 1 || runs > MOST_RUNS) {
		fprintf(stderr, "usage: spawn-time RUNS PRELOAD PROGRAM [ARGUMENT...]\n");
		return 2;
	}
	if (*argv[2])
		setenv("LD_PRELOAD", argv[2], 1);
	for (i = 0; i < runs; i++) {
		start = now_us();
		if (posix_spawnp(&pid, argv[3], NULL, NULL, argv + 3, environ) ||
				waitpid(pid, &status, 0) != pid || status) {
			fprintf(stderr, "spawn-time: %s failed\n", argv[3]);
			return 1;
		}
		times[i] = now_us() - start;
	}
	qsort(times, (size_t) runs, sizeof(times[0]), compare);
	printf("%.0f %.0f\n", times[0], times[runs / 2]);
	return 0;
}
