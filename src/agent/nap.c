/* SPDX-License-Identifier: MIT */

#include <pthread.h>
#include <time.h>

#include "nap.h"

void agent_nap(long ns)
{
	const struct timespec time = { .tv_nsec = ns };
	int state;

	/* What the program calls is none; nanosleep() is one. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	nanosleep(&time, NULL);
	pthread_setcancelstate(state, &state);
}
