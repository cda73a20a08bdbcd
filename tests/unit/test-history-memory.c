/* SPDX-License-Identifier: MIT */

/*
 * Memory: as much as the header says, bounded for endless streams, and no harm
 * where there is none.
 *
 * Linked with --wrap, so that each allocation can be made to fail.
 *
 * The argument is the number of changes to make.
 */

#include "history-test.h"
#include "failing-alloc.h"

#include <commcache/cpu.h>

static unsigned int many = 100000;

static uint64_t bytes_of(const struct commcache_history *history)
{
	struct commcache_history_stats stats;

	commcache_history_get_stats(history, &stats);
	return stats.bytes;
}

/* What the header promises, and some for the history itself. */
static void assert_in_bounds(const struct commcache_history *history)
{
	struct commcache_history_stats stats;
	uint64_t bound;

	commcache_history_get_stats(history, &stats);
	bound = stats.changes * COMMCACHE_HISTORY_CHANGE_BYTES * 3 / 2 +
			stats.threads * COMMCACHE_HISTORY_THREAD_BYTES +
			stats.names * COMMCACHE_HISTORY_NAME_BYTES +
			stats.joins * COMMCACHE_HISTORY_JOIN_BYTES;
	print_message("# %llu bytes: %llu threads, %llu changes, %llu names, %llu joins; %llu allowed\n",
			(unsigned long long) stats.bytes,
			(unsigned long long) stats.threads,
			(unsigned long long) stats.changes,
			(unsigned long long) stats.names,
			(unsigned long long) stats.joins,
			(unsigned long long) bound);
	assert_true(stats.bytes <= bound + 8192);
}

static struct commcache_comm numbered(const char *word, unsigned int number)
{
	char str[32];

	(void) snprintf(str, sizeof(str), "%s-%u", word, number);
	return comm_of(str);
}

static struct commcache_history_domain *root_of(
		struct commcache_history *history)
{
	return commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
}

static void test_bytes_a_change(void **state)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_thread *thread = commcache_history_thread(
			root_of(history), 7, -1);
	struct commcache_comm names[2] = { comm_of("a"), comm_of("b") };
	uint64_t before;

	(void) state;
	for (unsigned int i = 0; i < many; i++)
		assert_int_equal(commcache_history_is(thread, at(i),
				&names[i % 2]), COMMCACHE_HISTORY_CHANGED);
	assert_in_bounds(history);
	/* And none for what says nothing new, nor for an answer. */
	before = bytes_of(history);
	allowed = 0;
	for (unsigned int i = 0; i < many; i++) {
		assert_int_equal(commcache_history_is(thread, at(many + i),
				&names[1]), COMMCACHE_HISTORY_UNCHANGED);
		assert_int_equal(commcache_history_resolve(thread,
				at(i)).source, COMMCACHE_HISTORY_SEEN);
	}
	allowed = -1;
	assert_int_equal(bytes_of(history), before);
	commcache_history_destroy(history);
}

static void test_bytes_a_thread(void **state)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *domain = root_of(history);
	struct commcache_comm comm = comm_of("same");

	(void) state;
	for (unsigned int i = 1; i < many / 2; i++) {
		struct commcache_history_thread *thread =
				commcache_history_thread(domain, i, -1);

		(void) commcache_history_is(thread, at(i), &comm);
		if (i % 5003 == 0)
			assert_in_bounds(history);
	}
	assert_in_bounds(history);
	commcache_history_destroy(history);
}

static void test_bytes_a_name(void **state)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_thread *thread = commcache_history_thread(
			root_of(history), 7, -1);

	(void) state;
	for (unsigned int i = 0; i < many; i++) {
		struct commcache_comm comm = numbered("job", i);

		(void) commcache_history_is(thread, at(i), &comm);
		if (i % 10007 == 0)
			assert_in_bounds(history);
	}
	assert_in_bounds(history);
	commcache_history_destroy(history);
}

static void test_bytes_a_join(void **state)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *root = root_of(history);
	struct commcache_history_domain *inner = commcache_history_domain(
			history, "host", NULL, 4026532210);

	(void) state;
	for (unsigned int i = 1; i < many / 5; i++) {
		struct commcache_history_thread *thread =
				commcache_history_thread(root, i, -1);

		/* One vtid again and again, and others once. */
		(void) commcache_history_born(thread, at(i),
				COMMCACHE_HISTORY_TELLER_FORK, NULL, NULL);
		(void) commcache_history_join(commcache_history_thread(inner,
				i % 2 ? 1 : i, -1), thread, at(i));
	}
	assert_in_bounds(history);
	commcache_history_destroy(history);
}

