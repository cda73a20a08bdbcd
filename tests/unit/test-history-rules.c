/* SPDX-License-Identifier: MIT */

/*
 * How a name is resolved: the rules of doc/history.md, one test each.
 */

#include "history-words.h"

/* "the newest name known at or before t" */
static void test_newest_name(void **state)
{
	(void) state;
	assert_int_equal(is(7, 10, "a"), COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(is(7, 20, "b"), COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(becomes(7, 30, "b", "c"), COMMCACHE_HISTORY_CHANGED);
	assert_name(7, 10, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 19, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 20, "b", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 29, "b", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 30, "c", COMMCACHE_HISTORY_SET);
	assert_name(7, INT64_MAX, "c", COMMCACHE_HISTORY_SET);
}

/* "if a `renamed` mark lies between that and t, the next `is` after t" */
static void test_renamed_settled_later(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) renamed(7, 20, 20, NULL);
	assert_unknown(7, 25, COMMCACHE_HISTORY_REASON_RENAMED);
	(void) is(7, 30, "b");
	assert_name(7, 10, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 19, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 20, "b", COMMCACHE_HISTORY_LATER);
	assert_name(7, 29, "b", COMMCACHE_HISTORY_LATER);
	assert_name(7, 30, "b", COMMCACHE_HISTORY_SEEN);
}

/* A rename to the same name: the `is` says something new all the same. */
static void test_renamed_to_the_same(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) renamed(7, 20, 20, NULL);
	assert_int_equal(is(7, 30, "a"), COMMCACHE_HISTORY_CHANGED);
	assert_name(7, 25, "a", COMMCACHE_HISTORY_LATER);
}

/* "up to the next mark" */
static void test_renamed_twice(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) renamed(7, 20, 20, NULL);
	(void) renamed(7, 30, 30, NULL);
	(void) is(7, 40, "c");
	assert_unknown(7, 25, COMMCACHE_HISTORY_REASON_RENAMED);
	assert_name(7, 35, "c", COMMCACHE_HISTORY_LATER);
}

