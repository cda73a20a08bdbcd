/* SPDX-License-Identifier: MIT */

/*
 * Forks where somebody may wait for somebody:
 *	forks handler TIMES	in a handler of signals that interrupt renames
 *	forks held TIMES	while a thread writes its first event under a lock
 *				that a library's fork handlers take (held.so)
 *	forks together TIMES	of several threads at once, which rename themselves
 *	forks plain TIMES	of the only thread
 * Each child ends by _exit() or, but in a handler, exit(). One that hangs is
 * ended by SIGALRM, which is told from a good end.
 */

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

#define THREADS	4

static int times;
static volatile sig_atomic_t forks, bad;

static void have_child(bool by_exit)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		signal(SIGALRM, SIG_DFL);
		alarm(60);
		if (by_exit)
			exit(0);
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid < 0 || status != 0)
		bad++;
	forks++;
}

/* Once: on a slow machine the next would come before anything is done. */
static void call_soon(void)
{
	const struct itimerval timer = { .it_value.tv_usec = 2000 };

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void on_signal(int number)
{
	int saved_errno = errno;

	(void) number;
	have_child(false);
	call_soon();
	errno = saved_errno;
}

static void rename_self(unsigned int i)
{
	pthread_setname_np(pthread_self(), i % 2 ? "one" : "two");
}

static void fork_in_handlers(void)
{
	unsigned int i;

	signal(SIGALRM, on_signal);
	call_soon();
	for (i = 0; forks < times; i++)
		rename_self(i);
	signal(SIGALRM, SIG_IGN);
}

static pthread_mutex_t *held;
static pthread_barrier_t barrier;

static void *write_under_lock(void *data)
{
	pthread_mutex_lock(held);
	pthread_barrier_wait(&barrier);
	/* The other is about to fork. */
	usleep(20000);
	prctl(PR_SET_NAME, "under-lock");
	pthread_mutex_unlock(held);
	return data;
}

static void fork_while_held(void)
{
	pthread_t thread;
	int i;

	held = dlsym(RTLD_DEFAULT, "held_lock");
	subject_need(held, "held.so is preloaded");
	pthread_barrier_init(&barrier, NULL, 2);
	for (i = 0; i < times; i++) {
		pthread_create(&thread, NULL, write_under_lock, NULL);
		pthread_barrier_wait(&barrier);
		have_child(true);
		pthread_join(thread, NULL);
	}
}

static void *fork_and_rename(void *data)
{
	int i;

	for (i = 0; i < times / THREADS; i++) {
		rename_self((unsigned int) i);
		have_child(i % 2);
	}
	return data;
}

static void fork_together(void)
{
	pthread_t threads[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, fork_and_rename, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void fork_plainly(void)
{
	int i;

	for (i = 0; i < times; i++)
		have_child(true);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*fork)(void);
	} ways[] = {
		{ "handler", fork_in_handlers },
		{ "held", fork_while_held },
		{ "together", fork_together },
		{ "plain", fork_plainly },
	};
	size_t i;

	subject_need(argc == 3, "two arguments");
	times = atoi(argv[2]);
	puts("begins");
	fflush(stdout);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!strcmp(argv[1], ways[i].name))
			ways[i].fork();
	}
	printf("%d bad\n", (int) bad);
	return 0;
}
