/* SPDX-License-Identifier: MIT */

/*
 * What goes by the interposed calls, and what a guest must outlive:
 * watched WAY.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "subject.h"

#define THREADS		4
#define RENAMES		500

/* More than the feed leaves the records of a young process where they are. */
#define YOUNG_MS	150

static char *self_path;
static char *static_child;

static void raw_name(const char *name)
{
	subject_need(!syscall(SYS_prctl, PR_SET_NAME, name, 0, 0, 0),
			"name by a system call");
}

static void nap(long ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

/* How often a thread went to sleep; 0 if it is another one than the feed's. */
static unsigned long sleeps_of_reader(const char *tid)
{
	static const char key[] = "voluntary_ctxt_switches:";
	unsigned long sleeps = 0;
	bool is_reader = false;
	char path[64], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/status", tid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		is_reader |= !strcmp(line, "Name:\tcommcache-feed\n");
		if (!strncmp(line, key, sizeof(key) - 1))
			sleeps = strtoul(line + sizeof(key) - 1, NULL, 10);
	}
	if (file)
		fclose(file);
	return is_reader ? sleeps : 0;
}

static unsigned long reader_sleeps(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned long sleeps = 0;
	struct dirent *task;

	subject_need(tasks, "the threads");
	while (!sleeps && (task = readdir(tasks)))
		sleeps = sleeps_of_reader(task->d_name);
	closedir(tasks);
	return sleeps;
}

/*
 * Until the feed has read what the kernel told so far: it sleeps after each
 * turn, so between two sleeps there is a whole one. What is of the last
 * 100 microseconds it leaves for the next.
 */
static void let_it_read(void)
{
	unsigned long before;

	nap(1);
	before = reader_sleeps();
	while (before && reader_sleeps() < before + 2)
		nap(5);
}

static void write_name(pid_t tid, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", (int) tid);
	fd = open(path, O_WRONLY);
	subject_need(fd >= 0 && write(fd, name, strlen(name)) > 0,
			"name by /proc");
	close(fd);
}

/* Threads that name themselves, with a truth after each, all at once. */
static void *name_raw(void *data)
{
	char name[16];
	int i;

	for (i = 0; i < RENAMES; i++) {
		snprintf(name, sizeof(name), "raw %d.%d", (int) (size_t) data,
				i);
		raw_name(name);
		subject_called();
		if (i % 50 == 0)
			nap(1);
	}
	return NULL;
}

/* In turns by all ways, names that come back, names that do not change. */
static void *name_mixed(void *data)
{
	char name[16];
	int i;

	for (i = 0; i < RENAMES; i++) {
		snprintf(name, sizeof(name), "mix %d.%d", (int) (size_t) data,
				i / 3 % 7);
		if (i % 2)
			raw_name(name);
		else
			pthread_setname_np(pthread_self(), name);
		subject_called();
		if (i % 3 == 0)
			write_name(subject_tid(), "by /proc");
		subject_called();
		if (i % 50 == 0)
			nap(1);
	}
	return NULL;
}

static void run_threads(void *(*function)(void *data))
{
	pthread_t threads[THREADS];
	size_t i;

	for (i = 0; i < THREADS; i++)
		subject_need(!pthread_create(&threads[i], NULL, function,
					(void *) i), "a thread");
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void way_raw(void)
{
	subject_called();
	raw_name("raw main");
	subject_called();
	run_threads(name_raw);
	subject_called();
}

static void way_mixed(void)
{
	run_threads(name_mixed);
}

/* Each rename by one call that we stand before. */
static void *name_hooked(void *data)
{
	char name[16];
	int i;

	for (i = 0; i < RENAMES; i++) {
		snprintf(name, sizeof(name), "hook %d.%d", (int) (size_t) data,
				i);
		pthread_setname_np(pthread_self(), name);
	}
	return NULL;
}

static void way_hooked(void)
{
	run_threads(name_hooked);
}

static void tell_truth(struct subject_worker *worker)
{
	(void) worker;
	subject_called();
}

/* Another thread is named through /proc. */
static void way_proc(void)
{
	struct subject_worker worker;
	char name[16];
	int i;

	subject_worker_start(&worker);
	for (i = 0; i < RENAMES; i++) {
		snprintf(name, sizeof(name), "proc %d", i);
		write_name(worker.tid, name);
		subject_worker_run(&worker, tell_truth, NULL);
	}
	subject_worker_end(&worker);
}

/* A static child has no agent: what it does to its own name is not ours. */
static void run_static_child(bool shares_memory)
{
	pid_t child = shares_memory ? vfork() : fork();
	int status;

	if (!child) {
		syscall(SYS_prctl, PR_SET_NAME, "not yet static", 0, 0, 0);
		execl(static_child, static_child, (char *) NULL);
		_exit(99);
	}
	subject_called();
	subject_need(waitpid(child, &status, 0) == child && !status,
			"the static child");
	subject_called();
}

static void way_parent(void)
{
	char name[16];
	int i;

	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "parent %d", i);
		raw_name(name);
		run_static_child(i % 2);
	}
}

/* A thread of the program's own making, as Go makes them. */
static int cloned_is_named, cloned_may_end;

static void wait_for(const int *flag)
{
	while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
		syscall(SYS_sched_yield);
}

