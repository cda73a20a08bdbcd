/* SPDX-License-Identifier: MIT */

/*
 * PID namespaces: numbers of inner namespaces, joined with those of the root.
 */

#include "history-test.h"

static struct commcache_history *history;
static struct commcache_history_domain *root, *inner, *other_inner, *unknown;

static int set_up(void **state)
{
	(void) state;
	history = commcache_history_create();
	root = commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
	inner = commcache_history_domain(history, "host", NULL, 4026532210);
	other_inner = commcache_history_domain(history, "host", NULL,
			4026532212);
	unknown = commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_UNKNOWN);
	return root && inner && other_inner && unknown ? 0 : -1;
}

static int tear_down(void **state)
{
	(void) state;
	commcache_history_destroy(history);
	return 0;
}

static struct commcache_history_thread *number(
		struct commcache_history_domain *domain, int64_t tid)
{
	return commcache_history_thread(domain, tid, -1);
}

static void is(struct commcache_history_domain *domain, int64_t tid,
		int64_t time, const char *name)
{
	struct commcache_comm comm = comm_of(name);

	assert_true(commcache_history_is(number(domain, tid), at(time),
			&comm) >= 0);
}

static void born(struct commcache_history_domain *domain, int64_t tid,
		int64_t time, enum commcache_history_teller teller)
{
	assert_true(commcache_history_born(number(domain, tid), at(time),
			teller, NULL, NULL) >= 0);
}

static void dies(struct commcache_history_domain *domain, int64_t tid,
		int64_t time)
{
	assert_true(commcache_history_dies(number(domain, tid), at(time),
			NULL) >= 0);
}

static enum commcache_history_status join(
		struct commcache_history_domain *domain, int64_t vtid,
		int64_t tid, int64_t time)
{
	return commcache_history_join(number(domain, vtid), number(root, tid),
			at(time));
}

static void assert_name(struct commcache_history_domain *domain, int64_t tid,
		int64_t time, const char *name)
{
	assert_string_equal(commcache_history_resolve(number(domain, tid),
			at(time)).comm->str, name);
}

static void assert_unknown(struct commcache_history_domain *domain, int64_t tid,
		int64_t time, enum commcache_history_reason reason)
{
	struct commcache_history_name name = commcache_history_resolve(
			number(domain, tid), at(time));

	assert_int_equal(name.id, 0);
	assert_int_equal(name.reason, reason);
}