/*
 * An endless stream of short-lived threads, each with a name of its own, in a
 * namespace or not: memory stays what it was.
 */
static void test_endless_stream(void **state)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *root = root_of(history);
	struct commcache_history_domain *inner = commcache_history_domain(
			history, "host", NULL, 4026532210);
	uint64_t most = 0, early = 0;

	(void) state;
	for (unsigned int i = 1; i <= 2 * many; i++) {
		unsigned int tid = 10 + i % 30000;
		struct commcache_history_thread *parent =
				commcache_history_thread(root, 1, -1);
		struct commcache_history_thread *thread =
				commcache_history_thread(root, tid, -1);
		struct commcache_comm comm = numbered("job", i);
		int64_t time = 10 * (int64_t) i;

		(void) commcache_history_born(thread, at(time),
				COMMCACHE_HISTORY_TELLER_FORK, parent, NULL);
		if (i % 2)
			(void) commcache_history_join(commcache_history_thread(
					inner, 1 + i % 100, -1), thread,
					at(time));
		(void) commcache_history_is(thread, at(time + 1), &comm);
		(void) commcache_history_becomes(parent, at(time + 2), NULL,
				&comm);
		(void) commcache_history_dies(thread, at(time + 5), NULL);
		if (i % (many / 100) == 0) {
			assert_int_equal(commcache_history_forget(root,
					at(time - many / 100)),
					COMMCACHE_HISTORY_CHANGED);
			if (bytes_of(history) > most)
				most = bytes_of(history);
			if (i == many / 5)
				early = most;
			assert_string_equal(commcache_history_resolve(
					commcache_history_find_thread(root, 1,
					-1), at(time + 3)).comm->str,
					comm.str);
		}
	}
	print_message("# at most %llu bytes after a tenth, %llu after all\n",
			(unsigned long long) early, (unsigned long long) most);
	assert_true(most <= early + early / 4);
	commcache_history_destroy(history);
}

/* All that there is to do, with whatever fails. Returns what failed. */
static unsigned int do_all(void)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *root, *inner, *unknown;
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);
	unsigned int failed = !cpus || !history;
	uint64_t random = 99;

	if (!history || !cpus)
		goto end;
	root = root_of(history);
	inner = commcache_history_domain(history, "host", NULL, 5);
	unknown = commcache_history_domain(history, "host", NULL, 0);
	for (int i = 0; i < 300; i++) {
		struct commcache_history_domain *domains[] = { root, inner,
				unknown };
		struct commcache_history_domain *domain = domains[
				random_below(&random, 3)];
		struct commcache_history_thread *thread =
				commcache_history_thread(domain,
				random_below(&random, 20), 1);
		struct commcache_history_thread *other =
				commcache_history_thread(root,
				random_below(&random, 20), 2);
		struct commcache_comm a = numbered("name", (unsigned int) i);
		struct commcache_comm b = numbered("name",
				random_below(&random, 300));
		/* A third of it late. */
		struct commcache_moment moment = at(i - 20 *
				(int64_t) (random_below(&random, 3) == 0));
		int status = 0;

		switch (random_below(&random, 10)) {
		case 0:
		case 1:
			status = commcache_history_is(thread, moment, &a);
			break;
		case 2:
			status = commcache_history_becomes(thread, moment, &a,
					&b);
			break;
		case 3:
			status = commcache_history_renamed(thread, moment,
					moment, i % 2 ? &a : NULL);
			break;
		case 4:
			status = commcache_history_born(thread, moment,
					random_below(&random, 5), other,
					i % 2 ? &a : NULL);
			break;
		case 5:
			status = commcache_history_dies(thread, moment,
					i % 2 ? &b : NULL);
			break;
		case 6:
			status = commcache_history_procname(thread, moment, &a);
			break;
		case 7:
			status = commcache_history_takes_over(thread, other,
					moment);
			break;
		case 8:
			status = commcache_history_file(thread, &a);
			break;
		default:
			if (inner)
				status = commcache_history_join(
						commcache_history_thread(inner,
						1 + i % 9, -1), other, moment);
			break;
		}
		failed += status == COMMCACHE_HISTORY_NO_MEMORY;
		assert_non_null(commcache_history_resolve(thread,
				at(i / 2)).comm);
		if (i % 100 == 99 && root)
			failed += commcache_history_forget(root, at(i - 50)) ==
					COMMCACHE_HISTORY_NO_MEMORY;
		failed += commcache_cpus_switch(cpus, i % 3, at(i), i % 7,
				i % 5) == COMMCACHE_HISTORY_NO_MEMORY;
	}
	failed += commcache_cpus_rewind(cpus) == COMMCACHE_HISTORY_NO_MEMORY;
	(void) commcache_cpus_at(cpus, 1, 100);
