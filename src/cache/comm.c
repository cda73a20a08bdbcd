/* SPDX-License-Identifier: MIT */

#include <commcache/cache.h>

void commcache_comm_from_string(struct commcache_comm *comm, const char *str)
{
	size_t length = strnlen(str, COMMCACHE_COMM_LEN - 1);

	comm->half[0] = 0;
	comm->half[1] = 0;
	memcpy(comm->str, str, length);
}
