/* SPDX-License-Identifier: MIT */

/*
 * Between two names: which moments are marked, and which are not.
 */

#include "history-words.h"

static void assert_other(int64_t number, int64_t time, const char *name)
{
	struct commcache_history_name other = commcache_history_other(
			tid(number), at(time));

	assert_string_equal(other.comm->str, name);
	assert_ptr_equal(other.comm, commcache_history_comm(history,
			other.id));
}

/* Seen as `a`, later as `b`. */
static void test_seen(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	assert_name(7, 15, "a", COMMCACHE_HISTORY_SEEN);
	(void) is(7, 20, "b");
	assert_name(7, 10, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 11, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 19, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 20, "b", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 30, "b", COMMCACHE_HISTORY_SEEN);
	assert_other(7, 15, "b");
	assert_other(7, 20, "b");
	assert_other(8, 20, "<...>");
}

/* What the record itself is asked for is before what comes right after it. */
static void test_order(void **state)
{
	struct commcache_comm a = comm_of("a"), b = comm_of("b");
	struct commcache_history_name name;

	(void) state;
	(void) commcache_history_is(tid(7), commcache_moment(10, 0), &a);
	(void) commcache_history_is(tid(7), commcache_moment(10, 4), &b);
	name = commcache_history_resolve(tid(7), commcache_moment(10, 0));
	assert_int_equal(name.source, COMMCACHE_HISTORY_SEEN);
	name = commcache_history_resolve(tid(7), commcache_moment(10, 2));
	assert_int_equal(name.source, COMMCACHE_HISTORY_BETWEEN);
	name = commcache_history_resolve(tid(7), commcache_moment(10, 4));
	assert_int_equal(name.source, COMMCACHE_HISTORY_SEEN);
}

/* Seen once more, it was still that. */
static void test_seen_again(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) is(7, 14, "a");
	(void) is(7, 18, "a");
	(void) is(7, 20, "b");
	assert_name(7, 18, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 19, "a", COMMCACHE_HISTORY_BETWEEN);
	/* Told late, too. */
	(void) is(8, 10, "a");
	(void) is(8, 20, "b");
	assert_name(8, 15, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_int_equal(is(8, 15, "a"), COMMCACHE_HISTORY_UNCHANGED);
	assert_int_equal(is(8, 12, "a"), COMMCACHE_HISTORY_UNCHANGED);
	assert_name(8, 15, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(8, 16, "a", COMMCACHE_HISTORY_BETWEEN);
	/* That of another name says nothing of it. */
	(void) is(8, 14, "c");
	assert_name(8, 15, "c", COMMCACHE_HISTORY_BETWEEN);
	assert_name(8, 13, "a", COMMCACHE_HISTORY_BETWEEN);
}

/* A rename that tells its moment, and from what. */
static void test_told_rename(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) becomes(7, 20, "a", "b");
	(void) becomes(7, 30, "c", "d");
	assert_name(7, 19, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 20, "b", COMMCACHE_HISTORY_SET);
	/* To `c`, it was not told when. */
	assert_name(7, 21, "b", COMMCACHE_HISTORY_BETWEEN);
	assert_other(7, 21, "c");
	assert_name(7, 30, "d", COMMCACHE_HISTORY_SET);
	/* It tells no old name: the one that is known. */
	(void) becomes(7, 40, NULL, "e");
	assert_name(7, 39, "d", COMMCACHE_HISTORY_SET);
}

