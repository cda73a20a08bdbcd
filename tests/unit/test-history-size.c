/* SPDX-License-Identifier: MIT */

/* How many the bytes are that a history and CPUs are kept as. */

#include "history-test.h"
#include "history-bytes.h"

/* What the header promises, of names that never come again. */
static void test_change(void **state)
{
	enum { THREADS = 100, CHANGES = 100000 };
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *root = commcache_history_domain(
			history, "host", NULL, COMMCACHE_HISTORY_NS_ROOT);
	uint64_t random = 7;
	struct bytes bytes;
	int64_t time = INT64_C(1700000000) * 1000000000;

	(void) state;
	for (unsigned int i = 0; i < CHANGES; i++) {
		struct commcache_comm comm;
		char name[16];

		(void) snprintf(name, sizeof(name), "%015llx",
				(unsigned long long) random_next(&random) >> 4);
		comm = comm_of(name);
		time += random_below(&random, 2000000);
		assert_int_equal(commcache_history_becomes(
				commcache_history_thread(root, 4000000 +
				random_below(&random, THREADS), -1),
				commcache_moment(time, i & 1), NULL, &comm),
				COMMCACHE_HISTORY_CHANGED);
	}
	bytes = bytes_of_history(history);
	print_message("# %.2f bytes a change\n",
			(double) bytes.size / CHANGES);
	assert_true(bytes.size < CHANGES * COMMCACHE_STORE_CHANGE_BYTES);
	commcache_history_destroy(history);
	free(bytes.array);
}

/* The same, of turns of 1,000 threads, of 25 ms in the mean. */
static void test_switch(void **state)
{
	enum { THREADS = 1000, SWITCHES = 200000, CPUS = 8 };
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);
	int64_t current[CPUS] = { 0 };
	uint64_t random = 7;
	struct bytes bytes;
	int64_t time = INT64_C(1700000000) * 1000000000;

	(void) state;
	for (unsigned int i = 0; i < SWITCHES; i++) {
		unsigned int cpu = random_below(&random, CPUS);
		int64_t next = 4000000 + random_below(&random, THREADS);

		time += random_below(&random, 50000000 / CPUS);
		assert_int_equal(commcache_cpus_switch(cpus, cpu, at(time),
				current[cpu], next), COMMCACHE_HISTORY_CHANGED);
		current[cpu] = next;
	}
	bytes = bytes_of_cpus(cpus);
	print_message("# %.2f bytes a switch\n",
			(double) bytes.size / SWITCHES);
	assert_true(bytes.size < SWITCHES * COMMCACHE_STORE_SWITCH_BYTES);
	commcache_cpus_destroy(cpus);
	free(bytes.array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_switch),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
