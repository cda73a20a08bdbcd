/* SPDX-License-Identifier: MIT */

/*
 * Threads and signal handlers that read and rename the same few threads, as
 * fast as they can, alone, under resizes, and under forks.
 *
 * usage: test-cache-stress [SECONDS], for the first, and as many for the
 * others together
 */

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cache-soundness.h"
#include "tap.h"

#define TIDS		8
#define WRITERS		2
#define READERS		2
#define THREADS		(WRITERS + READERS)
/* A signal handler is a writer too, in each thread. */
#define SAVERS		(2 * THREADS)
#define SIGNAL_HZ	10000

#define BALLAST_TID	100
#define BALLAST		1000
#define SMALL		64
#define MIDDLE		(BALLAST + TIDS)
#define LARGE		20000

struct stress_thread {
	pthread_t thread;
	timer_t timer;
	int number;
	uint64_t saves, finds, signals;
};

static struct commcache *cache;
static struct stress_thread threads[THREADS];
static bool stop;

/* Of each saver and tid the last name saved; stored by that saver alone. */
static uint64_t last_saved[SAVERS][TIDS];

/* What went wrong, counted by anybody. */
static uint64_t mixed, lost, half_equal, busy;

static __thread struct stress_thread *self;

static uint64_t load(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static void count(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* Each half tells the other. */
static uint64_t other_half(uint64_t half)
{
	return (half * UINT64_C(0xd1342543de82ef95) + 1) >> 8;
}

/* A counter that one thread alone stores to. */
static void add_one(uint64_t *counter)
{
	__atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED);
}

static bool is_whole(const struct commcache_comm *comm)
{
	return comm->half[1] == other_half(comm->half[0]);
}

static void rename_tid(int saver, int tid, uint64_t change)
{
	struct commcache_comm comm;

	comm.half[0] = change << 8 | (uint64_t) saver << 4 | (uint64_t) tid;
	comm.half[1] = other_half(comm.half[0]);
	switch (commcache_save(cache, 1 + tid, &comm, NULL)) {
	case COMMCACHE_SAVE_BUSY:
		count(&busy);
		return;
	case COMMCACHE_SAVE_RENAMED:
		break;
	default:
		count(&lost);
	}
	__atomic_store_n(&last_saved[saver][tid], comm.half[0],
			__ATOMIC_RELAXED);
}

static void read_tid(int tid)
{
	struct commcache_comm one, two, mix;
	const struct cache_slot *home;

	if (!commcache_find(cache, 1 + tid, &one) ||
			!commcache_find(cache, 1 + tid, &two)) {
		count(&lost);
		return;
	}
	if (!is_whole(&one) || !is_whole(&two))
		count(&mixed);
	if (commcache_comm_equal(&one, &two))
		return;
	/* A save of halves of two names must not be taken for unchanged. */
	mix.half[0] = one.half[0];
	mix.half[1] = two.half[1];
	home = table_word_home(__atomic_load_n(&cache->table,
			__ATOMIC_ACQUIRE), 1 + tid);
	if (slot_holds(home, 1 + tid, &mix))
		count(&half_equal);
}

static void on_signal(int signal)
{
	uint64_t signals = self->signals + 1;
	int tid;

	(void) signal;
	add_one(&self->signals);
	for (tid = 0; tid < TIDS; tid++)
		read_tid(tid);
	rename_tid(THREADS + self->number, signals % TIDS, signals);
}

static void start_timer(struct stress_thread *thread)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGUSR1,
	};
	struct itimerspec interval = {
		.it_value = { .tv_nsec = 1000000000 / SIGNAL_HZ },
		.it_interval = { .tv_nsec = 1000000000 / SIGNAL_HZ },
	};

	event._sigev_un._tid = syscall(SYS_gettid);
	bail_out_unless(!timer_create(CLOCK_MONOTONIC, &event,
			&thread->timer) && !timer_settime(thread->timer, 0,
			&interval, NULL), "no timer");
}

static void *run_thread(void *data)
{
	int tid = 0;

	self = data;
	start_timer(self);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		if (self->number < WRITERS) {
			add_one(&self->saves);
			rename_tid(self->number, tid, self->saves);
		} else {
			read_tid(tid);
			add_one(&self->finds);
		}
		tid = (tid + 1) % TIDS;
	}
	timer_delete(self->timer);
	return NULL;
}

static void ballast_comm(struct commcache_comm *comm, int i)
{
	comm->half[0] = (uint64_t) 1 << 32 | (uint64_t) i;
	comm->half[1] = other_half(comm->half[0]);
}

/* The tids that are renamed are the newest, behind so many others. */
static void start(size_t capacity, int ballast)
{
	struct commcache_comm comm;
	int i;

	cache = commcache_create(capacity);
	for (i = 0; i < ballast; i++) {
		ballast_comm(&comm, i);
		commcache_save(cache, BALLAST_TID + i, &comm, NULL);
	}
	memset(last_saved, 0, sizeof(last_saved));
	mixed = lost = half_equal = busy = 0;
	stop = false;
	for (i = 0; i < TIDS; i++) {
		comm.half[0] = 0;
		comm.half[1] = other_half(0);
		commcache_save(cache, 1 + i, &comm, NULL);
	}
	for (i = 0; i < THREADS; i++) {
		memset(&threads[i], 0, sizeof(threads[i]));
		threads[i].number = i;
		bail_out_unless(!pthread_create(&threads[i].thread, NULL,
				run_thread, &threads[i]), "no thread");
	}
}

