/* SPDX-License-Identifier: MIT */

/*
 * Every way a thread gets a name, one at a time: names WAY.
 */

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "subject.h"

extern char **environ;

static const char *const names[] = {
	"", "x", "fifteen bytes..", "gr\xc3\xbc\xc3\x9f", "\x1b[31mred",
	"two\nlines", "ends\n", "\"quoted\"", "it's", "a b ", "\xff\xfe", "",
};

#define NR_NAMES	(sizeof(names) / sizeof(names[0]))

static char *self_path;

static void rename_self(struct subject_worker *worker)
{
	pthread_setname_np(pthread_self(), worker->data);
	subject_truth();
}

static void rename_prctl(struct subject_worker *worker)
{
	prctl(PR_SET_NAME, worker->data);
	subject_truth();
}

static void tell_truth(struct subject_worker *worker)
{
	(void) worker;
	subject_truth();
}

static void way_self(void)
{
	struct subject_worker worker;
	size_t i;

	subject_truth();
	subject_worker_start(&worker);
	for (i = 0; i < NR_NAMES; i++)
		subject_worker_run(&worker, rename_self, (void *) names[i]);
	subject_worker_end(&worker);
}

static void way_prctl(void)
{
	struct subject_worker worker;
	size_t i;

	subject_worker_start(&worker);
	for (i = 0; i < NR_NAMES; i++)
		subject_worker_run(&worker, rename_prctl, (void *) names[i]);
	/* Longer than a comm: the kernel cuts it. */
	subject_worker_run(&worker, rename_prctl,
			(void *) "much longer than a comm is");
	subject_worker_end(&worker);
}

static void way_other(void)
{
	struct subject_worker worker;
	size_t i;

	subject_worker_start(&worker);
	for (i = 0; i < NR_NAMES; i++) {
		subject_need(!pthread_setname_np(worker.thread, names[i]),
				"name the other");
		subject_truth_of(worker.tid);
		subject_worker_run(&worker, tell_truth, NULL);
	}
	subject_worker_end(&worker);
}

static void way_main(void)
{
	subject_truth();
	pthread_setname_np(pthread_self(), "the main one");
	subject_truth();
	prctl(PR_SET_NAME, "another");
	subject_truth();
}

static void way_inherit(void)
{
	struct subject_worker first, second;

	prctl(PR_SET_NAME, "parent");
	subject_worker_start(&first);
	subject_worker_run(&first, tell_truth, NULL);
	prctl(PR_SET_NAME, "renamed parent");
	subject_worker_start(&second);
	subject_worker_run(&first, tell_truth, NULL);
	subject_worker_run(&second, tell_truth, NULL);
	subject_worker_end(&first);
	subject_worker_end(&second);
}

static int c11_thread(void *data)
{
	subject_truth();
	prctl(PR_SET_NAME, data);
	subject_truth();
	return 11;
}

static void way_c11(void)
{
	char name[] = "c11";
	thrd_t thread;
	int result;

	subject_need(thrd_create(&thread, c11_thread, name) == thrd_success,
			"thrd_create");
	subject_need(thrd_join(thread, &result) == thrd_success && result == 11,
			"thrd_join");
}

static sem_t timer_is_done;

static void in_timer(union sigval value)
{
	subject_truth();
	prctl(PR_SET_NAME, value.sival_ptr);
	subject_truth();
	sem_post(&timer_is_done);
}

/* A thread that the C library starts by itself, and that nobody sees start. */
static void name_inside(char *name)
{
	const struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	struct sigevent how = {
		.sigev_notify = SIGEV_THREAD,
		.sigev_value.sival_ptr = name,
		.sigev_notify_function = in_timer,
	};
	timer_t timer;

	sem_init(&timer_is_done, 0, 0);
	subject_need(!timer_create(CLOCK_MONOTONIC, &how, &timer), "a timer");
	subject_need(!timer_settime(timer, 0, &soon, NULL), "set it");
	while (sem_wait(&timer_is_done))
		continue;
	/* Let the thread end. */
	usleep(100000);
}

static void way_inside(void)
{
	char name[] = "from inside";

	name_inside(name);
}