/* Told by who has done it, when it was done. */
static void test_told_late(void **state)
{
	struct commcache_comm a = comm_of("a"), b = comm_of("b");

	(void) state;
	(void) is(7, 10, "a");
	(void) commcache_history_became(tid(7), at(20), at(30), &a, &b);
	assert_name(7, 20, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 21, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_other(7, 21, "b");
	assert_name(7, 30, "b", COMMCACHE_HISTORY_SET);
	/* Another has shown it before. */
	(void) is(8, 10, "a");
	(void) is(8, 25, "b");
	assert_int_equal(commcache_history_became(tid(8), at(20), at(30), &a,
			&b), COMMCACHE_HISTORY_UNCHANGED);
	assert_name(8, 20, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(8, 21, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(8, 25, "b", COMMCACHE_HISTORY_SEEN);
	/* Before that it was another. */
	(void) is(9, 10, "c");
	(void) commcache_history_became(tid(9), at(20), at(30), &a, &b);
	assert_name(9, 11, "c", COMMCACHE_HISTORY_BETWEEN);
	assert_other(9, 11, "b");
}

/* A birth and a death part lives: what comes then is no other name. */
static void test_lives(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) born(7, 20, 0, "b");
	assert_name(7, 19, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 25, "b", COMMCACHE_HISTORY_SET);
	(void) dies(7, 30);
	assert_name(7, 35, "b", COMMCACHE_HISTORY_SET);
	/* A life of which no birth is told can have begun since the death. */
	(void) is(7, 40, "c");
	assert_name(7, 29, "b", COMMCACHE_HISTORY_SET);
	assert_name(7, 35, "b", COMMCACHE_HISTORY_BETWEEN);
	assert_other(7, 35, "c");
}

/* Renamed within a call, not told to what. */
static void test_call(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) renamed(7, 20, 30, NULL);
	assert_name(7, 10, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 25, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_other(7, 25, "<...>");
	/* Other calls that are not told may have renamed it before. */
	assert_name(7, 15, "a", COMMCACHE_HISTORY_BETWEEN);
	(void) is(7, 40, "b");
	assert_name(7, 30, "b", COMMCACHE_HISTORY_LATER);
	assert_other(7, 25, "b");
}

/* The same where each rename is told. */
static void test_all_told(void **state)
{
	(void) state;
	(void) is(6, 10, "a");
	commcache_history_all_told(domain, at(15));
	(void) is(7, 15, "a");
	(void) renamed(7, 20, 30, NULL);
	assert_name(7, 20, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 21, "a", COMMCACHE_HISTORY_BETWEEN);
	/* Before that it may have been renamed. */
	(void) renamed(6, 20, 30, NULL);
	assert_name(6, 11, "a", COMMCACHE_HISTORY_BETWEEN);
	/* When the call was entered is not told. */
	(void) is(8, 15, "a");
	(void) renamed(8, 30, 30, NULL);
	assert_name(8, 16, "a", COMMCACHE_HISTORY_BETWEEN);
	/* The new name was shown within the call. */
	(void) is(9, 15, "a");
	(void) is(9, 25, "b");
	(void) renamed(9, 20, 30, NULL);
	assert_name(9, 20, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(9, 21, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(9, 25, "b", COMMCACHE_HISTORY_SEEN);
	/* Two calls at once: within the one that was entered first. */
	(void) is(4, 15, "a");
	(void) renamed(4, 22, 24, NULL);
	(void) renamed(4, 20, 26, NULL);
	assert_name(4, 20, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(4, 21, "a", COMMCACHE_HISTORY_BETWEEN);
	(void) is(3, 15, "a");
	(void) renamed(3, 20, 24, NULL);
	(void) renamed(3, 22, 26, NULL);
	assert_name(3, 20, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(3, 21, "a", COMMCACHE_HISTORY_BETWEEN);
	/* Not any more. */
	commcache_history_all_told(domain, commcache_moment(INT64_MAX,
			UINT32_MAX));
	(void) is(5, 40, "a");
	(void) renamed(5, 50, 60, NULL);
	assert_name(5, 45, "a", COMMCACHE_HISTORY_BETWEEN);
}

/* An exec: from the call's entry to its record. */
static void test_exec(void **state)
{
	(void) state;
	commcache_history_all_told(domain, at(0));
	(void) is(7, 10, "bash");
	(void) renamed(7, 20, 30, "make");
	assert_name(7, 20, "bash", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 21, "bash", COMMCACHE_HISTORY_BETWEEN);
	assert_other(7, 21, "make");
	assert_name(7, 30, "make", COMMCACHE_HISTORY_SET);
	/* Another has renamed it in the midst of the call. */
	(void) is(8, 10, "bash");
	(void) is(8, 25, "mine");
	(void) renamed(8, 20, 30, "make");
	assert_name(8, 25, "mine", COMMCACHE_HISTORY_SEEN);
	assert_name(8, 26, "mine", COMMCACHE_HISTORY_BETWEEN);
	assert_name(8, 30, "make", COMMCACHE_HISTORY_SET);
}

/* A parent that may have had either name has a child that may. */
static void test_inherited(void **state)
{
	(void) state;
	(void) is(5, 10, "a");
	(void) is(5, 20, "b");
	(void) born(7, 15, 5, NULL);
	(void) born(8, 16, 7, NULL);
	assert_name(8, 30, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_other(8, 30, "b");
	/* It was the first: it is still called so. */
	(void) is(8, 40, "a");
	assert_name(8, 30, "a", COMMCACHE_HISTORY_INHERITED);
	/* It was one of them, and then another. */
	(void) is(7, 40, "c");
	assert_name(7, 30, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_other(7, 30, "c");
}

/* Told of the number of an inner namespace, it is as told of the outer one. */
static void test_joined(void **state)
{
	struct commcache_history_domain *inner = commcache_history_domain(
			history, "host", NULL, 4026532210);
	struct commcache_history_thread *thread = commcache_history_thread(
			inner, 1, -1);
	struct commcache_comm a = comm_of("a"), b = comm_of("b");

	(void) state;
	(void) commcache_history_is(thread, at(10), &a);
	(void) commcache_history_is(thread, at(14), &a);
	(void) commcache_history_is(thread, at(20), &b);
	(void) commcache_history_join(thread, tid(7), at(25));
	assert_name(7, 14, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 15, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_other(7, 15, "b");
	assert_int_equal(commcache_history_resolve(thread, at(14)).source,
			COMMCACHE_HISTORY_SEEN);
	assert_int_equal(commcache_history_resolve(thread, at(15)).source,
			COMMCACHE_HISTORY_BETWEEN);
	assert_string_equal(commcache_history_other(thread, at(15)).comm->str,
			"b");
}

/* What is forgotten takes nothing away from what is not. */
static void test_forget(void **state)
{
	(void) state;
	for (int64_t time = 0; time < 100; time += 10) {
		(void) is(7, time, "a");
		(void) is(7, time + 2, "a");
		(void) is(7, time + 5, "b");
	}
	assert_int_equal(commcache_history_forget(domain, at(51)),
			COMMCACHE_HISTORY_CHANGED);
	assert_name(7, 52, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 53, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 92, "a", COMMCACHE_HISTORY_SEEN);
	assert_other(7, 93, "b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_seen),
		TEST(test_order),
		TEST(test_seen_again),
		TEST(test_told_rename),
		TEST(test_told_late),
		TEST(test_lives),
		TEST(test_call),
		TEST(test_all_told),
		TEST(test_exec),
		TEST(test_inherited),
		TEST(test_joined),
		TEST(test_forget),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
