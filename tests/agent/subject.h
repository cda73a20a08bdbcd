/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_SUBJECT_H
#define COMMCACHE_TESTS_SUBJECT_H

/*
 * What the programs under test share.
 */

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

/* End the program with a message unless condition. */
void subject_need(bool condition, const char *what);

pid_t subject_tid(void);

/* Write what the kernel says that tid is called, or each thread of ours. */
void subject_truth_of(pid_t tid);
void subject_truth(void);
void subject_truth_of_all(void);

/* The same in an event that a reader can not learn from. */
void subject_called_of(pid_t tid);
void subject_called(void);

/* A thread that runs, between two calls, what it is told. */
struct subject_worker {
	pthread_t thread;
	pid_t tid;
	pthread_barrier_t barrier;
	void (*job)(struct subject_worker *worker);
	void *data;
};

void subject_worker_start(struct subject_worker *worker);
/* Run job in the worker, and wait until it is done. */
void subject_worker_run(struct subject_worker *worker,
		void (*job)(struct subject_worker *worker), void *data);
void subject_worker_end(struct subject_worker *worker);

#endif /* COMMCACHE_TESTS_SUBJECT_H */