/* It gets the name that it has, but nobody knew. */
static void way_inside_same(void)
{
	char name[] = "inherited";

	prctl(PR_SET_NAME, name);
	name_inside(name);
}

static void *end_by_return(void *data)
{
	prctl(PR_SET_NAME, "returns");
	subject_truth();
	return data;
}

static void *end_by_exit(void *data)
{
	prctl(PR_SET_NAME, "exits");
	subject_truth();
	pthread_exit(data);
}

static void *end_by_cancel(void *data)
{
	prctl(PR_SET_NAME, "is cancelled");
	subject_truth();
	pthread_barrier_wait(data);
	pause();
	return NULL;
}

static pthread_key_t late_key;

static void late(void *data)
{
	(void) data;
	prctl(PR_SET_NAME, "late");
	subject_truth();
}

static void *end_with_destructor(void *data)
{
	prctl(PR_SET_NAME, "destructs");
	pthread_setspecific(late_key, data);
	return data;
}

static void way_ends(void)
{
	pthread_barrier_t barrier;
	pthread_t thread;
	void *result;
	int token;

	pthread_create(&thread, NULL, end_by_return, &token);
	pthread_join(thread, &result);
	subject_need(result == &token, "a result by return");

	pthread_create(&thread, NULL, end_by_exit, &token);
	pthread_join(thread, &result);
	subject_need(result == &token, "a result by pthread_exit");

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, end_by_cancel, &barrier);
	pthread_barrier_wait(&barrier);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	subject_need(result == PTHREAD_CANCELED, "a cancellation");

	pthread_key_create(&late_key, late);
	pthread_create(&thread, NULL, end_with_destructor, &token);
	pthread_join(thread, NULL);
}

static void way_exit_running(void)
{
	/* They live on in it after we return. */
	static struct subject_worker workers[4];
	int i;

	for (i = 0; i < 4; i++) {
		subject_worker_start(&workers[i]);
		subject_worker_run(&workers[i], rename_self, (void *) "still running");
	}
	/* The process ends with its threads. */
}

/* LTTng-UST's threads would keep the process: somebody has to end it. */
static void *end_process(void *main_thread)
{
	pthread_join(*(pthread_t *) main_thread, NULL);
	prctl(PR_SET_NAME, "last one");
	subject_truth();
	exit(0);
}

static void way_main_exits_first(void)
{
	static pthread_t main_thread;
	pthread_t thread;

	main_thread = pthread_self();
	pthread_create(&thread, NULL, end_process, &main_thread);
	prctl(PR_SET_NAME, "main leaves");
	subject_truth();
	pthread_exit(NULL);
}

static void in_child(void)
{
	struct subject_worker worker;

	subject_truth();
	prctl(PR_SET_NAME, "child");
	subject_truth();
	subject_worker_start(&worker);
	subject_worker_run(&worker, rename_self, (void *) "child's worker");
	subject_worker_end(&worker);
}

static void wait_for(pid_t pid)
{
	int status;

	subject_need(waitpid(pid, &status, 0) == pid, "wait");
	subject_need(WIFEXITED(status) && WEXITSTATUS(status) == 0,
			"the child's end");
}

static void way_fork(void)
{
	struct subject_worker worker;
	pid_t pid;

	subject_worker_start(&worker);
	subject_worker_run(&worker, rename_self, (void *) "worker");
	prctl(PR_SET_NAME, "forks");
	pid = fork();
	if (pid == 0) {
		in_child();
		exit(0);
	}
	wait_for(pid);
	subject_truth();
	subject_worker_run(&worker, rename_self, (void *) "after fork");
	subject_worker_end(&worker);
}

/* The child's name goes with it, and leaves ours alone. */
static void way_vfork(void)
{
	char way[] = "main", *const arguments[] = { self_path, way, NULL };
	pid_t pid;

	prctl(PR_SET_NAME, "vforks");
	pid = vfork();
	if (pid == 0) {
		prctl(PR_SET_NAME, "vfork child");
		execv(self_path, arguments);
		_exit(1);
	}
	wait_for(pid);
	subject_truth();
	prctl(PR_SET_NAME, "vforked");
	subject_truth();
}

