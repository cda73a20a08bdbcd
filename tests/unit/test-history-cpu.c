/* SPDX-License-Identifier: MIT */

/* The current thread per CPU: the rules of commcache/cpu.h. */

#include "cpu-records.h"

/* Both passes; what is asked in the second has to be the truth. */
static void check_lookahead(const struct record *records, unsigned int count)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_LOOKAHEAD);

	for (unsigned int i = 0; i < count; i++)
		give(cpus, 0, &records[i]);
	/* Twice: a second pass may be started over. */
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(commcache_cpus_rewind(cpus), CHANGED);
		for (unsigned int i = 0; i < count; i++) {
			const struct record *record = &records[i];

			if (record->kind != GAP)
				assert_int_equal(commcache_cpus_now(cpus, 0,
						commcache_moment(record->time,
						record->order)),
						record->truth);
			give(cpus, 0, record);
		}
	}
	assert_int_equal(commcache_cpus_at(cpus, 0, records[0].time), -1);
	commcache_cpus_destroy(cpus);
}

/* "ran in the thread that its CPU last switched to, and in the prev of its CPU's next switch" */
static void test_both_sides(void **state)
{
	static const struct record records[] = {
		{ .kind = EVENT, .time = 5, .truth = 10 },
		{ .kind = SWITCH, .time = 10, .prev = 10, .next = 20,
			.truth = 10 },
		{ .kind = EVENT, .time = 10, .order = 2, .truth = 20 },
		{ .kind = EVENT, .time = 15, .truth = 20 },
		{ .kind = SWITCH, .time = 20, .prev = 20, .next = 0,
			.truth = 20 },
		{ .kind = EVENT, .time = 25, .truth = 0 },
	};

	(void) state;
	check_lookahead(records, sizeof(records) / sizeof(*records));
}

/* "up to the discard message the earlier side holds, after it the later" */
static void test_gap(void **state)
{
	static const struct record records[] = {
		{ .kind = SWITCH, .time = 10, .prev = 10, .next = 20,
			.truth = 10 },
		{ .kind = EVENT, .time = 15, .truth = 20 },
		{ .kind = GAP, .time = 15 },
		{ .kind = EVENT, .time = 16, .truth = 30 },
		{ .kind = SWITCH, .time = 20, .prev = 30, .next = 40,
			.truth = 30 },
		{ .kind = EVENT, .time = 21, .truth = 40 },
		{ .kind = GAP, .time = 22 },
		{ .kind = EVENT, .time = 23, .truth = -1 },
		{ .kind = GAP, .time = 24 },
		{ .kind = EVENT, .time = 25, .truth = 50 },
		{ .kind = SWITCH, .time = 30, .prev = 50, .next = 60,
			.truth = 50 },
		/* Both sides agree: it ran all the time, or ran again. */
		{ .kind = GAP, .time = 35 },
		{ .kind = EVENT, .time = 36, .truth = 60 },
		{ .kind = SWITCH, .time = 40, .prev = 60, .next = 70,
			.truth = 60 },
		{ .kind = GAP, .time = 45 },
		{ .kind = EVENT, .time = 46, .truth = -1 },
	};

	(void) state;
	check_lookahead(records, sizeof(records) / sizeof(*records));
}

/* Where both sides differ and nothing says that records are missing: no one knows. */
static void test_tracked_session(void **state)
{
	static const struct record records[] = {
		{ .kind = EVENT, .time = 5, .truth = 10 },
		{ .kind = SWITCH, .time = 10, .prev = 10, .next = 99,
			.truth = 10 },
		{ .kind = EVENT, .time = 15, .truth = -1 },
		{ .kind = SWITCH, .time = 20, .prev = 11, .next = 98,
			.truth = -1 },
		{ .kind = EVENT, .time = 25, .truth = -1 },
		{ .kind = SWITCH, .time = 30, .prev = 10, .next = 97,
			.truth = -1 },
	};

	(void) state;
	check_lookahead(records, sizeof(records) / sizeof(*records));
}

/* "Without look-ahead, inference stops at a discard until the next switch." */
static void test_one_pass(void **state)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_ONE_PASS);

	(void) state;
	assert_int_equal(commcache_cpus_now(cpus, 0, at(5)), -1);
	(void) commcache_cpus_switch(cpus, 0, at(10), 10, 20);
	assert_int_equal(commcache_cpus_now(cpus, 0, at(15)), 20);
	assert_int_equal(commcache_cpus_now(cpus, 1, at(15)), -1);
	(void) commcache_cpus_gap(cpus, 0, at(16));
	assert_int_equal(commcache_cpus_now(cpus, 0, at(17)), -1);
	(void) commcache_cpus_switch(cpus, 0, at(20), 30, 40);
	assert_int_equal(commcache_cpus_now(cpus, 0, at(21)), 40);
	assert_int_equal(commcache_cpus_at(cpus, 0, 21), -1);
	commcache_cpus_destroy(cpus);
}

