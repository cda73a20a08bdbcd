/* SPDX-License-Identifier: MIT */

/*
 * A signal handler that jumps out of prctl(), every second time: jumper TIMES.
 */

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "subject.h"

static sigjmp_buf out;
static volatile sig_atomic_t jumps;

static void on_signal(int number)
{
	(void) number;
	if (jumps)
		siglongjmp(out, 1);
}

int main(int argc, char **argv)
{
	int times = argc == 2 ? atoi(argv[1]) : 0;
	volatile int i;
	char name[16];

	signal(SIGUSR1, on_signal);
	for (i = 0; i < times; i++) {
		snprintf(name, sizeof(name), "jump-%d", i);
		jumps = i % 2;
		if (!sigsetjmp(out, 1))
			prctl(PR_SET_NAME, name);
		if (!jumps)
			subject_truth();
	}
	return 0;
}
