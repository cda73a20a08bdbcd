/* SPDX-License-Identifier: MIT */

/*
 * A library whose constructor registers fork handlers around a lock. Preloaded
 * after the agent it is loaded first, and so registers its handlers first.
 */

#include <pthread.h>

extern pthread_mutex_t held_lock;
__attribute__((visibility("default")))
pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
	pthread_mutex_lock(&held_lock);
}

static void unlock(void)
{
	pthread_mutex_unlock(&held_lock);
}

__attribute__((constructor))
static void load(void)
{
	pthread_atfork(lock, unlock, unlock);
}