/* "the change took effect before that event" */
static void test_exec(void **state)
{
	static const struct record records[] = {
		{ .kind = SWITCH, .time = 10, .prev = 0, .next = 733,
			.truth = 0 },
		/* Its execve begins here ... */
		{ .kind = EVENT, .time = 12, .truth = 733 },
		{ .kind = EVENT, .time = 15, .truth = 731 },
		{ .kind = EXEC, .time = 20, .prev = 733, .next = 731,
			.truth = 731, .since = 12 },
		{ .kind = EVENT, .time = 25, .truth = 731 },
		{ .kind = SWITCH, .time = 30, .prev = 731, .next = 0,
			.truth = 731 },
	};
	/* As K8 has it: it sleeps with its new tid before the event. */
	static const struct record slept[] = {
		{ .kind = SWITCH, .time = 10, .prev = 0, .next = 733,
			.truth = 0 },
		{ .kind = SWITCH, .time = 20, .prev = 731, .next = 0,
			.truth = 731 },
		{ .kind = SWITCH, .time = 30, .prev = 0, .next = 731,
			.truth = 0 },
		{ .kind = EXEC, .time = 40, .prev = 733, .next = 731,
			.truth = 731, .since = INT64_MIN },
		{ .kind = EVENT, .time = 45, .truth = 731 },
	};

	(void) state;
	check_lookahead(records, sizeof(records) / sizeof(*records));
	check_lookahead(slept, sizeof(slept) / sizeof(*slept));
}

/* Since when the new tid is right: for commcache_history_takes_over(). */
static void test_exec_since(void **state)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_ONE_PASS);
	struct commcache_moment since;

	(void) state;
	/* Unequal only. */
	assert_int_equal(commcache_cpus_exec(cpus, 0, at(5), at(INT64_MIN), 7,
			7, &since), COMMCACHE_HISTORY_UNCHANGED);
	/* Nothing is known of the CPU. */
	(void) commcache_cpus_exec(cpus, 2, at(5), at(INT64_MIN), 7, 8, &since);
	assert_int_equal(since.time, 5);
	assert_int_equal(commcache_cpus_now(cpus, 2, at(6)), 7);
	/* The last switch to it. */
	(void) commcache_cpus_switch(cpus, 0, at(10), 0, 733);
	(void) commcache_cpus_exec(cpus, 0, at(20), at(INT64_MIN), 731, 733,
			&since);
	assert_int_equal(since.time, 10);
	/* It slept, and woke up on another CPU. */
	(void) commcache_cpus_switch(cpus, 0, at(30), 731, 743);
	(void) commcache_cpus_switch(cpus, 0, at(40), 741, 0);
	(void) commcache_cpus_switch(cpus, 1, at(50), 0, 741);
	(void) commcache_cpus_exec(cpus, 1, at(60), at(INT64_MIN), 741, 743,
			&since);
	assert_int_equal(since.time, 30);
	/* It did so before, with the same tids: the last time counts. */
	(void) commcache_cpus_switch(cpus, 1, at(62), 741, 743);
	(void) commcache_cpus_switch(cpus, 1, at(64), 741, 0);
	(void) commcache_cpus_switch(cpus, 0, at(66), 0, 741);
	(void) commcache_cpus_exec(cpus, 0, at(68), at(INT64_MIN), 741, 743,
			&since);
	assert_int_equal(since.time, 62);
	/* Not before the execve. */
	(void) commcache_cpus_switch(cpus, 0, at(70), 0, 753);
	(void) commcache_cpus_exec(cpus, 0, at(90), at(80), 751, 753, &since);
	assert_int_equal(since.time, 80);
	/* Not before a gap. */
	(void) commcache_cpus_switch(cpus, 0, at(100), 751, 763);
	(void) commcache_cpus_gap(cpus, 0, at(105));
	(void) commcache_cpus_exec(cpus, 0, at(110), at(INT64_MIN), 761, 763,
			&since);
	assert_int_equal(since.time, 105);
	assert_int_equal(commcache_cpus_now(cpus, 0, at(111)), 761);
	commcache_cpus_destroy(cpus);
}

