/* SPDX-License-Identifier: MIT */

/*
 * A program under orders: it reads one letter a line from standard input, does
 * what it says, and prints "done".
 *
 *	+	start a worker, which inherits the name
 *	-	end the last worker
 *	r	have each worker rename itself: "wN.M"
 *	o	name each worker from the main thread: "oN.M"
 *	t	write what each thread is called
 *	q	quit
 *
 * sleeper N: start with N workers.
 */

#include <stdio.h>
#include <stdlib.h>

#include "subject.h"

#define MAX_WORKERS	16384

static struct subject_worker workers[MAX_WORKERS];
static int nr_workers;
static int renaming;

static void tell(struct subject_worker *worker)
{
	(void) worker;
	subject_truth();
}

static void rename_self(struct subject_worker *worker)
{
	pthread_setname_np(pthread_self(), worker->data);
	subject_truth();
}

static void start_worker(void)
{
	subject_need(nr_workers < MAX_WORKERS, "few workers");
	subject_worker_start(&workers[nr_workers++]);
}

static void end_worker(void)
{
	subject_need(nr_workers > 0, "a worker");
	subject_worker_end(&workers[--nr_workers]);
}

static void rename_workers(bool by_us)
{
	char name[16];
	int i;

	renaming++;
	for (i = 0; i < nr_workers; i++) {
		snprintf(name, sizeof(name), "%c%d.%d", by_us ? 'o' : 'w',
				i % 100000, renaming % 1000);
		if (by_us)
			pthread_setname_np(workers[i].thread, name);
		subject_worker_run(&workers[i], by_us ? tell : rename_self,
				name);
	}
}

static void obey(int order)
{
	switch (order) {
	case '+':
		start_worker();
		break;
	case '-':
		end_worker();
		break;
	case 'r':
		rename_workers(false);
		break;
	case 'o':
		rename_workers(true);
		break;
	case 't':
		subject_truth_of_all();
		break;
	case 'q':
		exit(0);
	}
}

int main(int argc, char **argv)
{
	int i, order;

	for (i = 0; i < (argc > 1 ? atoi(argv[1]) : 0); i++)
		start_worker();
	while ((order = getchar()) != EOF) {
		if (order == '\n')
			continue;
		obey(order);
		puts("done");
		fflush(stdout);
	}
	return 0;
}
