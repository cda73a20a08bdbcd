/* SPDX-License-Identifier: MIT */

/*
 * Threads that are cancelled where no cancellation point is:
 *	canceled pending TIMES	what is not one, with a cancellation pending
 *	canceled start TIMES	before they could run: they forbid it first
 *	canceled return TIMES	as they return
 *	canceled storm TIMES	at any moment of their lives
 * Each tells how many ended otherwise than they would without a library that
 * writes events in their names.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <threads.h>

#include "subject.h"

#define AT_A_TIME	16

static int times;
static pthread_barrier_t barrier;
static pthread_t other;

static void *nothing(void *data)
{
	return data;
}

static int nothing_c11(void *data)
{
	(void) data;
	return 0;
}

static void forbid(void)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
}

static void allow(void)
{
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
}

/* None of these is a cancellation point. */
static void *go_on(void *data)
{
	pthread_t thread;
	thrd_t c11;
	char name[16];
	int i;

	forbid();
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	allow();
	for (i = 0; i < times; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		pthread_setname_np(pthread_self(), name);
		pthread_setname_np(other, name);
		prctl(PR_SET_NAME, i % 2 ? "odd" : "even");
		if (i % 64)
			continue;
		pthread_create(&thread, NULL, nothing, NULL);
		thrd_create(&c11, nothing_c11, NULL);
		/* These are. */
		forbid();
		pthread_join(thread, NULL);
		thrd_join(c11, NULL);
		allow();
	}
	forbid();
	return data;
}

static int be_pending(void)
{
	pthread_t thread;
	void *result;

	other = pthread_self();
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, go_on, &times);
	pthread_barrier_wait(&barrier);
	pthread_cancel(thread);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, &result);
	return result != &times;
}

static void *forbid_first(void *data)
{
	forbid();
	return data;
}

static int be_started(void)
{
	int i, wrong = 0;

	for (i = 0; i < times; i++) {
		pthread_t thread;
		void *result;

		pthread_create(&thread, NULL, forbid_first, &times);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		wrong += result != &times;
	}
	return wrong;
}

static void *return_cancelled(void *data)
{
	forbid();
	pthread_setname_np(pthread_self(), "returns");
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	allow();
	return data;
}

static int be_returning(void)
{
	int i, wrong = 0;

	pthread_barrier_init(&barrier, NULL, 2);
	for (i = 0; i < times; i++) {
		pthread_t thread;
		void *result;

		pthread_create(&thread, NULL, return_cancelled, &times);
		pthread_barrier_wait(&barrier);
		pthread_cancel(thread);
		pthread_barrier_wait(&barrier);
		pthread_join(thread, &result);
		wrong += result != &times;
	}
	return wrong;
}

struct life {
	pthread_t thread;
	unsigned int number;
	bool asynchronous;
	/* It forbade cancellation in time, and so returns. */
	bool returns;
};

static void *live(void *data)
{
	struct life *life = data;
	char name[16];
	int i, type;

	if (life->asynchronous)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	for (i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "%d-%u", i, life->number);
		pthread_setname_np(pthread_self(), name);
		if (i % 2 && !life->asynchronous)
			pthread_testcancel();
	}
	/* What was sent already is not to come after all. */
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	forbid();
	life->returns = true;
	return life;
}

static int end_life(struct life *life)
{
	void *result;

	pthread_join(life->thread, &result);
	/* glibc 2.36 says this, rarely, of one that returned, where type was changed. */
	if (result == PTHREAD_CANCELED)
		return life->returns && !life->asynchronous;
	return result != life || !life->returns;
}

static int be_stormed(void)
{
	static struct life lives[AT_A_TIME];
	unsigned int seed = 1;
	int i, wrong = 0;

	for (i = 0; i < times + AT_A_TIME; i++) {
		struct life *life = &lives[i % AT_A_TIME];
		/* Some are cancelled at once, some in their midst or end. */
		struct life *victim = &lives[rand_r(&seed) % AT_A_TIME];

		if (i >= AT_A_TIME)
			wrong += end_life(life);
		memset(life, 0, sizeof(*life));
		if (i >= times)
			continue;
		life->number = (unsigned int) i;
		life->asynchronous = i % 3 == 0;
		subject_need(!pthread_create(&life->thread, NULL, live, life),
				"a thread");
		pthread_cancel(victim->thread ? victim->thread : life->thread);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*be)(void);
	} ways[] = {
		{ "pending", be_pending },
		{ "start", be_started },
		{ "return", be_returning },
		{ "storm", be_stormed },
	};
	size_t i;

	subject_need(argc == 3, "two arguments");
	times = atoi(argv[2]);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!strcmp(argv[1], ways[i].name))
			printf("%d\n", ways[i].be());
	}
	return 0;
}