/* A record of another trace, by its raw clock value, in any order. */
static void test_record(void **state)
{
	static const int64_t truth[][2] = { { INT64_MIN, 10 }, { 99, 10 },
			{ 100, 20 }, { 199, 20 }, { 200, 30 }, { 249, 30 },
			{ 250, 40 }, { 299, 40 }, { 300, 50 }, { 399, 50 },
			{ 400, -1 }, { INT64_MAX, -1 } };
	enum { COUNT = sizeof(truth) / sizeof(*truth) };
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);

	(void) state;
	(void) commcache_cpus_switch(cpus, 3, at(100), 10, 20);
	(void) commcache_cpus_switch(cpus, 3, at(200), 20, 30);
	(void) commcache_cpus_gap(cpus, 3, at(250));
	assert_int_equal(commcache_cpus_at(cpus, 3, 260), -1);
	(void) commcache_cpus_switch(cpus, 3, at(300), 40, 50);
	assert_int_equal(commcache_cpus_at(cpus, 3, 260), 40);
	assert_int_equal(commcache_cpus_at(cpus, 3, 450), 50);
	(void) commcache_cpus_gap(cpus, 3, at(400));
	(void) commcache_cpus_rewind(cpus);
	for (int from = 0; from < COUNT; from++) {
		for (int to = 0; to < COUNT; to++) {
			assert_int_equal(commcache_cpus_at(cpus, 3,
					truth[from][0]), truth[from][1]);
			assert_int_equal(commcache_cpus_at(cpus, 3,
					truth[to][0]), truth[to][1]);
		}
	}
	assert_int_equal(commcache_cpus_at(cpus, 2, 250), -1);
	commcache_cpus_forget(cpus, 220);
	assert_int_equal(commcache_cpus_at(cpus, 3, 220), 30);
	assert_int_equal(commcache_cpus_at(cpus, 3, 260), 40);
	assert_int_equal(commcache_cpus_at(cpus, 3, 350), 50);
	commcache_cpus_destroy(cpus);
}

/* An exec says nothing of what its CPU did before this thread was there. */
static void test_exec_elsewhere(void **state)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);

	(void) state;
	(void) commcache_cpus_switch(cpus, 0, at(30), 0, 743);
	(void) commcache_cpus_switch(cpus, 0, at(40), 741, 0);
	(void) commcache_cpus_switch(cpus, 1, at(35), 0, 9);
	(void) commcache_cpus_switch(cpus, 1, at(50), 9, 8);
	(void) commcache_cpus_exec(cpus, 1, at(60), at(INT64_MIN), 741, 743,
			NULL);
	(void) commcache_cpus_switch(cpus, 1, at(70), 741, 7);
	(void) commcache_cpus_rewind(cpus);
	assert_int_equal(commcache_cpus_at(cpus, 1, 45), 9);
	assert_int_equal(commcache_cpus_at(cpus, 1, 55), 741);
	assert_int_equal(commcache_cpus_at(cpus, 0, 35), 741);
	commcache_cpus_destroy(cpus);
}

/* Where ties have no order, they have that of the trace. */
static void test_ties(void **state)
{
	static const struct record records[] = {
		{ .kind = SWITCH, .time = 10, .prev = 1, .next = 2,
			.truth = 1 },
		{ .kind = EVENT, .time = 10, .truth = 2 },
		{ .kind = SWITCH, .time = 20, .prev = 2, .next = 4,
			.truth = 2 },
		{ .kind = EVENT, .time = 20, .truth = 4 },
		{ .kind = SWITCH, .time = 20, .prev = 4, .next = 5,
			.truth = 4 },
		{ .kind = EVENT, .time = 20, .truth = 5 },
	};

	(void) state;
	check_lookahead(records, sizeof(records) / sizeof(*records));
}

/* Times so far apart that 32 bits do not hold the distance. */
static void test_record_far_apart(void **state)
{
	static const int64_t times[] = { INT64_MIN, INT64_MIN + 1, -5, 0,
			INT64_C(1) << 32, (INT64_C(1) << 33) - 1,
			INT64_C(1) << 33, INT64_MAX - 1, INT64_MAX };
	enum { COUNT = sizeof(times) / sizeof(*times) };
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);

	(void) state;
	for (int i = 0; i < COUNT; i++)
		(void) commcache_cpus_switch(cpus, 0, at(times[i]), i, i + 1);
	(void) commcache_cpus_rewind(cpus);
	for (int i = COUNT - 1; i >= 0; i--)
		assert_int_equal(commcache_cpus_at(cpus, 0, times[i]), i + 1);
	for (int i = 1; i < COUNT; i++)
		assert_int_equal(commcache_cpus_at(cpus, 0, times[i] - 1),
				times[i] - 1 == times[i - 1] ? i : i);
	commcache_cpus_forget(cpus, INT64_C(1) << 33);
	for (int i = 6; i < COUNT; i++)
		assert_int_equal(commcache_cpus_at(cpus, 0, times[i]), i + 1);
	commcache_cpus_destroy(cpus);
}