/* The kernel's evidence names a vtid; the process's own names a tid. */
static void test_both_ways(void **state)
{
	(void) state;
	is(root, 500, 10, "kernel-told");
	assert_unknown(inner, 5, 10, COMMCACHE_HISTORY_REASON_NOT_JOINED);
	assert_int_equal(join(inner, 5, 500, 20), COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(join(inner, 5, 500, 25), COMMCACHE_HISTORY_UNCHANGED);
	assert_name(inner, 5, 5, "kernel-told");
	assert_name(inner, 5, 30, "kernel-told");
	is(inner, 5, 40, "process-told");
	assert_name(root, 500, 39, "kernel-told");
	assert_name(root, 500, 40, "process-told");
	assert_name(inner, 5, 40, "process-told");
}

/* "Equal numbers in two namespaces are never the same thread." */
static void test_equal_numbers(void **state)
{
	(void) state;
	(void) join(inner, 5, 500, 1);
	(void) join(other_inner, 5, 600, 1);
	is(inner, 5, 10, "one");
	is(other_inner, 5, 10, "two");
	is(root, 5, 10, "root");
	assert_name(root, 500, 10, "one");
	assert_name(root, 600, 10, "two");
	assert_name(root, 5, 10, "root");
	assert_name(inner, 5, 10, "one");
	assert_name(other_inner, 5, 10, "two");
}

/* "that which was added before too" */
static void test_evidence_before_the_join(void **state)
{
	struct commcache_comm a = comm_of("a"), b = comm_of("b");

	(void) state;
	(void) commcache_history_becomes(number(inner, 5), at(10), &a, &b);
	is(inner, 5, 20, "c");
	is(inner, 5, 30, "c");
	assert_name(inner, 5, 15, "b");
	assert_unknown(root, 500, 15, COMMCACHE_HISTORY_REASON_NO_THREAD);
	(void) join(inner, 5, 500, 40);
	assert_name(root, 500, 5, "a");
	assert_name(root, 500, 15, "b");
	assert_name(root, 500, 25, "c");
	assert_name(inner, 5, 5, "a");
	/* Its newest sighting has come along. */
	is(root, 500, 25, "d");
	assert_name(inner, 5, 29, "d");
	assert_name(inner, 5, 30, "c");
}

/* Stale procname contexts come along as such. */
static void test_stale_procname_before_the_join(void **state)
{
	struct commcache_comm comm = comm_of("stale");

	(void) state;
	(void) commcache_history_procname(number(inner, 5), at(10), &comm);
	(void) join(inner, 5, 500, 20);
	assert_name(root, 500, 15, "stale");
	is(root, 500, 30, "right");
	assert_name(inner, 5, 15, "right");
}

/* Only the life that is joined counts, and not the number's others. */
static void test_evidence_of_another_life(void **state)
{
	(void) state;
	born(inner, 5, 10, COMMCACHE_HISTORY_TELLER_SELF);
	is(inner, 5, 15, "first");
	dies(inner, 5, 20);
	born(inner, 5, 30, COMMCACHE_HISTORY_TELLER_SELF);
	is(inner, 5, 35, "second");
	(void) join(inner, 5, 500, 40);
	assert_name(inner, 5, 25, "first");
	assert_name(inner, 5, 35, "second");
	assert_name(root, 500, 35, "second");
	assert_unknown(root, 500, 15, COMMCACHE_HISTORY_REASON_NO_LIFE);
}

/* "A namespace's inode number is used again, and vtids start again with it" */
static void test_inode_used_again(void **state)
{
	(void) state;
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 500, 10);
	is(root, 500, 11, "first");
	dies(root, 500, 20);
	born(root, 600, 30, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 600, 30);
	is(inner, 1, 31, "second");
	assert_name(inner, 1, 15, "first");
	assert_name(inner, 1, 25, "first");
	assert_name(inner, 1, 35, "second");
	assert_name(root, 600, 35, "second");
	assert_name(root, 500, 35, "first");
}

/* The tid is used again, by a thread that has nothing to do with the vtid. */
static void test_tid_used_again(void **state)
{
	(void) state;
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 500, 10);
	is(root, 500, 11, "contained");
	born(root, 500, 30, COMMCACHE_HISTORY_TELLER_FORK);
	is(root, 500, 31, "free");
	assert_name(inner, 1, 40, "contained");
	/* What is told of the number then is another life of it. */
	is(inner, 1, 50, "reborn");
	assert_name(inner, 1, 49, "contained");
	assert_name(inner, 1, 50, "reborn");
	assert_name(root, 500, 50, "free");
}

/* The birth is told by the kernel and, later, by the thread itself. */
static void test_birth_told_by_both(void **state)
{
	(void) state;
	born(inner, 5, 12, COMMCACHE_HISTORY_TELLER_SELF);
	is(inner, 5, 13, "a");
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 5, 500, 10);
	is(root, 500, 20, "b");
	assert_name(inner, 5, 15, "a");
	assert_name(inner, 5, 20, "b");
	assert_name(root, 500, 15, "a");
	assert_unknown(inner, 5, 9, COMMCACHE_HISTORY_REASON_NO_LIFE);
}

/* A birth told late bounds what the join holds for. */
static void test_late_birth(void **state)
{
	(void) state;
	is(root, 500, 5, "another");
	(void) join(inner, 5, 500, 20);
	is(root, 500, 21, "a");
	assert_name(inner, 5, 5, "another");
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	assert_unknown(inner, 5, 5, COMMCACHE_HISTORY_REASON_NO_LIFE);
	assert_name(inner, 5, 10, "a");
}

