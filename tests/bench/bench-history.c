/* SPDX-License-Identifier: MIT */

/*
 * What a look-up in a history costs. One line for each load and variant:
 *
 *   history <TAB> LOAD <TAB> VARIANT <TAB> ns_per_lookup <TAB> VALUE
 *
 * LOAD is the number of threads; each has ten names, over the whole time.
 *
 * stream	times ascend, one of the threads at each, by its handle: the
 *		second pass over a trace
 * find		the same, by the tid
 * joined	the same, by the handle of an inner namespace's number
 * burst	as stream, but a thread has 100 records in a row
 * anytime	any time, any thread, by its handle
 * seen		evidence that says nothing new, in the order of time
 */

#include <commcache/history.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOOKUPS 2000000
#define NAMES 10

/* So that no answer is left out by the compiler. */
static uint64_t checksum;

struct load {
	unsigned int count;
	struct commcache_history *history;
	struct commcache_history_domain *root;
	/* Owned by this. */
	struct commcache_history_thread **threads;
	/* The same, by the numbers of an inner namespace. */
	struct commcache_history_thread **inner;
	/* Which thread, at each time. */
	unsigned int *order;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static struct commcache_comm name_of(unsigned int number)
{
	struct commcache_comm comm;
	char str[32];

	(void) snprintf(str, sizeof(str), "job-%u", number);
	commcache_comm_from_string(&comm, str);
	return comm;
}

static struct commcache_moment at(int64_t time)
{
	return commcache_moment(time, 0);
}

static void add_names(struct load *load)
{
	struct commcache_history_domain *inner = commcache_history_domain(
			load->history, "host", NULL, 4026532210);

	for (unsigned int i = 0; i < load->count; i++) {
		struct commcache_history_thread *thread;

		thread = commcache_history_thread(load->root, 100 + i, -1);
		for (unsigned int j = 0; j < NAMES; j++) {
			struct commcache_comm comm = name_of(i % 1000 + j);

			(void) commcache_history_is(thread, at(LOOKUPS /
					NAMES * j + i), &comm);
		}
		load->threads[i] = thread;
		load->inner[i] = commcache_history_thread(inner, 1 + i, -1);
		(void) commcache_history_join(load->inner[i], thread, at(0));
	}
}

static bool make_load(struct load *load, unsigned int count)
{
	uint64_t random = 1;

	load->count = count;
	load->history = commcache_history_create();
	load->threads = calloc(count, sizeof(*load->threads));
	load->inner = calloc(count, sizeof(*load->inner));
	load->order = calloc(LOOKUPS, sizeof(*load->order));
	if (!load->history || !load->threads || !load->inner || !load->order)
		return false;
	load->root = commcache_history_domain(load->history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
	for (unsigned int i = 0; i < LOOKUPS; i++) {
		/* MMIX's generator, Knuth. */
		random = random * UINT64_C(6364136223846793005) +
				UINT64_C(1442695040888963407);
		load->order[i] = (unsigned int) (random >> 33) % count;
	}
	add_names(load);
	return true;
}

static void free_load(struct load *load)
{
	commcache_history_destroy(load->history);
	free(load->threads);
	free(load->inner);
	free(load->order);
}

static void look_up(struct commcache_history_thread *thread, int64_t time)
{
	checksum += commcache_history_resolve(thread, at(time)).id;
}

static void stream(struct load *load)
{
	for (unsigned int i = 0; i < LOOKUPS; i++)
		look_up(load->threads[load->order[i]], i);
}

static void find(struct load *load)
{
	for (unsigned int i = 0; i < LOOKUPS; i++)
		look_up(commcache_history_find_thread(load->root,
				100 + load->order[i], -1), i);
}

static void joined(struct load *load)
{
	for (unsigned int i = 0; i < LOOKUPS; i++)
		look_up(load->inner[load->order[i]], i);
}

static void burst(struct load *load)
{
	for (unsigned int i = 0; i < LOOKUPS; i++)
		look_up(load->threads[load->order[i / 100]], i);
}

static void anytime(struct load *load)
{
	for (unsigned int i = 0; i < LOOKUPS; i++)
		look_up(load->threads[load->order[i]],
				i * UINT64_C(7919) % LOOKUPS);
}

static void seen(struct load *load)
{
	struct commcache_comm names[1009];

	for (unsigned int i = 0; i < 1009; i++)
		names[i] = name_of(i);
	for (unsigned int i = 0; i < LOOKUPS; i++) {
		unsigned int thread = load->order[i];

		checksum += (uint64_t) commcache_history_is(
				load->threads[thread], at(2 * LOOKUPS + i),
				&names[thread % 1000 + NAMES - 1]);
	}
}

static const struct {
	const char *name;
	void (*run)(struct load *load);
} variants[] = {
	{ "stream", stream },
	{ "find", find },
	{ "joined", joined },
	{ "burst", burst },
	{ "anytime", anytime },
	{ "seen", seen },
};

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return x < y ? -1 : x > y;
}

int main(void)
{
	static const unsigned int counts[] = { 10, 1000, 100000 };
	enum { ROUNDS = 5 };

	for (unsigned int i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct load load;

		if (!make_load(&load, counts[i])) {
			fprintf(stderr, "bench-history: no memory for %u threads\n",
					counts[i]);
			return 1;
		}
		for (unsigned int j = 0; j < sizeof(variants) /
				sizeof(*variants); j++) {
			double times[ROUNDS];

			for (int round = 0; round < ROUNDS; round++) {
				double begin = now();

				variants[j].run(&load);
				times[round] = (now() - begin) / LOOKUPS;
			}
			qsort(times, ROUNDS, sizeof(*times), compare_doubles);
			printf("history\t%u\t%s\tns_per_lookup\t%.1f\n",
					counts[i], variants[j].name,
					times[ROUNDS / 2]);
		}
		free_load(&load);
	}
	/* Read, so that it has to be computed. */
	return checksum == 1;
}
