/* SPDX-License-Identifier: MIT */

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <commcache/cache.h>

#include "proc.h"

/* As the kernel fills it, see getdents64(2). */
struct directory_entry {
	uint64_t ino;
	int64_t off;
	unsigned short reclen;
	unsigned char type;
	char name[];
};

static int open_file(const char *path, int flags)
{
	return (int) syscall(SYS_openat, AT_FDCWD, path,
			O_RDONLY | O_CLOEXEC | flags);
}

static void close_file(int fd)
{
	syscall(SYS_close, fd);
}

/* "/proc/self/task/TID/comm"; printf() is not for signal handlers. */
static void comm_path(char *path, pid_t tid)
{
	static const char before[] = "/proc/self/task/", after[] = "/comm";
	char digits[3 * sizeof(tid)];
	size_t first = sizeof(digits);
	unsigned int rest = (unsigned int) tid;

	do {
		digits[--first] = (char) ('0' + rest % 10);
		rest /= 10;
	} while (rest);
	memcpy(path, before, sizeof(before) - 1);
	path += sizeof(before) - 1;
	memcpy(path, digits + first, sizeof(digits) - first);
	path += sizeof(digits) - first;
	memcpy(path, after, sizeof(after));
}

bool agent_proc_comm(pid_t tid, struct commcache_comm *comm)
{
	char path[64], text[COMMCACHE_COMM_LEN + 1];
	ssize_t length;
	int fd;

	comm_path(path, tid);
	fd = open_file(path, 0);
	if (fd < 0)
		return false;
	length = syscall(SYS_read, fd, text, sizeof(text));
	close_file(fd);
	if (length <= 0)
		return false;
	/* The kernel adds one newline; those before are the name's. */
	text[length - 1] = '\0';
	commcache_comm_from_string(comm, text);
	return true;
}

void agent_proc_own_comm(struct commcache_comm *comm)
{
	char text[COMMCACHE_COMM_LEN] = "";

	syscall(SYS_prctl, PR_GET_NAME, text, 0, 0, 0);
	commcache_comm_from_string(comm, text);
}

bool agent_proc_for_each_thread(void (*visit)(pid_t tid, void *data),
		void *data)
{
	/* Large: the kernel can lose its place only between two readings. */
	static char buffer[32768] __attribute__((aligned(8)));

	return agent_proc_for_each_thread_in(buffer, sizeof(buffer), visit,
			data);
}

bool agent_proc_for_each_thread_in(void *buffer, size_t size,
		void (*visit)(pid_t tid, void *data), void *data)
{
	const struct directory_entry *entry;
	ssize_t length, at;
	pid_t tid;
	int fd;

	fd = open_file("/proc/self/task", O_DIRECTORY);
	if (fd < 0)
		return false;
	while ((length = syscall(SYS_getdents64, fd, buffer, size)) > 0) {
		for (at = 0; at < length; at += entry->reclen) {
			entry = (const void *) ((char *) buffer + at);
			tid = (pid_t) strtol(entry->name, NULL, 10);
			if (tid > 0)
				visit(tid, data);
		}
	}
	close_file(fd);
	return true;
}

uint64_t agent_proc_pid_ns(void)
{
	struct stat status;

	return stat("/proc/self/ns/pid", &status) ? 0 : status.st_ino;
}

void agent_proc_exe(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);

	path[length > 0 ? length : 0] = '\0';
}