/* exec by a thread that is not the leader: its life goes on. */
static void test_takes_over(void **state)
{
	(void) state;
	(void) join(inner, 1, 500, 1);
	(void) join(inner, 2, 501, 1);
	is(root, 500, 2, "leader");
	is(root, 501, 2, "other");
	assert_int_equal(commcache_history_takes_over(number(root, 500),
			number(root, 501), at(10)),
			COMMCACHE_HISTORY_CHANGED);
	is(root, 500, 20, "program");
	assert_name(inner, 1, 9, "leader");
	assert_name(inner, 1, 15, "other");
	assert_name(inner, 1, 20, "program");
	assert_name(inner, 2, 20, "other");
}

/* Asked in any order, the answers are the same. */
static void test_descending_times(void **state)
{
	(void) state;
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 500, 10);
	is(root, 500, 11, "a");
	is(root, 500, 20, "b");
	born(root, 500, 30, COMMCACHE_HISTORY_TELLER_FORK);
	is(root, 500, 31, "another");
	for (int i = 0; i < 2; i++) {
		assert_name(inner, 1, 40, "b");
		assert_name(inner, 1, 25, "b");
		assert_name(inner, 1, 15, "a");
		assert_unknown(inner, 1, 5, COMMCACHE_HISTORY_REASON_NO_LIFE);
		assert_name(inner, 1, 30, "b");
		assert_name(inner, 1, 19, "a");
	}
}

/* What is told of the number before the joined life is another's. */
static void test_evidence_before_a_late_birth(void **state)
{
	(void) state;
	(void) join(inner, 5, 500, 20);
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	is(root, 500, 11, "joined");
	is(inner, 5, 5, "another");
	assert_name(inner, 5, 6, "another");
	assert_unknown(root, 500, 6, COMMCACHE_HISTORY_REASON_NO_LIFE);
	assert_name(root, 500, 11, "joined");
}