end:
	commcache_cpus_destroy(cpus);
	commcache_history_destroy(history);
	return failed;
}

/* Each allocation fails once, and all after it. */
static void test_no_memory(void **state)
{
	unsigned long count;

	(void) state;
	allocations = 0;
	allowed = -1;
	assert_int_equal(do_all(), 0);
	count = allocations;
	assert_true(count > 100);
	for (unsigned long i = 0; i < count; i++) {
		allowed = (long) i;
		(void) do_all();
	}
	allowed = -1;
	print_message("# %lu allocations failed in turn\n", count);
}

/* What was lost for want of memory is told, and can be told again. */
static void test_lost(void **state)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_thread *thread = commcache_history_thread(
			root_of(history), 7, -1);
	struct commcache_history_stats stats;
	struct commcache_comm comm;
	unsigned int number = 0;

	(void) state;
	allowed = 0;
	do {
		comm = numbered("name", ++number);
	}
	while (commcache_history_is(thread, at(number), &comm) !=
			COMMCACHE_HISTORY_NO_MEMORY);
	allowed = -1;
	commcache_history_get_stats(history, &stats);
	assert_int_equal(stats.lost, 1);
	assert_int_equal(commcache_history_is(thread, at(number), &comm),
			COMMCACHE_HISTORY_CHANGED);
	assert_string_equal(commcache_history_resolve(thread,
			at(number)).comm->str, comm.str);
	commcache_history_destroy(history);
}

/* A failed forget leaves the answers as they were. */
static void test_forget_without_memory(void **state)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *root = root_of(history);
	struct commcache_comm a = comm_of("a");

	(void) state;
	(void) commcache_history_is(commcache_history_thread(root, 7, -1),
			at(1), &a);
	(void) commcache_history_born(commcache_history_thread(root, 8, -1),
			at(2), COMMCACHE_HISTORY_TELLER_FORK,
			commcache_history_thread(root, 7, -1), NULL);
	for (allowed = 0; allowed < 5; allowed++) {
		long left = allowed;

		assert_int_equal(commcache_history_forget(root, at(5)),
				COMMCACHE_HISTORY_NO_MEMORY);
		allowed = -1;
		assert_string_equal(commcache_history_resolve(
				commcache_history_find_thread(root, 8, -1),
				at(3)).comm->str, "a");
		allowed = left;
	}
	allowed = -1;
	assert_int_equal(commcache_history_forget(root, at(5)),
			COMMCACHE_HISTORY_CHANGED);
	commcache_history_destroy(history);
}

/* A host that is gone for good leaves nothing, and others alone. */
static void test_forget_a_host(void **state)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *root = root_of(history);
	struct commcache_comm a = comm_of("a");
	struct commcache_comm b = comm_of("b");
	struct commcache_history_stats before, after;
	unsigned int i;

	(void) state;
	(void) commcache_history_is(commcache_history_thread(root, 7, -1),
			at(1), &a);
	commcache_history_get_stats(history, &before);
	for (i = 0; i < 100; i++) {
		struct commcache_history_domain *gone =
				commcache_history_domain(history, "gone", NULL,
				COMMCACHE_HISTORY_NS_ROOT);
		struct commcache_history_domain *inner =
				commcache_history_domain(history, "gone", NULL,
				4026532000);
		struct commcache_history_thread *thread =
				commcache_history_thread(gone, 7, -1);

		(void) commcache_history_is(thread, at(1), &b);
		(void) commcache_history_join(commcache_history_thread(inner,
				1, -1), thread, at(1));
		(void) commcache_history_born(commcache_history_thread(gone,
				8, -1), at(2), COMMCACHE_HISTORY_TELLER_FORK,
				thread, NULL);
		assert_int_equal(commcache_history_forget(gone,
				commcache_moment(INT64_MAX, UINT32_MAX)),
				COMMCACHE_HISTORY_CHANGED);
	}
	commcache_history_get_stats(history, &after);
	assert_int_equal(after.domains, before.domains);
	assert_int_equal(after.threads, before.threads);
	assert_int_equal(after.names, before.names);
	assert_string_equal(commcache_history_resolve(
			commcache_history_find_thread(root, 7, -1),
			at(3)).comm->str, "a");
	commcache_history_destroy(history);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes_a_change),
		cmocka_unit_test(test_bytes_a_thread),
		cmocka_unit_test(test_bytes_a_name),
		cmocka_unit_test(test_bytes_a_join),
		cmocka_unit_test(test_endless_stream),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_forget_without_memory),
		cmocka_unit_test(test_forget_a_host),
	};

	if (argc > 1)
		many = (unsigned int) strtoul(argv[1], NULL, 0);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
