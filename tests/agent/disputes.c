/* SPDX-License-Identifier: MIT */

/*
 * Names that several give at once: threads that name each other and
 * themselves, and a signal handler that names a thread while it names itself.
 * From time to time all hold still, and what each is called is told:
 * disputes threads|signals ROUNDS.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "subject.h"

#define THREADS		4
#define RENAMES		200

static pthread_t threads[THREADS];
static pthread_barrier_t barrier;
static int rounds;

static void *dispute(void *data)
{
	unsigned int self = *(unsigned int *) data, seed = self, number = 0;
	int round, i;
	char name[16];

	for (round = 0; round < rounds; round++) {
		pthread_barrier_wait(&barrier);
		for (i = 0; i < RENAMES; i++) {
			/* Itself half of the time. */
			unsigned int other = (unsigned int) rand_r(&seed) % 2 ?
					self : (unsigned int) rand_r(&seed) %
					THREADS;

			snprintf(name, sizeof(name), "%u by %u.%u", other,
					self, number++ % 10000);
			pthread_setname_np(threads[other], name);
		}
		pthread_barrier_wait(&barrier);
		/* Nobody names anybody now. */
		subject_truth();
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void dispute_by_threads(void)
{
	unsigned int number[THREADS], i;

	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (i = 0; i < THREADS; i++) {
		number[i] = i;
		pthread_create(&threads[i], NULL, dispute, &number[i]);
	}
	for (i = 0; i < 3 * (unsigned int) rounds; i++)
		pthread_barrier_wait(&barrier);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* As many as there may be in a round: a slow one has more signals. */
static volatile sig_atomic_t left;

static void name_in_handler(int number)
{
	static unsigned int count;
	char name[16] = "handler 0000";
	unsigned int i, rest = ++count;

	(void) number;
	if (left == 0)
		return;
	left = left - 1;
	/* printf() is not for signal handlers. */
	for (i = 11; i > 7; i--, rest /= 10)
		name[i] = (char) ('0' + rest % 10);
	prctl(PR_SET_NAME, name);
}

static void dispute_by_signals(void)
{
	const struct itimerval often = { { 0, 100 }, { 0, 100 } };
	struct sigaction action = { .sa_handler = name_in_handler };
	sigset_t alarms;
	char name[16];
	int round, i;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (round = 0; round < rounds; round++) {
		left = RENAMES;
		for (i = 0; i < RENAMES; i++) {
			snprintf(name, sizeof(name), "main %u",
					(unsigned int) i);
			pthread_setname_np(pthread_self(), name);
		}
		pthread_sigmask(SIG_BLOCK, &alarms, NULL);
		subject_truth();
		pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	}
}

int main(int argc, char **argv)
{
	rounds = argc == 3 ? atoi(argv[2]) : 0;
	if (rounds && !strcmp(argv[1], "threads"))
		dispute_by_threads();
	else if (rounds && !strcmp(argv[1], "signals"))
		dispute_by_signals();
	else
		return 2;
	return 0;
}
