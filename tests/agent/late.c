/* SPDX-License-Identifier: MIT */

/*
 * Loads a library that is instrumented with LTTng-UST, in the midst of its
 * life: late LIBRARY. Not linked with LTTng-UST itself.
 */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void (*truth)(void);
	void *library;

	if (argc != 2)
		return 2;
	pthread_setname_np(pthread_self(), "before");
	library = dlopen(argv[1], RTLD_NOW);
	if (!library) {
		fprintf(stderr, "late: %s\n", dlerror());
		return 1;
	}
	truth = (void (*)(void)) dlsym(library, "subject_truth");
	if (!truth)
		return 1;
	truth();
	pthread_setname_np(pthread_self(), "after");
	truth();
	dlclose(library);
	pthread_setname_np(pthread_self(), "closed");
	return 0;
}
