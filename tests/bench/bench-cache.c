/* SPDX-License-Identifier: MIT */

/*
 * The cache against the kernel's way to keep names, before and after the
 * patch that this project began with, and against a hash table of liburcu. See
 * doc/cache.md.
 *
 * usage: bench-cache REPLAY_FILE
 *        bench-cache --count VARIANT SWITCHES
 */

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <commcache/cache.h>

#include "kernel-port.h"
#include "replay.h"
#include "urcu-cache.h"

#define ROUNDS		11
#define CAPACITY	4096
#define NAMES		16

struct variant {
	const char *name;
	struct commcache *(*create)(size_t capacity);
	void (*destroy)(struct commcache *cache);
	struct commcache_switch_status (*sched_switch)(struct commcache *cache,
			pid_t prev_tid, const struct commcache_comm *prev_comm,
			pid_t next_tid,
			const struct commcache_comm *next_comm);
	bool (*find)(struct commcache *cache, pid_t tid,
			struct commcache_comm *comm);
	/* Around what another thread does with it; or NULL. */
	void (*begin_thread)(void);
	void (*end_thread)(void);
};

static const struct variant variants[] = {
	{ .name = "kernel", .create = kernel_port_create,
		.destroy = kernel_port_destroy,
		.sched_switch = kernel_port_switch_strncpy, .find = kernel_port_find },
	{ .name = "kernel-memcpy", .create = kernel_port_create,
		.destroy = kernel_port_destroy,
		.sched_switch = kernel_port_switch_memcpy, .find = kernel_port_find },
	{ .name = "patched", .create = kernel_port_create,
		.destroy = kernel_port_destroy,
		.sched_switch = kernel_port_switch_patched, .find = kernel_port_find },
	{ .name = "rculfhash-bp", .create = urcu_bp_cache_create,
		.destroy = urcu_bp_cache_destroy,
		.sched_switch = urcu_bp_cache_switch, .find = urcu_bp_cache_find },
	{ .name = "rculfhash-memb", .create = urcu_memb_cache_create,
		.destroy = urcu_memb_cache_destroy,
		.sched_switch = urcu_memb_cache_switch, .find = urcu_memb_cache_find,
		.begin_thread = urcu_memb_cache_begin_thread,
		.end_thread = urcu_memb_cache_end_thread },
	{ .name = "commcache", .create = commcache_create,
		.destroy = commcache_destroy,
		.sched_switch = commcache_sched_switch, .find = commcache_find },
};

#define VARIANTS	(sizeof(variants) / sizeof(variants[0]))

static struct commcache_comm names[NAMES];
static struct replay *replay;

/* One load on one variant's cache; returns how many switches it made. */
typedef size_t (*load_function)(const struct variant *variant,
		struct commcache *cache, size_t argument);

static size_t load_tight(const struct variant *variant,
		struct commcache *cache, size_t argument)
{
	size_t round, i;

	for (round = 0; round < argument; round++) {
		for (i = 0; i < 1000; i++)
			variant->sched_switch(cache, 4711, &names[0],
					4711, &names[0]);
	}
	return 1000 * argument;
}

static size_t load_replay(const struct variant *variant,
		struct commcache *cache, size_t argument)
{
	const struct replay_switch *record;
	size_t round;

	for (round = 0; round < argument; round++) {
		for (record = replay->switches;
				record < replay->switches + replay->length;
				record++)
			variant->sched_switch(cache,
					record->prev_tid, record->prev_comm,
					record->next_tid, record->next_comm);
	}
	return argument * replay->length;
}

/* Each switch is to a tid that was not seen for long. */
static size_t load_churn(const struct variant *variant,
		struct commcache *cache, size_t argument)
{
	static pid_t tid = 1;
	size_t i;

	for (i = 0; i < argument; i++) {
		variant->sched_switch(cache,
				tid, &names[tid % NAMES],
				tid + 1, &names[(tid + 1) % NAMES]);
		tid = tid == 4000000 ? 1 : tid + 1;
	}
	return argument;
}