static bool is_last_of_one(int tid)
{
	struct commcache_comm comm;
	int saver;

	if (!commcache_find(cache, 1 + tid, &comm) || !is_whole(&comm))
		return false;
	for (saver = 0; saver < SAVERS; saver++) {
		if (comm.half[0] == last_saved[saver][tid])
			return true;
	}
	return false;
}

/* However slow the machine is. */
static void wait_until_much_is_done(void)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	uint64_t saves, finds, signals;
	int i;

	do {
		nanosleep(&pause, NULL);
		saves = finds = signals = 0;
		for (i = 0; i < THREADS; i++) {
			saves += load(&threads[i].saves);
			finds += load(&threads[i].finds);
			signals += load(&threads[i].signals);
		}
	} while (saves < 10000 || finds < 10000 || signals < 100);
}

static void finish(const char *load_name)
{
	uint64_t saves = 0, finds = 0, signals = 0;
	struct commcache_comm comm = { .str = "at rest" };
	bool right = true;
	int i;

	wait_until_much_is_done();
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i].thread, NULL);
		saves += threads[i].saves;
		finds += threads[i].finds;
		signals += threads[i].signals;
	}
	for (i = 0; i < TIDS; i++)
		right = right && is_last_of_one(i);
	ok(right, "%s: each has the last name that one saver saved",
			load_name);
	ok_equal(mixed, 0, "no name is mixed of two");
	ok_equal(half_equal, 0, "no half-equal name is taken for unchanged");
	ok_equal(lost, 0, "no thread is lost");
	ok(saves >= 10000 && finds >= 10000 && signals >= 100,
			"%llu renames, %llu finds, %llu signals",
			(unsigned long long) saves, (unsigned long long) finds,
			(unsigned long long) signals);
	printf("# %llu changes were refused as busy\n",
			(unsigned long long) busy);
	/* Whatever waits is made by the next change. */
	commcache_save(cache, 1, &comm, NULL);
	ok(cache_is_sound(cache), "the cache is sound");
	commcache_destroy(cache);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void stress_names(double seconds)
{
	struct timespec pause = {
		.tv_sec = (time_t) seconds,
		.tv_nsec = (seconds - (time_t) seconds) * 1e9,
	};

	start(100, 0);
	nanosleep(&pause, NULL);
	finish("names");
}

/* Until each writer has renamed all tids since now. */
static void wait_for_renames(void)
{
	struct timespec pause = { .tv_nsec = 10000 };
	uint64_t before[TIDS];
	int writer, tid;

	for (writer = 0; writer < WRITERS; writer++) {
		for (tid = 0; tid < TIDS; tid++)
			before[tid] = load(&last_saved[writer][tid]);
		for (tid = 0; tid < TIDS; tid++) {
			while (load(&last_saved[writer][tid]) == before[tid])
				nanosleep(&pause, NULL);
		}
	}
}

static bool newest_are_kept(int count)
{
	struct commcache_comm comm, expected;
	int i;

	for (i = BALLAST - count; i < BALLAST; i++) {
		ballast_comm(&expected, i);
		if (!commcache_find(cache, BALLAST_TID + i, &comm) ||
				!commcache_comm_equal(&comm, &expected))
			return false;
	}
	return count == BALLAST || !commcache_find(cache,
			BALLAST_TID + BALLAST - count - 1, &comm);
}

static void stress_resize(double seconds)
{
	double end = now() + seconds;
	bool right = true;
	int round = 0;

	start(LARGE, BALLAST);
	while ((now() < end || round < 6) && right) {
		round++;
		wait_for_renames();
		right = right && commcache_resize(cache, MIDDLE) ==
				COMMCACHE_OK && newest_are_kept(BALLAST);
		right = right && commcache_resize(cache, LARGE) ==
				COMMCACHE_OK && newest_are_kept(BALLAST);
	}
	ok(right, "%d times all that fit stay", round);
	ok(commcache_resize(cache, SMALL) == COMMCACHE_OK &&
			newest_are_kept(SMALL - TIDS),
			"the newest %d stay", SMALL);
	finish("resizes");
}

static bool child_is_right(void)
{
	struct commcache_comm comm = { .str = "in the child" };
	int i;

	for (i = 0; i < TIDS; i++) {
		if (!commcache_find(cache, 1 + i, &comm) || !is_whole(&comm))
			return false;
	}
	commcache_comm_from_string(&comm, "of the child");
	return commcache_save(cache, 50, &comm, NULL) ==
			COMMCACHE_SAVE_ADDED &&
			commcache_resize(cache, LARGE) == COMMCACHE_OK &&
			commcache_find(cache, 50, &comm) &&
			cache_is_sound(cache);
}

static void stress_fork(double seconds)
{
	double end = now() + seconds;
	bool right = true;
	int forks = 0, status = 0;
	pid_t child;

	start(100, 0);
	fflush(stdout);
	while ((now() < end || forks < 6) && right) {
		child = fork();
		if (child == 0) {
			right = child_is_right();
			fflush(stdout);
			_exit(!right);
		}
		bail_out_unless(child > 0 && waitpid(child, &status, 0) ==
				child, "no child process");
		right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
		forks++;
	}
	ok(right, "%d children find and change names", forks);
	finish("forks");
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	double seconds = argc > 1 ? atof(argv[1]) : 1;

	sigaction(SIGUSR1, &action, NULL);
	stress_names(seconds);
	stress_resize(seconds / 2);
#ifndef __SANITIZE_THREAD__
	stress_fork(seconds / 2);
#endif
	return tap_end();
}
