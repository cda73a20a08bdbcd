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

/* Of a name that changes all the time. */
#define READINGS	10

static bool guarded;

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

/* "/proc/self/task/NUMBER/FILE"; printf() is not for signal handlers. */
static void task_path(char path[64], pid_t number, const char *file)
{
	static const char before[] = "/proc/self/task/";
	char digits[3 * sizeof(number)];
	size_t first = sizeof(digits);
	unsigned int rest = (unsigned int) number;

	do {
		digits[--first] = (char) ('0' + rest % 10);
		rest /= 10;
	} while (rest);
	memcpy(path, before, sizeof(before) - 1);
	path += sizeof(before) - 1;
	memcpy(path, digits + first, sizeof(digits) - first);
	path += sizeof(digits) - first;
	strcpy(path, file);
}

static bool read_comm(int fd, struct commcache_comm *comm)
{
	char text[COMMCACHE_COMM_LEN + 1];
	/* At an offset: each reading is a new one. */
	const long length = syscall(SYS_pread64, fd, text, sizeof(text), 0L,
			0L);

	if (length <= 0)
		return false;
	/* The kernel adds one newline; those before are the name's. */
	text[length - 1] = '\0';
	commcache_comm_from_string(comm, text);
	return true;
}

/*
 * Since Linux 6.13 a name that is read while it is written can be made of both:
 * it is one if it is read twice.
 */
static bool read_file(const char *path, struct commcache_comm *comm)
{
	struct commcache_comm before;
	int fd = open_file(path, 0), tries = 0;
	bool ok;

	if (fd < 0)
		return false;
	ok = read_comm(fd, comm);
	do {
		before = *comm;
		ok = ok && read_comm(fd, comm);
	} while (ok && !commcache_comm_equal(&before, comm) &&
			++tries < READINGS);
	close_file(fd);
	return ok;
}

/*
 * The number by which the process itself knows the thread: the last one of
 * NSpid in its status, the others are of the namespaces around. *count: how
 * many there are; 1 where /proc is that of the process's own namespace.
 */
static bool read_numbers(pid_t number, pid_t *last, int *count)
{
	char path[64], text[2048];
	const char *at, *end;
	long length;
	int fd;

	task_path(path, number, "/status");
	fd = open_file(path, 0);
	if (fd < 0)
		return false;
	length = syscall(SYS_read, fd, text, sizeof(text) - 1);
	close_file(fd);
	text[length > 0 ? length : 0] = '\0';
	at = strstr(text, "\nNSpid:");
	if (!at)
		return false;
	at += strlen("\nNSpid:");
	end = strchr(at, '\n');
	for (*count = 0; at < end; (*count)++) {
		at += strspn(at, "\t ");
		for (*last = 0; *at >= '0' && *at <= '9'; at++)
			*last = *last * 10 + (*at - '0');
	}
	return *count && *last > 0;
}

void agent_proc_guard(void)
{
	__atomic_store_n(&guarded, true, __ATOMIC_RELAXED);
}

bool agent_proc_is_guarded(void)
{
	return __atomic_load_n(&guarded, __ATOMIC_RELAXED);
}

bool agent_proc_thread_comm(const struct agent_proc_thread *thread,
		struct commcache_comm *comm)
{
	char path[64];

	task_path(path, thread->number, "/comm");
	return read_file(path, comm);
}

bool agent_proc_main_comm(struct commcache_comm *comm)
{
	return read_file("/proc/self/comm", comm);
}

bool agent_proc_comm(pid_t tid, struct commcache_comm *comm)
{
	const struct agent_proc_thread thread = { .tid = tid, .number = tid };
	pid_t last;
	int count;

	return !agent_proc_is_guarded() && read_numbers(tid, &last, &count) &&
			count == 1 && agent_proc_thread_comm(&thread, comm);
}

static bool get_name(struct commcache_comm *comm)
{
	char text[COMMCACHE_COMM_LEN];

	if (syscall(SYS_prctl, PR_GET_NAME, text, 0, 0, 0))
		return false;
	commcache_comm_from_string(comm, text);
	return true;
}

bool agent_proc_own_comm(struct commcache_comm *comm)
{
	struct commcache_comm before;
	int tries = 0;

	if (agent_proc_is_guarded())
		return false;
	if (!get_name(comm))
		return read_file("/proc/thread-self/comm", comm);
	do {
		before = *comm;
	} while (get_name(comm) && !commcache_comm_equal(&before, comm) &&
			++tries < READINGS);
	return true;
}

bool agent_proc_for_each_thread(bool (*visit)(
		const struct agent_proc_thread *thread, void *data), void *data)
{
	/* Large: the kernel can lose its place only between two readings. */
	static char buffer[32768] __attribute__((aligned(8)));

	return agent_proc_for_each_thread_in(buffer, sizeof(buffer), visit,
			data);
}

/* *foreign: numbers are to be read; -1 as long as that is not known. */
static bool identify(struct agent_proc_thread *thread, int *foreign)
{
	int count;

	thread->tid = thread->number;
	if (!*foreign)
		return true;
	if (!read_numbers(thread->number, &thread->tid, &count))
		return false;
	*foreign = count > 1;
	return true;
}

bool agent_proc_for_each_thread_in(void *buffer, size_t size,
		bool (*visit)(const struct agent_proc_thread *thread,
			void *data), void *data)
{
	const struct directory_entry *entry;
	struct agent_proc_thread thread;
	bool told = false, goes_on = true;
	int fd, foreign = -1;
	long length, at;

	fd = open_file("/proc/self/task", O_DIRECTORY);
	if (fd < 0)
		return false;
	while (goes_on && (length = syscall(SYS_getdents64, fd, buffer,
			size)) > 0) {
		for (at = 0; goes_on && at < length; at += entry->reclen) {
			entry = (const void *) ((char *) buffer + at);
			thread.number = (pid_t) strtol(entry->name, NULL, 10);
			if (thread.number <= 0 || !identify(&thread, &foreign))
				continue;
			told = true;
			goes_on = visit(&thread, data);
		}
	}
	close_file(fd);
	return told;
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