/* All that told the birth by the inner number told it. */
static void test_tellers_come_along(void **state)
{
	(void) state;
	born(inner, 5, 12, COMMCACHE_HISTORY_TELLER_NEWTASK);
	born(inner, 5, 13, COMMCACHE_HISTORY_TELLER_SELF);
	is(inner, 5, 14, "a");
	(void) join(inner, 5, 500, 20);
	/* The same birth once more, by another teller; then another. */
	born(root, 500, 15, COMMCACHE_HISTORY_TELLER_FORK);
	assert_name(root, 500, 16, "a");
	born(root, 500, 30, COMMCACHE_HISTORY_TELLER_NEWTASK);
	assert_unknown(root, 500, 30, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

/* The number is seen after the joined life's end: that stays its own. */
static void test_sighting_after_the_joined_life(void **state)
{
	(void) state;
	is(inner, 5, 20, "a");
	is(inner, 5, 70, "a");
	is(root, 500, 10, "a");
	dies(root, 500, 50);
	(void) join(inner, 5, 500, 30);
	is(inner, 5, 60, "b");
	assert_name(inner, 5, 55, "a");
	assert_name(inner, 5, 65, "b");
	assert_name(inner, 5, 75, "b");
}

/* A child's parent may be told by its number in its namespace. */
static void test_parent_in_a_namespace(void **state)
{
	(void) state;
	(void) join(inner, 5, 500, 1);
	assert_true(commcache_history_born(number(inner, 6), at(10),
			COMMCACHE_HISTORY_TELLER_SELF, number(inner, 5),
			NULL) >= 0);
	is(root, 500, 9, "parent");
	assert_name(inner, 6, 10, "parent");
}

/* "Where no one tells it, a vtid is taken as one of the root namespace" */
static void test_unknown_namespace(void **state)
{
	struct commcache_history_name name;

	(void) state;
	is(root, 5, 10, "root");
	name = commcache_history_resolve(number(unknown, 5), at(10));
	assert_string_equal(name.comm->str, "root");
	assert_int_equal(name.assumed_root, 1);
	name = commcache_history_resolve(number(root, 5), at(10));
	assert_int_equal(name.assumed_root, 0);
	is(unknown, 5, 20, "told");
	assert_name(root, 5, 20, "told");
	name = commcache_history_resolve(number(unknown, 5), at(20));
	assert_string_equal(name.comm->str, "told");
	assert_null(number(unknown, 0));
	assert_null(commcache_history_find_thread(unknown, 6, -1));
	is(root, 7, 10, "there");
	name = commcache_history_resolve(commcache_history_find_thread(unknown,
			7, -1), at(20));
	assert_string_equal(name.comm->str, "there");
	assert_int_equal(name.assumed_root, 1);
	name = commcache_history_resolve(number(unknown, 6), at(20));
	assert_int_equal(name.reason, COMMCACHE_HISTORY_REASON_NO_THREAD);
	assert_int_equal(name.assumed_root, 1);
}

/* "A dying thread has vtid 0 and pid_ns 0" */
static void test_no_number(void **state)
{
	(void) state;
	assert_null(commcache_history_thread(inner, 0, 0));
	assert_null(commcache_history_thread(unknown, 0, 0));
}

static void test_invalid_joins(void **state)
{
	struct commcache_history_domain *elsewhere = commcache_history_domain(
			history, "elsewhere", NULL, COMMCACHE_HISTORY_NS_ROOT);

	(void) state;
	assert_int_equal(commcache_history_join(number(inner, 5),
			number(elsewhere, 500), at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_join(number(inner, 5),
			number(other_inner, 5), at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_join(number(unknown, 5),
			number(root, 500), at(0)), COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_join(number(inner, 5),
			commcache_history_thread(root, 0, 0), at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(join(root, 500, 500, 0),
			COMMCACHE_HISTORY_UNCHANGED);
}

/* Joined lives outlive a horizon, if they do; the others go. */
static void test_forget_joined(void **state)
{
	struct commcache_history_stats stats;

	(void) state;
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 500, 10);
	is(inner, 1, 11, "goes");
	dies(root, 500, 20);
	born(root, 600, 30, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 600, 30);
	is(inner, 1, 31, "old");
	is(inner, 1, 32, "stays");
	(void) join(inner, 2, 700, 33);
	(void) join(inner, 3, 800, 33);
	is(inner, 3, 34, "goes too");
	dies(root, 800, 40);
	assert_int_equal(commcache_history_forget(root, at(50)),
			COMMCACHE_HISTORY_CHANGED);
	assert_null(commcache_history_find_thread(root, 500, -1));
	assert_null(commcache_history_find_thread(root, 800, -1));
	assert_null(commcache_history_find_thread(inner, 3, -1));
	assert_name(inner, 1, 50, "stays");
	assert_name(root, 600, 50, "stays");
	is(root, 600, 60, "new");
	assert_name(inner, 1, 60, "new");
	is(inner, 2, 60, "late");
	assert_name(root, 700, 60, "late");
	commcache_history_get_stats(history, &stats);
	assert_int_equal(stats.joins, 2);
	assert_int_equal(stats.names, 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_both_ways),
		TEST(test_equal_numbers),
		TEST(test_evidence_before_the_join),
		TEST(test_stale_procname_before_the_join),
		TEST(test_evidence_of_another_life),
		TEST(test_inode_used_again),
		TEST(test_tid_used_again),
		TEST(test_birth_told_by_both),
		TEST(test_late_birth),
		TEST(test_takes_over),
		TEST(test_descending_times),
		TEST(test_evidence_before_a_late_birth),
		TEST(test_tellers_come_along),
		TEST(test_sighting_after_the_joined_life),
		TEST(test_parent_in_a_namespace),
		TEST(test_unknown_namespace),
		TEST(test_no_number),
		TEST(test_invalid_joins),
		TEST(test_forget_joined),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