static int cloned(void *data)
{
	raw_name(data);
	__atomic_store_n(&cloned_is_named, 1, __ATOMIC_RELEASE);
	wait_for(&cloned_may_end);
	return 0;
}

static void way_clone(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	static char name[] = "cloned";
	int tid = clone(cloned, stack + sizeof(stack), CLONE_VM | CLONE_FS |
			CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			CLONE_SYSVSEM, name);

	subject_need(tid > 0, "clone");
	wait_for(&cloned_is_named);
	subject_called_of(tid);
	__atomic_store_n(&cloned_may_end, 1, __ATOMIC_RELEASE);
	while (!syscall(SYS_tgkill, getpid(), tid, 0))
		nap(1);
}

static void way_fork(void)
{
	pid_t child;
	int status;

	raw_name("before fork");
	run_threads(name_raw);
	child = fork();
	if (!child) {
		raw_name("in the child");
		subject_called();
		run_threads(name_raw);
		subject_called();
		exit(0);
	}
	subject_called();
	subject_need(waitpid(child, &status, 0) == child && !status,
			"the child");
}

static void tell_descriptors(void)
{
	char path[64], target[256];
	ssize_t length;
	int fd;

	for (fd = 0; fd < 1024; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		length = readlink(path, target, sizeof(target) - 1);
		if (length <= 0)
			continue;
		target[length] = '\0';
		if (strstr(target, "perf") || strstr(target, "eventpoll"))
			printf("%d is %s\n", fd, target);
	}
	fflush(stdout);
}

static void way_exec(void)
{
	raw_name("before exec");
	subject_called();
	tell_descriptors();
	/* The kernel's records of the last moments are lost with the image. */
	nap(YOUNG_MS);
	let_it_read();
	execl(self_path, self_path, "exec-again", (char *) NULL);
	subject_need(false, "exec");
}

static void way_exec_again(void)
{
	tell_descriptors();
	raw_name("after exec");
	subject_called();
}

/* As daemons do; then the numbers are the program's. */
static void way_closes(void)
{
	int fds[64], i, fd;

	raw_name("before closing");
	subject_called();
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	for (i = 0; i < 64; i++)
		fds[i] = open("/dev/null", O_RDWR | O_CLOEXEC);
	raw_name("after closing");
	subject_called();
	run_threads(name_raw);
	for (i = 0; i < 64; i++)
		subject_need(write(fds[i], "x", 1) == 1,
				"what was opened is still open");
}

static void way_setuid(void)
{
	raw_name("before setuid");
	subject_called();
	subject_need(!setuid(65534), "setuid");
	raw_name("after setuid");
	subject_called();
	run_threads(name_raw);
}

/* More than the smallest ring can take; the last name stays. */
static void *name_fast(void *data)
{
	char name[16];
	int i;

	for (i = 0; i < 200000; i++) {
		snprintf(name, sizeof(name), "fast %d.%d", (int) (size_t) data,
				i);
		raw_name(name);
	}
	let_it_read();
	subject_called();
	return NULL;
}

static void way_fast(void)
{
	run_threads(name_fast);
}

/* Two threads that wake each other: switches. */
static int pipes[2][2];

static void *pong(void *data)
{
	char byte;
	int i;

	(void) data;
	for (i = 0; i < 1000; i++)
		subject_need(read(pipes[0][0], &byte, 1) == 1 &&
				write(pipes[1][1], &byte, 1) == 1, "pong");
	return NULL;
}

static void way_switches(void)
{
	pthread_t thread;
	char byte = 'x';
	int i;

	subject_need(!pipe(pipes[0]) && !pipe(pipes[1]), "pipes");
	pthread_create(&thread, NULL, pong, NULL);
	pthread_setname_np(thread, "pong");
	pthread_setname_np(pthread_self(), "ping");
	for (i = 0; i < 1000; i++)
		subject_need(write(pipes[0][1], &byte, 1) == 1 &&
				read(pipes[1][0], &byte, 1) == 1, "ping");
	pthread_join(thread, NULL);
}

/* Threads that compute and sleep, each in its own measure. */
static void *be_busy(void *data)
{
	const unsigned int me = (unsigned int) (size_t) data;
	volatile unsigned int value = 0;
	unsigned int i, turn;

	for (turn = 0; turn < 200; turn++) {
		for (i = 0; i < 200000 * (me + 1); i++)
			value += i;
		nap(1);
	}
	return NULL;
}

static void way_busy(void)
{
	run_threads(be_busy);
	way_switches();
}

static void way_quits(void)
{
	raw_name("quits");
	subject_called();
	nap(YOUNG_MS);
	let_it_read();
	_exit(0);
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "busy", way_busy },
	{ "clone", way_clone },
	{ "closes", way_closes },
	{ "exec", way_exec },
	{ "exec-again", way_exec_again },
	{ "fast", way_fast },
	{ "fork", way_fork },
	{ "hooked", way_hooked },
	{ "mixed", way_mixed },
	{ "parent", way_parent },
	{ "proc", way_proc },
	{ "quits", way_quits },
	{ "raw", way_raw },
	{ "setuid", way_setuid },
	{ "switches", way_switches },
};

int main(int argc, char **argv)
{
	size_t i;

	self_path = argv[0];
	static_child = argc > 2 ? argv[2] : NULL;
	for (i = 0; argc >= 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		ways[i].run();
		return 0;
	}
	fprintf(stderr, "watched: no such way\n");
	return 2;
}
