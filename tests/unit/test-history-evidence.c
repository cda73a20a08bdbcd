/* SPDX-License-Identifier: MIT */

/*
 * How evidence is taken: what says something new, where it belongs in time, and
 * whose it is.
 */

#include "history-words.h"

/* A rename seen before its end is told is not told again by that. */
static void test_renamed_since(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) is(7, 22, "b");
	assert_int_equal(renamed(7, 20, 24, NULL),
			COMMCACHE_HISTORY_UNCHANGED);
	assert_name(7, 25, "b", COMMCACHE_HISTORY_SEEN);
	/* The same sighting before its beginning: another rename. */
	assert_int_equal(renamed(7, 22, 24, NULL), COMMCACHE_HISTORY_CHANGED);
	assert_unknown(7, 25, COMMCACHE_HISTORY_REASON_RENAMED);
	/* task_rename, then the exit of its prctl. */
	(void) is(8, 10, "a");
	(void) becomes(8, 22, "a", "b");
	assert_int_equal(renamed(8, 20, 24, NULL),
			COMMCACHE_HISTORY_UNCHANGED);
	/* The first name seen is no change. */
	(void) is(9, 22, "b");
	assert_int_equal(renamed(9, 20, 24, NULL), COMMCACHE_HISTORY_CHANGED);
}

