/* SPDX-License-Identifier: MIT */
/*
 * What each thread is called now. Reads "TID NAME" lines, and prints a line where
 * the name is another one than before.
 *
 * cc cache-by-hand.c $(pkg-config --cflags --libs commcache)
 */
#include <commcache/cache.h>
#include <stdio.h>

int main(void)
{
	struct commcache *cache = commcache_create(1000);
	struct commcache_comm comm, before;
	char name[COMMCACHE_COMM_LEN];
	int tid;

	if (!cache)
		return 1;
	while (scanf("%d %15[^\n]%*[^\n]", &tid, name) == 2) {
		commcache_comm_from_string(&comm, name);
		switch (commcache_save(cache, tid, &comm, &before)) {
		case COMMCACHE_SAVE_ADDED:
			printf("%d: %s\n", tid, comm.str);
			break;
		case COMMCACHE_SAVE_RENAMED:
			printf("%d: %s, was %s\n", tid, comm.str, before.str);
			break;
		default:
			/* The same, or no thread's number. */
			break;
		}
	}
	commcache_destroy(cache);
	return 0;
}
