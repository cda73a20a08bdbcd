/* SPDX-License-Identifier: MIT */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpus.h"

#define LIST_BYTES	1024

/* A line; "" where it can not be read. */
static void read_list(const char *path, char list[LIST_BYTES])
{
	ssize_t length = 0;
	int fd = (int) syscall(SYS_openat, AT_FDCWD, path,
			O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		length = syscall(SYS_read, fd, list, LIST_BYTES - 1);
		syscall(SYS_close, fd);
	}
	list[length > 0 ? length : 0] = '\0';
}

size_t feed_cpus_limit(const char *list)
{
	const char *last = list + strlen(list);
	unsigned long number;

	/* Numbers ascend: the last one. */
	while (last > list && (last[-1] < '0' || last[-1] > '9'))
		last--;
	if (last == list)
		return 0;
	while (last > list && last[-1] >= '0' && last[-1] <= '9')
		last--;
	number = strtoul(last, NULL, 10);
	return number < FEED_CPUS_MAX ? number + 1 : FEED_CPUS_MAX;
}

size_t feed_cpus_possible(void)
{
	char list[LIST_BYTES];
	size_t limit;
	long count;

	read_list("/sys/devices/system/cpu/possible", list);
	limit = feed_cpus_limit(list);
	if (limit)
		return limit;
	count = sysconf(_SC_NPROCESSORS_CONF);
	return count > 0 ? (size_t) count : 1;
}

bool feed_cpus_changed(void)
{
	static char known[LIST_BYTES];
	char list[LIST_BYTES];

	read_list("/sys/devices/system/cpu/online", list);
	if (!list[0] || !strcmp(known, list))
		return false;
	strcpy(known, list);
	return true;
}