static void way_spawn(void)
{
	char way[] = "main", *const arguments[] = { self_path, way, NULL };
	pid_t pid;

	prctl(PR_SET_NAME, "spawns");
	subject_need(!posix_spawn(&pid, self_path, NULL, NULL, arguments,
				environ), "posix_spawn");
	wait_for(pid);
	subject_truth();
}

static void way_exec_same(void)
{
	prctl(PR_SET_NAME, "before exec");
	subject_truth();
	execl(self_path, self_path, "main", NULL);
}

static void way_exec_other(void)
{
	prctl(PR_SET_NAME, "before exec");
	subject_truth();
	execl("/bin/sleep", "sleep", "0", NULL);
}

static void way_daemon(void)
{
	char done[] = "x";
	int ends[2];

	subject_need(!pipe(ends), "pipe");
	if (fork() == 0) {
		close(ends[0]);
		prctl(PR_SET_NAME, "to be daemon");
		subject_need(!daemon(1, 1), "daemon");
		in_child();
		exit(write(ends[1], done, 1) != 1);
	}
	close(ends[1]);
	wait(NULL);
	subject_need(read(ends[0], done, 1) == 1, "the daemon's end");
}

static void way_fails(void)
{
	struct subject_worker worker;

	subject_worker_start(&worker);
	errno = 0;
	subject_need(pthread_setname_np(pthread_self(),
				"sixteen bytes...") == ERANGE, "ERANGE");
	subject_need(pthread_setname_np(worker.thread,
				"sixteen bytes...") == ERANGE, "ERANGE");
	subject_need(errno == 0, "errno kept");
	subject_need(prctl(PR_SET_NAME, (void *) 1) == -1 && errno == EFAULT,
			"EFAULT");
	subject_truth_of_all();
	subject_worker_end(&worker);
}

/* Another thread's name is set by way of a file in /proc. */
static void way_denied(void)
{
	struct subject_worker worker;
	struct rlimit limit, none;

	subject_worker_start(&worker);
	subject_worker_run(&worker, rename_self, (void *) "allowed");
	subject_need(!getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
	none = limit;
	none.rlim_cur = 0;
	subject_need(!setrlimit(RLIMIT_NOFILE, &none), "setrlimit");
	subject_need(pthread_setname_np(worker.thread, "denied") == EMFILE,
			"EMFILE");
	subject_need(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
	subject_truth_of(worker.tid);
	subject_worker_run(&worker, rename_self, (void *) "still allowed");
	subject_worker_end(&worker);
}

/* /proc/self is root's then. Newer kernels allow it all the same. */
static void way_setuid(void)
{
	struct subject_worker worker;
	int ret;

	subject_worker_start(&worker);
	subject_worker_run(&worker, rename_self, (void *) "root's");
	subject_need(!setuid(65534), "setuid");
	ret = pthread_setname_np(worker.thread, "nobody's");
	subject_need(ret == 0 || ret == EACCES, "0 or EACCES");
	subject_worker_run(&worker, tell_truth, NULL);
	subject_worker_end(&worker);
}

static void way_same(void)
{
	int i;

	prctl(PR_SET_NAME, "same");
	for (i = 0; i < 5; i++) {
		errno = 77;
		pthread_setname_np(pthread_self(), "same");
		prctl(PR_SET_NAME, "same");
		subject_need(errno == 77, "errno kept");
	}
	subject_truth();
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "c11", way_c11 },
	{ "daemon", way_daemon },
	{ "denied", way_denied },
	{ "ends", way_ends },
	{ "exec-other", way_exec_other },
	{ "exec-same", way_exec_same },
	{ "exit-running", way_exit_running },
	{ "fails", way_fails },
	{ "fork", way_fork },
	{ "inherit", way_inherit },
	{ "inside", way_inside },
	{ "inside-same", way_inside_same },
	{ "main", way_main },
	{ "main-exits-first", way_main_exits_first },
	{ "other", way_other },
	{ "prctl", way_prctl },
	{ "same", way_same },
	{ "self", way_self },
	{ "setuid", way_setuid },
	{ "spawn", way_spawn },
	{ "vfork", way_vfork },
};

int main(int argc, char **argv)
{
	size_t i;

	self_path = argv[0];
	for (i = 0; argc == 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		ways[i].run();
		return 0;
	}
	fprintf(stderr, "usage: names WAY\n");
	return 2;
}
