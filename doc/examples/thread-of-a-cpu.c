/* SPDX-License-Identifier: MIT */
/*
 * Which thread ran? Reads lines "TIME CPU switch PREV NEXT", the scheduler's, and
 * "TIME CPU TEXT", in the order of time, and prints the texts with their threads.
 *
 * cc thread-of-a-cpu.c $(pkg-config --cflags --libs commcache)
 */
#include <commcache/cpu.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
	struct commcache_cpus *cpus =
		commcache_cpus_create(COMMCACHE_CPUS_ONE_PASS);
	char line[256], text[200];
	int64_t time, cpu, prev, next;

	while (cpus && fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%" SCNd64 "%" SCNd64 " %199[^\n]", &time, &cpu,
				text) != 3)
			continue;
		if (sscanf(text, "switch%" SCNd64 "%" SCNd64, &prev, &next) == 2)
			(void) commcache_cpus_switch(cpus, cpu,
				commcache_moment(time, 0), prev, next);
		else
			printf("%" PRId64 ": %s\n", commcache_cpus_now(cpus, cpu,
				commcache_moment(time, 0)), text);
	}
	commcache_cpus_destroy(cpus);
	return cpus ? 0 : 1;
}