/* A schedule in which each thread comes once, in no order. */
static pid_t *schedule;
static size_t schedule_length;

static size_t load_schedule(const struct variant *variant,
		struct commcache *cache, size_t argument)
{
	pid_t prev = schedule[schedule_length - 1], next;
	size_t i, at = 0;

	for (i = 0; i < argument; i++) {
		next = schedule[at];
		if (++at == schedule_length)
			at = 0;
		variant->sched_switch(cache, prev, &names[prev % NAMES],
				next, &names[next % NAMES]);
		prev = next;
	}
	return argument;
}

struct contender {
	pthread_t thread;
	const struct variant *variant;
	struct commcache *cache;
	pid_t tid;
	int cpu;
	size_t rounds;
	/* Weak, of all contenders: how many are on their CPU. */
	int *ready;
};

/* The number-th CPU that this process may use, or the last. */
static int usable_cpu(int number)
{
	int cpu, found = 0;
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return 0;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &cpus))
			continue;
		found = cpu;
		if (number-- == 0)
			break;
	}
	return found;
}

static void *contend(void *data)
{
	struct contender *contender = data;
	pid_t tid = contender->tid;
	size_t round, i;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(contender->cpu, &cpu);
	(void) pthread_setaffinity_np(pthread_self(), sizeof(cpu), &cpu);
	if (contender->variant->begin_thread)
		contender->variant->begin_thread();
	__atomic_fetch_add(contender->ready, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(contender->ready, __ATOMIC_SEQ_CST) < 2)
		sched_yield();
	for (round = 0; round < contender->rounds; round++) {
		for (i = 0; i < 1000; i++)
			contender->variant->sched_switch(contender->cache,
					tid, &names[0], tid + 1, &names[1]);
	}
	if (contender->variant->end_thread)
		contender->variant->end_thread();
	return NULL;
}

/* Each thread on a CPU of its own, or they would rarely meet. */
static size_t load_contended(const struct variant *variant,
		struct commcache *cache, size_t argument)
{
	struct contender contenders[2];
	int ready = 0;
	size_t i;

	for (i = 0; i < 2; i++) {
		contenders[i].variant = variant;
		contenders[i].cache = cache;
		contenders[i].tid = 1000 * (i + 1);
		contenders[i].cpu = usable_cpu(i);
		contenders[i].rounds = argument;
		contenders[i].ready = &ready;
		if (pthread_create(&contenders[i].thread, NULL, contend,
				&contenders[i]))
			abort();
	}
	for (i = 0; i < 2; i++)
		pthread_join(contenders[i].thread, NULL);
	return 2 * 1000 * argument;
}

/*
 * The CPU time of all threads, so that what else runs on the machine counts
 * less.
 */
static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static double wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
	double difference = *(const double *) a - *(const double *) b;

	return (difference > 0) - (difference < 0);
}

/* Every variant in turn, round by round; the first round only warms up. */
static void run(const char *name, load_function load, size_t capacity,
		size_t argument)
{
	double ns[VARIANTS][ROUNDS + 1], start, wall_start;
	double cpu[VARIANTS] = { 0 }, wall[VARIANTS] = { 0 };
	struct commcache *caches[VARIANTS];
	size_t v, round, switches;

	for (v = 0; v < VARIANTS; v++) {
		caches[v] = variants[v].create(capacity);
		if (!caches[v])
			abort();
	}
	for (round = 0; round <= ROUNDS; round++) {
		for (v = 0; v < VARIANTS; v++) {
			wall_start = wall_ns();
			start = cpu_ns();
			switches = load(&variants[v], caches[v], argument);
			ns[v][round] = cpu_ns() - start;
			cpu[v] += ns[v][round];
			wall[v] += wall_ns() - wall_start;
			ns[v][round] /= switches;
		}
	}
	for (v = 0; v < VARIANTS; v++) {
		qsort(ns[v] + 1, ROUNDS, sizeof(ns[v][0]), compare_doubles);
		printf("cache\t%s\t%s\tns_per_switch\t%.2f\n", name,
				variants[v].name, ns[v][1 + ROUNDS / 2]);
		/* Threads that do not run at the same time do not contend. */
		if (load == load_contended)
			printf("cache\t%s\t%s\tcpus_used\t%.2f\n", name,
					variants[v].name, cpu[v] / wall[v]);
		variants[v].destroy(caches[v]);
	}
	fflush(stdout);
}

