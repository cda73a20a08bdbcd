/* SPDX-License-Identifier: MIT */
/*
 * A log of one's own: what was each thread called when it wrote a line? Reads lines
 * "TIME TID rename NAME" and "TIME TID TEXT", in the order of time, and prints the
 * texts with names.
 *
 * cc names-of-a-log.c $(pkg-config --cflags --libs commcache)
 */
#include <commcache/history.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *here;
	char line[256], text[200];
	int64_t time, tid;

	/* One host, one boot, numbers as its root namespace has them. */
	here = history ? commcache_history_domain(history, NULL, NULL,
		COMMCACHE_HISTORY_NS_ROOT) : NULL;
	while (here && fgets(line, sizeof(line), stdin)) {
		struct commcache_history_thread *thread;
		struct commcache_moment moment;
		struct commcache_comm comm;

		if (sscanf(line, "%" SCNd64 "%" SCNd64 " %199[^\n]", &time, &tid,
				text) != 3)
			continue;
		moment = commcache_moment(time, 0);
		thread = commcache_history_thread(here, tid, -1);
		if (strncmp(text, "rename ", 7) == 0) {
			commcache_comm_from_string(&comm, text + 7);
			(void) commcache_history_becomes(thread, moment, NULL,
				&comm);
			continue;
		}
		printf("%s: %s\n", commcache_history_resolve(thread,
			moment).comm->str, text);
	}
	commcache_history_destroy(history);
	return here ? 0 : 1;
}