/* An exec's filename serves until better is seen. */
static void test_renamed_provisionally(void **state)
{
	(void) state;
	(void) is(7, 10, "bash");
	(void) renamed(7, 20, 20, "make");
	assert_name(7, 25, "make", COMMCACHE_HISTORY_SET);
	(void) is(7, 30, "make-main");
	assert_name(7, 20, "make", COMMCACHE_HISTORY_SET);
	assert_name(7, 25, "make", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 30, "make-main", COMMCACHE_HISTORY_SEEN);
	/* It says nothing of the time before it. */
	(void) renamed(8, 20, 20, "make");
	assert_unknown(8, 15, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

/* The exit of prctl, then the process's own event: one rename, told twice. */
static void test_renamed_then_becomes(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) renamed(7, 20, 20, NULL);
	(void) becomes(7, 21, "a", "b");
	assert_name(7, 19, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 20, "b", COMMCACHE_HISTORY_LATER);
	assert_name(7, 21, "b", COMMCACHE_HISTORY_SET);
	/* From another name: there were two. */
	(void) is(8, 10, "a");
	(void) renamed(8, 20, 20, NULL);
	(void) becomes(8, 30, "x", "b");
	assert_name(8, 25, "x", COMMCACHE_HISTORY_LATER);
	/* Which of the two it is cannot be told. */
	(void) renamed(9, 20, 20, NULL);
	(void) becomes(9, 30, "x", "b");
	assert_unknown(9, 25, COMMCACHE_HISTORY_REASON_RENAMED);
	assert_unknown(9, 15, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

/* "if nothing is known before t, the first known after t" */
static void test_known_later(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) is(7, 20, "b");
	assert_name(7, 9, "a", COMMCACHE_HISTORY_LATER);
	assert_name(7, INT64_MIN, "a", COMMCACHE_HISTORY_LATER);
}

/* "(unless that was a `becomes`: then its old name)" */
static void test_becomes_tells_its_old_name(void **state)
{
	(void) state;
	(void) becomes(7, 10, "old", "new");
	assert_name(7, 9, "old", COMMCACHE_HISTORY_LATER);
	assert_name(7, 10, "new", COMMCACHE_HISTORY_SET);
	(void) becomes(8, 10, NULL, "new");
	assert_unknown(8, 9, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

/* What is seen after a rename says nothing of the time before it. */
static void test_not_later_than_a_rename(void **state)
{
	(void) state;
	(void) renamed(7, 10, 10, NULL);
	(void) is(7, 20, "b");
	assert_unknown(7, 5, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
	assert_name(7, 15, "b", COMMCACHE_HISTORY_LATER);
}

/* "else unknown" */
static void test_unknown(void **state)
{
	(void) state;
	assert_unknown(7, 10, COMMCACHE_HISTORY_REASON_NO_THREAD);
	(void) dies(7, 10);
	assert_unknown(7, 5, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
	assert_unknown(7, 15, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
	(void) born(8, 10, 0, "a");
	assert_unknown(8, 5, COMMCACHE_HISTORY_REASON_NO_LIFE);
	(void) born(9, 10, 99, NULL);
	assert_unknown(9, 15, COMMCACHE_HISTORY_REASON_PARENT);
	assert_int_equal(commcache_history_resolve(NULL, at(0)).reason,
			COMMCACHE_HISTORY_REASON_NO_THREAD);
}

/* "Never look across a birth" */
static void test_not_across_a_birth(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) born(7, 20, 0, NULL);
	assert_name(7, 19, "a", COMMCACHE_HISTORY_SEEN);
	assert_unknown(7, 20, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
	(void) is(7, 30, "b");
	assert_name(7, 20, "b", COMMCACHE_HISTORY_LATER);
	(void) renamed(8, 10, 10, NULL);
	(void) born(8, 20, 0, "b");
	assert_unknown(8, 15, COMMCACHE_HISTORY_REASON_RENAMED);
	assert_unknown(8, 5, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

/* "nor forward across a death" */
static void test_not_forward_across_a_death(void **state)
{
	(void) state;
	(void) dies(7, 10);
	(void) is(7, 20, "b");
	assert_unknown(7, 5, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
	assert_name(7, 20, "b", COMMCACHE_HISTORY_SEEN);
	(void) is(8, 5, "a");
	(void) renamed(8, 10, 10, NULL);
	(void) dies(8, 20);
	(void) is(8, 30, "b");
	assert_unknown(8, 15, COMMCACHE_HISTORY_REASON_RENAMED);
}

/* "until the number is born again ... it keeps its last name" */
static void test_runs_on_after_its_death(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) dies(7, 20);
	assert_name(7, 25, "a", COMMCACHE_HISTORY_SEEN);
	assert_int_equal(is(7, 30, "a"), COMMCACHE_HISTORY_UNCHANGED);
	(void) born(7, 40, 0, NULL);
	assert_name(7, 39, "a", COMMCACHE_HISTORY_SEEN);
	assert_unknown(7, 40, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

/* "or evidence gives it another name (which is then another incarnation)" */
static void test_another_name_after_a_death(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) dies(7, 20);
	(void) is(7, 30, "b");
	assert_name(7, 29, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 30, "b", COMMCACHE_HISTORY_SEEN);
	/* It is a life of its own: it can die. */
	assert_int_equal(dies(7, 40), COMMCACHE_HISTORY_CHANGED);
	(void) is(7, 50, "c");
	assert_name(7, 45, "b", COMMCACHE_HISTORY_BETWEEN);
	/* A rename is another name, whatever it is. */
	(void) is(8, 10, "a");
	(void) dies(8, 20);
	(void) renamed(8, 30, 30, NULL);
	(void) is(8, 40, "b");
	assert_name(8, 29, "a", COMMCACHE_HISTORY_BETWEEN);
	assert_name(8, 35, "b", COMMCACHE_HISTORY_LATER);
}

static void test_born_with_a_name(void **state)
{
	(void) state;
	(void) is(5, 1, "parent");
	(void) born(7, 10, 5, "told");
	assert_name(7, 10, "told", COMMCACHE_HISTORY_SET);
}

/* "called comm if told, else as its parent was" */
static void test_born_as_its_parent_was(void **state)
{
	(void) state;
	(void) is(5, 1, "before");
	(void) becomes(5, 20, "before", "after");
	(void) born(7, 10, 5, NULL);
	(void) born(8, 15, 7, NULL);
	assert_name(7, 30, "before", COMMCACHE_HISTORY_INHERITED);
	assert_name(8, 30, "before", COMMCACHE_HISTORY_INHERITED);
	(void) is(7, 40, "own");
	assert_name(7, 10, "before", COMMCACHE_HISTORY_INHERITED);
	assert_name(7, 39, "before", COMMCACHE_HISTORY_BETWEEN);
	assert_name(7, 40, "own", COMMCACHE_HISTORY_SEEN);
}

/* The parent's name may be told only later. */
static void test_parent_known_later(void **state)
{
	(void) state;
	(void) born(7, 10, 5, NULL);
	assert_unknown(7, 10, COMMCACHE_HISTORY_REASON_PARENT);
	(void) is(5, 30, "parent");
	assert_name(7, 10, "parent", COMMCACHE_HISTORY_INHERITED);
	/* And where the parent's is not, the own one later. */
	(void) born(8, 10, 6, NULL);
	(void) is(8, 20, "own");
	assert_name(8, 10, "own", COMMCACHE_HISTORY_LATER);
}

/* Through 64 births, which is more than any tree of processes has. */
static void test_generations(void **state)
{
	(void) state;
	(void) is(1000, 1, "init");
	for (int64_t i = 1; i <= 65; i++)
		(void) born(1000 + i, 10 + i, 1000 + i - 1, NULL);
	assert_name(1064, 200, "init", COMMCACHE_HISTORY_INHERITED);
	assert_unknown(1065, 200, COMMCACHE_HISTORY_REASON_PARENT);
}

/* Corrupt records can make circles. */
static void test_circle_of_parents(void **state)
{
	(void) state;
	(void) born(7, 10, 8, NULL);
	(void) born(8, 10, 7, NULL);
	(void) born(9, 10, 9, NULL);
	assert_unknown(7, 20, COMMCACHE_HISTORY_REASON_PARENT);
	assert_unknown(9, 20, COMMCACHE_HISTORY_REASON_PARENT);
}

/* "births without deaths", and a number used 8 times. */
static void test_number_used_again(void **state)
{
	(void) state;
	for (int life = 0; life < 8; life++) {
		char name[32];

		(void) snprintf(name, sizeof(name), "life-%d", life);
		(void) born(7, 100 * life, 0, NULL);
		(void) is(7, 100 * life + 50, name);
		if (life % 2)
			(void) dies(7, 100 * life + 90);
	}
	for (int life = 0; life < 8; life++) {
		char name[32];

		(void) snprintf(name, sizeof(name), "life-%d", life);
		assert_name(7, 100 * life, name, COMMCACHE_HISTORY_LATER);
		assert_name(7, 100 * life + 99, name, COMMCACHE_HISTORY_SEEN);
	}
}

/* "counts only where nothing better is known of that thread" */
static void test_stale_procname(void **state)
{
	(void) state;
	(void) procname(7, 10, "stale");
	assert_name(7, 5, "stale", COMMCACHE_HISTORY_LATER);
	assert_name(7, 15, "stale", COMMCACHE_HISTORY_SEEN);
	assert_int_equal(name_at(7, 15).weak, 1);
	(void) is(7, 20, "right");
	assert_name(7, 15, "right", COMMCACHE_HISTORY_LATER);
	assert_int_equal(name_at(7, 15).weak, 0);
	assert_int_equal(procname(7, 30, "stale"),
			COMMCACHE_HISTORY_UNCHANGED);
	/* Not beyond a rename, and not in another life. */
	(void) procname(8, 10, "stale");
	(void) renamed(8, 20, 20, NULL);
	assert_name(8, 15, "stale", COMMCACHE_HISTORY_SEEN);
	assert_unknown(8, 20, COMMCACHE_HISTORY_REASON_RENAMED);
	(void) procname(9, 10, "stale");
	(void) born(9, 20, 0, NULL);
	assert_unknown(9, 20, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

/* Another program: its name that may be stale, until other evidence tells. */
static void test_program(void **state)
{
	struct commcache_comm comm = comm_of("program");

	(void) state;
	(void) is(7, 10, "told");
	assert_int_equal(commcache_history_program(tid(7), at(20), &comm),
			COMMCACHE_HISTORY_CHANGED);
	assert_name(7, 19, "told", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 20, "program", COMMCACHE_HISTORY_SEEN);
	assert_int_equal(name_at(7, 20).weak, 1);
	(void) procname(7, 30, "other");
	assert_name(7, 25, "program", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 30, "other", COMMCACHE_HISTORY_SEEN);
	(void) is(7, 40, "next");
	assert_name(7, 39, "other", COMMCACHE_HISTORY_SEEN);
	assert_int_equal(name_at(7, 40).weak, 0);
	assert_int_equal(commcache_history_program(NULL, at(0), &comm),
			COMMCACHE_HISTORY_INVALID);
}

/* A parent's name that may be stale is less than an own one. */
static void test_stale_parent(void **state)
{
	(void) state;
	(void) procname(5, 1, "stale");
	(void) born(7, 10, 5, NULL);
	assert_name(7, 15, "stale", COMMCACHE_HISTORY_INHERITED);
	assert_int_equal(name_at(7, 15).weak, 1);
	(void) is(7, 20, "own");
	assert_name(7, 15, "own", COMMCACHE_HISTORY_LATER);
}

static void test_name_from_a_file(void **state)
{
	struct commcache_comm comm = comm_of("listed");

	(void) state;
	(void) commcache_history_file(tid(7), &comm);
	assert_name(7, 10, "listed", COMMCACHE_HISTORY_FILE);
	(void) procname(7, 20, "stale");
	assert_name(7, 10, "stale", COMMCACHE_HISTORY_LATER);
	(void) is(7, 30, "seen");
	assert_name(7, 10, "seen", COMMCACHE_HISTORY_LATER);
	/* Not for another life. */
	(void) commcache_history_file(tid(8), &comm);
	(void) born(8, 10, 0, NULL);
	assert_name(8, 5, "listed", COMMCACHE_HISTORY_FILE);
	assert_unknown(8, 10, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
	/* Children have it too, until better is told. */
	(void) commcache_history_file(tid(9), &comm);
	(void) born(10, 10, 9, NULL);
	assert_name(10, 15, "listed", COMMCACHE_HISTORY_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_newest_name),
		TEST(test_renamed_settled_later),
		TEST(test_renamed_to_the_same),
		TEST(test_renamed_twice),
		TEST(test_renamed_provisionally),
		TEST(test_renamed_then_becomes),
		TEST(test_known_later),
		TEST(test_becomes_tells_its_old_name),
		TEST(test_not_later_than_a_rename),
		TEST(test_unknown),
		TEST(test_not_across_a_birth),
		TEST(test_not_forward_across_a_death),
		TEST(test_runs_on_after_its_death),
		TEST(test_another_name_after_a_death),
		TEST(test_born_with_a_name),
		TEST(test_born_as_its_parent_was),
		TEST(test_parent_known_later),
		TEST(test_generations),
		TEST(test_circle_of_parents),
		TEST(test_number_used_again),
		TEST(test_stale_procname),
		TEST(test_program),
		TEST(test_stale_parent),
		TEST(test_name_from_a_file),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