/* The name that each switch tells is the truth at that moment. */
static bool is_wrong(const struct variant *variant, struct commcache *cache,
		pid_t tid, const struct commcache_comm *truth)
{
	struct commcache_comm comm;

	return tid && (!variant->find(cache, tid, &comm) ||
			!commcache_comm_equal(&comm, truth));
}

static void count_wrong_names(void)
{
	const struct replay_switch *record;
	struct commcache *cache;
	size_t v, i, wrong;

	for (v = 0; v < VARIANTS; v++) {
		cache = variants[v].create(CAPACITY);
		if (!cache)
			abort();
		wrong = 0;
		for (i = 0; i < replay->length; i++) {
			record = &replay->switches[i];
			variants[v].sched_switch(cache,
					record->prev_tid, record->prev_comm,
					record->next_tid, record->next_comm);
			wrong += is_wrong(&variants[v], cache,
					record->prev_tid, record->prev_comm);
			wrong += is_wrong(&variants[v], cache,
					record->next_tid, record->next_comm);
		}
		printf("cache\treplay\t%s\twrong_names\t%zu\n",
				variants[v].name, wrong);
		variants[v].destroy(cache);
	}
}

static void run_scale(size_t threads)
{
	size_t i, other;
	char name[32];
	pid_t tid;

	schedule_length = threads;
	schedule = malloc(threads * sizeof(*schedule));
	if (!schedule)
		abort();
	for (i = 0; i < threads; i++)
		schedule[i] = i + 1;
	for (i = threads - 1; i > 0; i--) {
		other = random() % (i + 1);
		tid = schedule[i];
		schedule[i] = schedule[other];
		schedule[other] = tid;
	}
	snprintf(name, sizeof(name), "scale-%zu", threads);
	/* At least once around, so that the warm-up adds all. */
	run(name, load_schedule, threads,
			threads > 1000000 ? threads : 1000000);
	free(schedule);
}

/* For callgrind: the difference of two runs is that of the switches. */
static int count_instructions(const char *variant_name, const char *count)
{
	const struct variant *variant = variants;
	long i, switches = atol(count);
	struct commcache *cache;

	while (strcmp(variant->name, variant_name)) {
		if (++variant == variants + VARIANTS)
			return EXIT_FAILURE;
	}
	cache = variant->create(CAPACITY);
	if (!cache)
		return EXIT_FAILURE;
	variant->sched_switch(cache, 4711, &names[0], 4711, &names[0]);
	for (i = 0; i < switches; i++)
		variant->sched_switch(cache, 4711, &names[0],
				4711, &names[0]);
	variant->destroy(cache);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static const size_t scales[] = { 10, 1000, 100000, 1000000 };
	char name[COMMCACHE_COMM_LEN];
	size_t i;

	for (i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "worker-%zu", i);
		commcache_comm_from_string(&names[i], name);
	}
	if (argc == 4 && !strcmp(argv[1], "--count"))
		return count_instructions(argv[2], argv[3]);
	if (argc != 2) {
		fprintf(stderr, "usage: %s REPLAY_FILE\n"
				"       %s --count VARIANT SWITCHES\n",
				argv[0], argv[0]);
		return EXIT_FAILURE;
	}
	replay = replay_load(argv[1]);
	if (!replay)
		return EXIT_FAILURE;

	run("tight", load_tight, CAPACITY, 3000);
	run("replay", load_replay, CAPACITY, 10);
	count_wrong_names();
	run("contended", load_contended, CAPACITY, 5000);
	run("churn", load_churn, CAPACITY, 500000);
	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		run_scale(scales[i]);
	replay_destroy(replay);
	return EXIT_SUCCESS;
}
