/* SPDX-License-Identifier: MIT */

/*
 * Threads are created: pthread_create(3), thrd_create(3). The new thread runs
 * a function of ours first, which goes on to the program's.
 */

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

#include "cancel.h"
#include "feed/feed.h"
#include "life.h"
#include "names.h"
#include "next.h"
#include "process.h"
#include "start.h"
#include "tid.h"

/*
 * What a new thread is to run, on its way there. Not allocated as long as few
 * threads are on their way: free() in a thread that would else never call it
 * makes the C library set up an arena for it.
 */
#define BIRTHS	64

union start {
	void *(*posix)(void *);
	thrd_start_t c11;
};

struct birth {
	union start start;
	void *arg;
	pid_t parent_tid;
	/* Before it was created, both: see agent_life_begin(). */
	uint64_t ts;
	struct commcache_comm comm;
	bool comm_is_known;
	/* Set while the birth is in use. */
	bool taken;
	bool allocated;
};

static struct birth births[BIRTHS];
static unsigned int next_birth;

static struct birth *take_birth(void)
{
	unsigned int first = __atomic_fetch_add(&next_birth, 1,
			__ATOMIC_RELAXED);
	struct birth *birth;
	unsigned int i;

	for (i = 0; i < BIRTHS; i++) {
		birth = &births[(first + i) % BIRTHS];
		if (!__atomic_load_n(&birth->taken, __ATOMIC_RELAXED) &&
				!__atomic_exchange_n(&birth->taken, true,
					__ATOMIC_ACQUIRE))
			return birth;
	}
	birth = malloc(sizeof(*birth));
	if (birth)
		birth->allocated = true;
	return birth;
}

static void give_birth_back(struct birth *birth)
{
	if (birth->allocated)
		free(birth);
	else
		__atomic_store_n(&birth->taken, false, __ATOMIC_RELEASE);
}

/* NULL: the thread is to be created without us. errno is kept. */
static struct birth *begin(union start start, void *arg)
{
	int saved_errno = errno;
	struct birth *birth = NULL;

	if (!agent_start() || !agent_process_followed())
		goto end;
	birth = take_birth();
	if (!birth)
		goto end;
	birth->start = start;
	birth->arg = arg;
	birth->parent_tid = agent_tid_own();
	birth->ts = agent_feed_ts();
	birth->comm_is_known = agent_names_find(birth->parent_tid,
			&birth->comm);
end:
	errno = saved_errno;
	return birth;
}

static void end(void *data)
{
	(void) data;
	agent_life_end();
}

static struct birth born(struct birth *birth)
{
	struct birth copy = *birth;
	struct agent_cancel cancel = agent_cancel_off();

	give_birth_back(birth);
	agent_life_begin(copy.parent_tid, copy.ts,
			copy.comm_is_known ? &copy.comm : NULL);
	/* The program's first own call may be the one that forbids it. */
	agent_cancel_restore(cancel);
	return copy;
}

/*
 * The end is written by a clean-up handler, which runs on return,
 * pthread_exit() and cancellation. The destructor of a key, which would come
 * after those of the program, would make LTTng-UST register the thread a second
 * time: its own key's destructor runs before.
 */
static void *run_posix(void *data)
{
	struct birth birth = born(data);
	struct agent_cancel cancel;
	void *result;

	pthread_cleanup_push(end, NULL);
	result = birth.start.posix(birth.arg);
	/* Else the thread could end as cancelled, although it returned. */
	cancel = agent_cancel_off();
	pthread_cleanup_pop(1);
	agent_cancel_restore(cancel);
	return result;
}

static int run_c11(void *data)
{
	struct birth birth = born(data);
	struct agent_cancel cancel;
	int result;

	pthread_cleanup_push(end, NULL);
	result = birth.start.c11(birth.arg);
	cancel = agent_cancel_off();
	pthread_cleanup_pop(1);
	agent_cancel_restore(cancel);
	return result;
}

__attribute__((visibility("default")))
int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		void *(*start)(void *), void *arg)
{
	struct agent_cancel cancel = agent_cancel_off();
	struct birth *birth = begin((union start) { .posix = start }, arg);
	int ret = rcu_dereference(agent_next.pthread_create)(thread, attr,
			birth ? run_posix : start, birth ? birth : arg);

	if (ret && birth)
		give_birth_back(birth);
	agent_cancel_restore(cancel);
	return ret;
}

__attribute__((visibility("default")))
int thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	struct agent_cancel cancel = agent_cancel_off();
	struct birth *birth = begin((union start) { .c11 = start }, arg);
	int ret = rcu_dereference(agent_next.thrd_create)(thread,
			birth ? run_c11 : start, birth ? birth : arg);

	if (ret != thrd_success && birth)
		give_birth_back(birth);
	agent_cancel_restore(cancel);
	return ret;
}