static void test_dies_twice(void **state)
{
	struct commcache_comm other = comm_of("other");

	(void) state;
	(void) is(7, 10, "a");
	assert_int_equal(dies(7, 20), COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(dies(7, 30), COMMCACHE_HISTORY_UNCHANGED);
	assert_int_equal(commcache_history_dies(tid(7), at(40), &other),
			COMMCACHE_HISTORY_UNCHANGED);
	assert_name(7, 50, "a", COMMCACHE_HISTORY_SEEN);
}

/* A death can be the first to tell a name. */
static void test_death_tells_the_name(void **state)
{
	struct commcache_comm comm = comm_of("b");

	(void) state;
	(void) is(7, 10, "a");
	(void) commcache_history_dies(tid(7), at(20), &comm);
	assert_name(7, 19, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 20, "b", COMMCACHE_HISTORY_SEEN);
	(void) commcache_history_dies(tid(8), at(20), &comm);
	assert_name(8, 10, "b", COMMCACHE_HISTORY_LATER);
}

/* sched_process_free can come when the number is in use again. */
static void test_late_death_of_the_life_before(void **state)
{
	struct commcache_comm sleep = comm_of("sleep");

	(void) state;
	(void) born(7, 10, 0, "bash");
	(void) is(7, 11, "sleep");
	(void) born(7, 20, 0, "bash");
	assert_int_equal(commcache_history_dies(tid(7), at(21), &sleep),
			COMMCACHE_HISTORY_UNCHANGED);
	(void) is(7, 22, "ls");
	assert_name(7, 21, "bash", COMMCACHE_HISTORY_BETWEEN);
	/* Its own death has the name that it has. */
	sleep = comm_of("ls");
	assert_int_equal(commcache_history_dies(tid(7), at(30), &sleep),
			COMMCACHE_HISTORY_CHANGED);
	/* And so has one that comes long after the birth. */
	sleep = comm_of("sleep");
	(void) is(8, 1, "sleep");
	(void) born(8, 10, 0, "bash");
	for (int i = 0; i < 9; i++)
		(void) is(8, 20 + i, i % 2 ? "a" : "b");
	assert_int_equal(commcache_history_dies(tid(8), at(30), &sleep),
			COMMCACHE_HISTORY_CHANGED);
}

/* One birth told by the kernel and by the thread itself is one life. */
static void test_one_birth_told_by_two(void **state)
{
	struct commcache_comm comm = comm_of("worker");
	struct commcache_comm app = comm_of("app");

	(void) state;
	(void) is(5, 1, "app");
	(void) born(7, 10, 5, "app");
	(void) commcache_history_born(tid(7), at(12),
			COMMCACHE_HISTORY_TELLER_SELF, tid(5), &comm);
	assert_name(7, 11, "app", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 12, "worker", COMMCACHE_HISTORY_SEEN);
	/* The second one came first. */
	(void) commcache_history_born(tid(8), at(12),
			COMMCACHE_HISTORY_TELLER_SELF, NULL, &comm);
	(void) commcache_history_born(tid(8), at(10),
			COMMCACHE_HISTORY_TELLER_NEWTASK, NULL, &app);
	assert_name(8, 11, "app", COMMCACHE_HISTORY_BETWEEN);
	assert_name(8, 12, "worker", COMMCACHE_HISTORY_SEEN);
	/* Only the second tells the parent. */
	(void) commcache_history_born(tid(9), at(10),
			COMMCACHE_HISTORY_TELLER_NEWTASK, NULL, NULL);
	(void) born(9, 11, 5, NULL);
	assert_name(9, 10, "app", COMMCACHE_HISTORY_INHERITED);
	/* The same teller once more: another life. */
	(void) born(7, 20, 0, NULL);
	assert_unknown(7, 20, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

/* sched_process_exec by a thread that is not the leader. */
static void test_takes_over(void **state)
{
	(void) state;
	(void) is(7, 1, "leader");
	(void) is(8, 1, "other");
	assert_int_equal(commcache_history_takes_over(tid(7), tid(8), at(10)),
			COMMCACHE_HISTORY_CHANGED);
	/* The exec began before, and its rename is still to come. */
	assert_int_equal(renamed(7, 5, 20, "program"),
			COMMCACHE_HISTORY_CHANGED);
	assert_name(7, 9, "leader", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 15, "other", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 20, "program", COMMCACHE_HISTORY_SET);
	/* The number that was given up is free. */
	(void) is(8, 30, "new");
	assert_name(8, 29, "other", COMMCACHE_HISTORY_BETWEEN);
	assert_int_equal(commcache_history_takes_over(tid(9), tid(8), at(40)),
			COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(commcache_history_takes_over(tid(9), tid(8), at(41)),
			COMMCACHE_HISTORY_UNCHANGED);
}

/* "tid 0 is `swapper/N` of its CPU" */
static void test_idle(void **state)
{
	struct commcache_history_thread *idle = commcache_history_thread(
			domain, 0, 3);
	struct commcache_comm comm = comm_of("swapper");
	struct commcache_history_name name;

	(void) state;
	assert_non_null(idle);
	name = commcache_history_resolve(idle, at(0));
	assert_string_equal(name.comm->str, "swapper/3");
	assert_int_equal(name.source, COMMCACHE_HISTORY_SET);
	assert_ptr_not_equal(idle, commcache_history_thread(domain, 0, 4));
	assert_null(commcache_history_thread(domain, 0, -1));
	assert_null(commcache_history_thread(domain, 0,
			COMMCACHE_HISTORY_CPU_MAX + 1));
	/* Kernels with one CPU. */
	(void) commcache_history_is(idle, at(10), &comm);
	name = commcache_history_resolve(idle, at(10));
	assert_string_equal(name.comm->str, "swapper");
}

/* The kernel's task_rename itself still has the old name. */
static void test_after_a_record(void **state)
{
	struct commcache_comm old = comm_of("old"), comm = comm_of("new");

	(void) state;
	(void) commcache_history_becomes(tid(7), commcache_moment_after(
			at(10)), &old, &comm);
	assert_name(7, 10, "old", COMMCACHE_HISTORY_LATER);
	assert_name(7, 11, "new", COMMCACHE_HISTORY_SET);
	assert_string_equal(commcache_history_resolve(tid(7),
			commcache_moment(10, 2)).comm->str, "new");
}

/* Ties in time are told apart by order, and by order of adding. */
static void test_ties(void **state)
{
	struct commcache_comm a = comm_of("a"), b = comm_of("b");
	struct commcache_comm c = comm_of("c");

	(void) state;
	(void) commcache_history_is(tid(7), commcache_moment(10, 4), &c);
	(void) commcache_history_is(tid(7), commcache_moment(10, 0), &a);
	(void) commcache_history_is(tid(7), commcache_moment(10, 2), &b);
	for (uint32_t order = 0; order < 6; order++) {
		const char *const names[] = { "a", "b", "c" };

		assert_string_equal(commcache_history_resolve(tid(7),
				commcache_moment(10, order)).comm->str,
				names[order / 2]);
	}
	(void) is(8, 10, "a");
	(void) is(8, 10, "b");
	assert_name(8, 10, "b", COMMCACHE_HISTORY_SEEN);
	/* Orders beyond the limit count as the limit. */
	(void) commcache_history_is(tid(9), commcache_moment(10, 1U << 24), &a);
	(void) commcache_history_is(tid(9), commcache_moment(10, UINT32_MAX),
			&b);
	assert_string_equal(commcache_history_resolve(tid(9),
			commcache_moment(10, 1U << 24)).comm->str, "b");
}

static void test_extreme_times(void **state)
{
	(void) state;
	(void) is(7, INT64_MIN, "first");
	(void) is(7, INT64_MAX, "last");
	assert_name(7, INT64_MIN, "first", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 0, "first", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, INT64_MAX, "last", COMMCACHE_HISTORY_SEEN);
}

/* Names are 16 bytes: odd ones are names, the empty one too. */
static void test_odd_names(void **state)
{
	(void) state;
	(void) is(7, 10, "");
	assert_name(7, 10, "", COMMCACHE_HISTORY_SEEN);
	(void) is(7, 20, "\x80\xff ");
	assert_name(7, 20, "\x80\xff ", COMMCACHE_HISTORY_SEEN);
	/* A thread that is called as the unknown ones are is known. */
	(void) is(7, 30, "<...>");
	assert_name(7, 30, "<...>", COMMCACHE_HISTORY_SEEN);
}

/* Touch only when it changed. */
static void test_unchanged(void **state)
{
	struct commcache_history_stats before, after;

	(void) state;
	(void) is(7, 10, "a");
	commcache_history_get_stats(history, &before);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(is(7, 11 + i, "a"),
				COMMCACHE_HISTORY_UNCHANGED);
	assert_int_equal(becomes(7, 2000, "z", "a"),
			COMMCACHE_HISTORY_UNCHANGED);
	(void) renamed(8, 10, 10, NULL);
	commcache_history_get_stats(history, &before);
	assert_int_equal(procname(8, 11, "stale"), COMMCACHE_HISTORY_UNCHANGED);
	commcache_history_get_stats(history, &after);
	assert_memory_equal(&before, &after, sizeof(before));
}

/* Late evidence takes its place, and the newest sighting is not lost. */
static void test_late(void **state)
{
	struct commcache_history_stats stats;

	(void) state;
	(void) is(7, 10, "a");
	(void) is(7, 30, "a");
	(void) is(7, 20, "b");
	assert_name(7, 19, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 29, "b", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 30, "a", COMMCACHE_HISTORY_SEEN);
	commcache_history_get_stats(history, &stats);
	assert_int_equal(stats.late, 1);
	/* A late birth parts what was seen before from what was seen after. */
	(void) is(8, 10, "a");
	(void) is(8, 30, "a");
	(void) born(8, 20, 0, NULL);
	assert_name(8, 25, "a", COMMCACHE_HISTORY_LATER);
	/* Names that stop being new go. */
	(void) is(9, 20, "b");
	assert_int_equal(is(9, 10, "b"), COMMCACHE_HISTORY_CHANGED);
	assert_name(9, 15, "b", COMMCACHE_HISTORY_SEEN);
	/* They were sightings all the same. */
	(void) is(9, 15, "c");
	assert_name(9, 20, "b", COMMCACHE_HISTORY_SEEN);
	/* A late rename knows the name it was from. */
	(void) is(10, 10, "a");
	(void) becomes(10, 20, "a", "b");
	(void) renamed(10, 15, 15, NULL);
	assert_name(10, 17, "b", COMMCACHE_HISTORY_LATER);
	(void) is(10, 12, "c");
	assert_name(10, 17, "a", COMMCACHE_HISTORY_LATER);
}

/* What a rename was from is of no use where that is known. */
static void test_late_and_known(void **state)
{
	struct commcache_history_stats stats;

	(void) state;
	(void) becomes(7, 20, "a", "b");
	commcache_history_get_stats(history, &stats);
	assert_int_equal(stats.changes, 2);
	(void) is(7, 10, "a");
	commcache_history_get_stats(history, &stats);
	assert_int_equal(stats.changes, 2);
	assert_name(7, 15, "a", COMMCACHE_HISTORY_SEEN);
	(void) is(7, 15, "b");
	commcache_history_get_stats(history, &stats);
	assert_int_equal(stats.changes, 2);
	assert_name(7, 15, "b", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 20, "b", COMMCACHE_HISTORY_SEEN);
	/* Nor is the whole rename, where its new name is known. */
	(void) becomes(8, 20, "a", "b");
	(void) is(8, 15, "b");
	commcache_history_get_stats(history, &stats);
	assert_int_equal(stats.changes, 3);
	assert_name(8, 20, "b", COMMCACHE_HISTORY_SEEN);
}

/* A birth told late takes the later one in, and what was seen after that. */
static void test_late_birth(void **state)
{
	struct commcache_comm comm = comm_of("worker");

	(void) state;
	(void) commcache_history_born(tid(7), at(12),
			COMMCACHE_HISTORY_TELLER_SELF, NULL, &comm);
	(void) is(7, 30, "worker");
	(void) born(7, 10, 0, NULL);
	(void) is(7, 20, "x");
	assert_name(7, 15, "worker", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 25, "x", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 30, "worker", COMMCACHE_HISTORY_SEEN);
}

/* A death told late: what was told after it is not of that life. */
static void test_late_death(void **state)
{
	(void) state;
	(void) procname(7, 7, "stale");
	(void) dies(7, 5);
	assert_unknown(7, 8, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
	assert_unknown(7, 4, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
	(void) is(8, 3, "a");
	(void) is(8, 7, "b");
	(void) renamed(8, 9, 9, NULL);
	(void) dies(8, 5);
	/* It is another life's, and that one can be born late too. */
	assert_name(8, 6, "a", COMMCACHE_HISTORY_BETWEEN);
	(void) born(8, 6, 0, NULL);
	assert_name(8, 6, "b", COMMCACHE_HISTORY_LATER);
}

struct spans {
	struct commcache_history_span spans[32];
	unsigned int count;
	unsigned int most;
};

static bool keep_span(const struct commcache_history_span *span, void *data)
{
	struct spans *spans = data;

	spans->spans[spans->count++] = *span;
	return spans->count < spans->most;
}

/* All names with their time: what resolving tells at each moment. */
static void test_spans(void **state)
{
	static const struct {
		int64_t tid;
		uint32_t life;
		bool has_begin;
		int64_t begin;
		const char *name;
		enum commcache_history_source source;
	} expected[] = {
		{ 7, 0, false, 0, "a", COMMCACHE_HISTORY_LATER },
		{ 7, 0, true, 10, "a", COMMCACHE_HISTORY_SEEN },
		{ 7, 0, true, 20, "b", COMMCACHE_HISTORY_SET },
		{ 7, 1, true, 40, "b", COMMCACHE_HISTORY_SET },
		{ 7, 1, true, 40, "b", COMMCACHE_HISTORY_BETWEEN },
		{ 7, 1, true, 50, "<...>", COMMCACHE_HISTORY_UNKNOWN },
		{ 8, 0, false, 0, "<...>", COMMCACHE_HISTORY_UNKNOWN },
		{ 8, 0, true, 15, "a", COMMCACHE_HISTORY_INHERITED },
	};
	enum { COUNT = sizeof(expected) / sizeof(*expected) };
	struct spans spans = { .most = 32 };

	(void) state;
	(void) is(7, 10, "a");
	(void) becomes(7, 20, "a", "b");
	(void) dies(7, 30);
	(void) born(7, 40, 0, "b");
	(void) renamed(7, 50, 50, NULL);
	(void) born(8, 15, 7, NULL);
	(void) tid(9);
	commcache_history_for_each(history, keep_span, &spans);
	assert_int_equal(spans.count, COUNT);
	for (unsigned int i = 0; i < COUNT; i++) {
		const struct commcache_history_span *span = &spans.spans[i];

		assert_int_equal(span->tid, expected[i].tid);
		assert_int_equal(span->root_tid, expected[i].tid);
		assert_int_equal(span->life, expected[i].life);
		assert_int_equal(span->has_begin, expected[i].has_begin);
		if (span->has_begin)
			assert_int_equal(span->begin.time, expected[i].begin);
		assert_string_equal(span->name.comm->str, expected[i].name);
		assert_int_equal(span->name.source, expected[i].source);
		assert_string_equal(span->host, "host");
		assert_null(span->boot);
		assert_int_equal(span->ns_inum, COMMCACHE_HISTORY_NS_ROOT);
		assert_int_equal(span->cpu, -1);
		assert_ptr_equal(span->thread, tid(span->tid));
	}
	/* Those of one thread. */
	spans = (struct spans) { .most = 32 };
	commcache_history_for_each_of(tid(8), keep_span, &spans);
	assert_int_equal(spans.count, 2);
	assert_int_equal(spans.spans[1].tid, 8);
	spans = (struct spans) { .most = 32 };
	commcache_history_for_each_of(commcache_history_thread(
			commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_UNKNOWN), 7, -1), keep_span,
			&spans);
	assert_int_equal(spans.count, 6);
	assert_ptr_equal(spans.spans[0].thread, tid(7));
	commcache_history_for_each_of(NULL, keep_span, &spans);
	assert_int_equal(spans.count, 6);
	/* Ended by the visitor. */
	spans = (struct spans) { .most = 3 };
	commcache_history_for_each(history, keep_span, &spans);
	assert_int_equal(spans.count, 3);
}

/* Of idle threads and joined numbers, spans tell what they are. */
static void test_spans_tell_whose(void **state)
{
	struct commcache_history_domain *inner = commcache_history_domain(
			history, "host", NULL, 4026532210);
	struct spans spans = { .most = 32 };

	(void) state;
	assert_non_null(commcache_history_thread(domain, 0, 3));
	(void) is(500, 10, "a");
	(void) commcache_history_join(commcache_history_thread(inner, 5, -1),
			tid(500), at(10));
	commcache_history_for_each(history, keep_span, &spans);
	assert_int_equal(spans.count, 5);
	assert_int_equal(spans.spans[0].tid, 0);
	assert_int_equal(spans.spans[0].cpu, 3);
	assert_string_equal(spans.spans[0].name.comm->str, "swapper/3");
	assert_int_equal(spans.spans[4].tid, 5);
	assert_int_equal(spans.spans[4].ns_inum, 4026532210);
	assert_int_equal(spans.spans[4].root_tid, 500);
	assert_string_equal(spans.spans[4].name.comm->str, "a");
}

/* "Hosts: traces of several hosts or boots never mix names" */
static void test_domains(void **state)
{
	static const uint8_t boot[16] = { 1 };
	struct commcache_history_domain *domains[] = {
		domain,
		commcache_history_domain(history, "other", NULL,
				COMMCACHE_HISTORY_NS_ROOT),
		commcache_history_domain(history, "host", boot,
				COMMCACHE_HISTORY_NS_ROOT),
		commcache_history_domain(history, "host", NULL, 4026532210),
		commcache_history_domain(history, NULL, NULL,
				COMMCACHE_HISTORY_NS_ROOT),
	};
	enum { COUNT = sizeof(domains) / sizeof(*domains) };

	(void) state;
	for (int i = 0; i < COUNT; i++) {
		struct commcache_comm comm = { .str = { 'a', (char) i } };

		(void) commcache_history_is(commcache_history_thread(
				domains[i], 7, -1), at(10), &comm);
	}
	for (int i = 0; i < COUNT; i++) {
		struct commcache_history_name name = commcache_history_resolve(
				commcache_history_find_thread(domains[i], 7,
				-1), at(10));

		assert_int_equal(name.comm->str[1], i);
	}
	assert_ptr_equal(domain, commcache_history_domain(history, "host",
			NULL, COMMCACHE_HISTORY_NS_ROOT));
	assert_ptr_equal(domains[2], commcache_history_domain(history, "host",
			boot, COMMCACHE_HISTORY_NS_ROOT));
	assert_ptr_equal(domains[4], commcache_history_domain(history, "",
			NULL, COMMCACHE_HISTORY_NS_ROOT));
}

/* An id is an integer from 0 to 4194304. */
static void test_numbers(void **state)
{
	static const int64_t none[] = { -1, INT64_MIN, 4194305, 4294967295,
			INT64_MAX };

	(void) state;
	for (unsigned int i = 0; i < sizeof(none) / sizeof(*none); i++) {
		assert_null(commcache_history_thread(domain, none[i], 0));
		assert_null(commcache_history_find_thread(domain, none[i], 0));
	}
	assert_non_null(tid(4194304));
	assert_null(commcache_history_find_thread(domain, 12345, -1));
	for (int64_t number = 1; number < 5000; number++)
		assert_non_null(tid(number));
	for (int64_t number = 1; number < 5000; number++)
		assert_ptr_equal(commcache_history_find_thread(domain, number,
				-1), tid(number));
}

static void test_invalid(void **state)
{
	struct commcache_comm comm = comm_of("a");

	(void) state;
	assert_int_equal(commcache_history_is(NULL, at(0), &comm),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_is(tid(7), at(0), NULL),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_procname(NULL, at(0), &comm),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_becomes(NULL, at(0), NULL, &comm),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_renamed(NULL, at(0), at(0), NULL),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_born(NULL, at(0),
			COMMCACHE_HISTORY_TELLER_FORK, NULL, NULL),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_dies(NULL, at(0), NULL),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_takes_over(tid(7), NULL, at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_file(NULL, &comm),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_join(NULL, tid(7), at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_unknown(7, 0, COMMCACHE_HISTORY_REASON_NO_THREAD);
	commcache_history_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_renamed_since),
		TEST(test_dies_twice),
		TEST(test_death_tells_the_name),
		TEST(test_late_death_of_the_life_before),
		TEST(test_one_birth_told_by_two),
		TEST(test_takes_over),
		TEST(test_idle),
		TEST(test_after_a_record),
		TEST(test_ties),
		TEST(test_extreme_times),
		TEST(test_odd_names),
		TEST(test_unchanged),
		TEST(test_late),
		TEST(test_late_and_known),
		TEST(test_late_birth),
		TEST(test_late_death),
		TEST(test_spans),
		TEST(test_spans_tell_whose),
		TEST(test_domains),
		TEST(test_numbers),
		TEST(test_invalid),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