static void test_invalid(void **state)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_ONE_PASS);

	(void) state;
	assert_int_equal(commcache_cpus_switch(cpus, -1, at(0), 1, 2),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_cpus_switch(cpus, INT64_MAX, at(0), 1, 2),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_cpus_gap(cpus, 4294967295, at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_cpus_now(cpus, 4294967295, at(0)), -1);
	/* What a corrupt switch says is not known. */
	(void) commcache_cpus_switch(cpus, 0, at(0), 1, 2);
	assert_int_equal(commcache_cpus_switch(cpus, 0, at(1), 2, 4294967295),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_cpus_now(cpus, 0, at(2)), -1);
	commcache_cpus_destroy(cpus);
	commcache_cpus_destroy(NULL);
}

/* Times of one CPU that go backwards: corrupt, and no harm. */
static void test_backwards(void **state)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);

	(void) state;
	(void) commcache_cpus_switch(cpus, 0, at(100), 1, 2);
	(void) commcache_cpus_switch(cpus, 0, at(50), 2, 3);
	(void) commcache_cpus_switch(cpus, 0, at(200), 3, 4);
	(void) commcache_cpus_rewind(cpus);
	assert_int_equal(commcache_cpus_at(cpus, 0, 99), 1);
	assert_int_equal(commcache_cpus_at(cpus, 0, 150), 3);
	assert_int_equal(commcache_cpus_at(cpus, 0, 200), 4);
	commcache_cpus_destroy(cpus);
}

/* Memory: by exceptions, not by switches; with a record, 8 bytes for each. */
static void test_memory(void **state)
{
	enum { SWITCHES = 100000, EXCEPTIONS = 1000 };
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_LOOKAHEAD);
	uint64_t before;

	(void) state;
	(void) commcache_cpus_switch(cpus, 0, at(0), 1, 2);
	before = commcache_cpus_bytes(cpus);
	for (int i = 1; i < SWITCHES; i++)
		(void) commcache_cpus_switch(cpus, 0, at(i), i + 1, i + 2);
	assert_int_equal(commcache_cpus_bytes(cpus), before);
	for (int i = 0; i < EXCEPTIONS; i++)
		(void) commcache_cpus_switch(cpus, 0, at(SWITCHES + i), 7, 8);
	assert_in_range(commcache_cpus_bytes(cpus) - before, EXCEPTIONS,
			EXCEPTIONS * COMMCACHE_CPUS_EXCEPTION_BYTES);
	commcache_cpus_destroy(cpus);

	cpus = commcache_cpus_create(COMMCACHE_CPUS_RECORD);
	for (int i = 0; i < SWITCHES; i++)
		(void) commcache_cpus_switch(cpus, 0, at(1000 * i), i + 1,
				i + 2);
	assert_in_range(commcache_cpus_bytes(cpus),
			SWITCHES * COMMCACHE_CPUS_SWITCH_BYTES,
			2 * SWITCHES * COMMCACHE_CPUS_SWITCH_BYTES);
	commcache_cpus_destroy(cpus);
}

/* What an exec explains can be forgotten by then. */
static void test_forgotten_difference(void **state)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);
	const struct commcache_moment floor = at(INT64_MIN);

	(void) state;
	/* One side says 2, the other 3: the exec of a sleeper, maybe. */
	(void) commcache_cpus_switch(cpus, 0, at(100), 1, 2);
	(void) commcache_cpus_switch(cpus, 0, at(200), 3, 4);
	commcache_cpus_forget(cpus, 1000);
	for (int64_t time = 1100; time < 1300; time += 100) {
		(void) commcache_cpus_gap(cpus, 0, at(time - 50));
		(void) commcache_cpus_gap(cpus, 0, at(time - 40));
		(void) commcache_cpus_switch(cpus, 0, at(time), 4, 4);
	}
	assert_int_equal(commcache_cpus_exec(cpus, 1, at(1300), floor, 3, 2,
			NULL), CHANGED);
	(void) commcache_cpus_rewind(cpus);
	/* Between the gaps no one knows; another's exec tells nothing of it. */
	assert_int_equal(commcache_cpus_at(cpus, 0, 1055), -1);
	assert_int_equal(commcache_cpus_at(cpus, 0, 1155), -1);
	commcache_cpus_destroy(cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_sides),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_tracked_session),
		cmocka_unit_test(test_one_pass),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_exec_since),
		cmocka_unit_test(test_exec_elsewhere),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_record_far_apart),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_forgotten_difference),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
