/* SPDX-License-Identifier: MIT */

/*
 * The rules of doc/history.md, one test each.
 */

#include "history-test.h"

static struct commcache_history *history;
static struct commcache_history_domain *domain;

static int set_up(void **state)
{
	(void) state;
	history = commcache_history_create();
	domain = commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
	return domain ? 0 : -1;
}

static int tear_down(void **state)
{
	(void) state;
	commcache_history_destroy(history);
	return 0;
}

/* Short words for evidence of a thread of the domain. */
static struct commcache_history_thread *tid(int64_t number)
{
	return commcache_history_thread(domain, number, -1);
}

static enum commcache_history_status is(int64_t number, int64_t time,
		const char *name)
{
	struct commcache_comm comm = comm_of(name);

	return commcache_history_is(tid(number), at(time), &comm);
}

static enum commcache_history_status becomes(int64_t number, int64_t time,
		const char *old, const char *name)
{
	struct commcache_comm old_comm = comm_of(old ? old : "");
	struct commcache_comm comm = comm_of(name);

	return commcache_history_becomes(tid(number), at(time),
			old ? &old_comm : NULL, &comm);
}

static enum commcache_history_status renamed(int64_t number, int64_t since,
		int64_t time, const char *provisional)
{
	struct commcache_comm comm = comm_of(provisional ? provisional : "");

	return commcache_history_renamed(tid(number), at(since), at(time),
			provisional ? &comm : NULL);
}

static enum commcache_history_status born(int64_t number, int64_t time,
		int64_t parent, const char *name)
{
	struct commcache_comm comm = comm_of(name ? name : "");

	return commcache_history_born(tid(number), at(time),
			COMMCACHE_HISTORY_TELLER_FORK,
			parent ? tid(parent) : NULL, name ? &comm : NULL);
}

static enum commcache_history_status dies(int64_t number, int64_t time)
{
	return commcache_history_dies(tid(number), at(time), NULL);
}

static enum commcache_history_status procname(int64_t number, int64_t time,
		const char *name)
{
	struct commcache_comm comm = comm_of(name);

	return commcache_history_procname(tid(number), at(time), &comm);
}

static struct commcache_history_name name_at(int64_t number, int64_t time)
{
	return commcache_history_resolve(tid(number), at(time));
}

static void assert_name(int64_t number, int64_t time, const char *name,
		enum commcache_history_source source)
{
	struct commcache_history_name answer = name_at(number, time);
	struct commcache_comm expected = comm_of(name);

	assert_string_equal(answer.comm->str, name);
	assert_true(commcache_comm_equal(answer.comm, &expected));
	assert_int_equal(answer.source, source);
	assert_int_equal(answer.reason, COMMCACHE_HISTORY_REASON_NONE);
	assert_int_not_equal(answer.id, 0);
	assert_ptr_equal(answer.comm, commcache_history_comm(history,
			answer.id));
}

static void assert_unknown(int64_t number, int64_t time,
		enum commcache_history_reason reason)
{
	struct commcache_history_name answer = name_at(number, time);

	assert_int_equal(answer.source, COMMCACHE_HISTORY_UNKNOWN);
	assert_int_equal(answer.reason, reason);
	assert_int_equal(answer.id, 0);
	assert_string_equal(answer.comm->str, "<...>");
}

/* "the newest name known at or before t" */
static void test_newest_name(void **state)
{
	(void) state;
	assert_int_equal(is(7, 10, "a"), COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(is(7, 20, "b"), COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(becomes(7, 30, "b", "c"), COMMCACHE_HISTORY_CHANGED);
	assert_name(7, 10, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 19, "a", COMMCACHE_HISTORY_SEEN);
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
	assert_name(7, 19, "a", COMMCACHE_HISTORY_SEEN);
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
	assert_name(7, 25, "make", COMMCACHE_HISTORY_SET);
	assert_name(7, 30, "make-main", COMMCACHE_HISTORY_SEEN);
	/* It says nothing of the time before it. */
	(void) renamed(8, 20, 20, "make");
	assert_unknown(8, 15, COMMCACHE_HISTORY_REASON_NO_EVIDENCE);
}

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

/* The exit of prctl, then the process's own event: one rename, told twice. */
static void test_renamed_then_becomes(void **state)
{
	(void) state;
	(void) is(7, 10, "a");
	(void) renamed(7, 20, 20, NULL);
	(void) becomes(7, 21, "a", "b");
	assert_name(7, 19, "a", COMMCACHE_HISTORY_SEEN);
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
	assert_name(7, 29, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 30, "b", COMMCACHE_HISTORY_SEEN);
	/* It is a life of its own: it can die. */
	assert_int_equal(dies(7, 40), COMMCACHE_HISTORY_CHANGED);
	(void) is(7, 50, "c");
	assert_name(7, 45, "b", COMMCACHE_HISTORY_SEEN);
	/* A rename is another name, whatever it is. */
	(void) is(8, 10, "a");
	(void) dies(8, 20);
	(void) renamed(8, 30, 30, NULL);
	(void) is(8, 40, "b");
	assert_name(8, 29, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(8, 35, "b", COMMCACHE_HISTORY_LATER);
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
	assert_name(7, 19, "a", COMMCACHE_HISTORY_SEEN);
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
	assert_name(7, 21, "bash", COMMCACHE_HISTORY_SET);
	/* Its own death has the name that it has. */
	sleep = comm_of("ls");
	assert_int_equal(commcache_history_dies(tid(7), at(30), &sleep),
			COMMCACHE_HISTORY_CHANGED);
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
	(void) is(5, 20, "after");
	(void) born(7, 10, 5, NULL);
	(void) born(8, 15, 7, NULL);
	assert_name(7, 30, "before", COMMCACHE_HISTORY_INHERITED);
	assert_name(8, 30, "before", COMMCACHE_HISTORY_INHERITED);
	(void) is(7, 40, "own");
	assert_name(7, 39, "before", COMMCACHE_HISTORY_INHERITED);
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
	assert_name(7, 11, "app", COMMCACHE_HISTORY_SET);
	assert_name(7, 12, "worker", COMMCACHE_HISTORY_SEEN);
	/* The second one came first. */
	(void) commcache_history_born(tid(8), at(12),
			COMMCACHE_HISTORY_TELLER_SELF, NULL, &comm);
	(void) commcache_history_born(tid(8), at(10),
			COMMCACHE_HISTORY_TELLER_NEWTASK, NULL, &app);
	assert_name(8, 11, "app", COMMCACHE_HISTORY_SET);
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
	assert_name(7, 15, "other", COMMCACHE_HISTORY_INHERITED);
	assert_name(7, 20, "program", COMMCACHE_HISTORY_SET);
	/* The number that was given up is free. */
	(void) is(8, 30, "new");
	assert_name(8, 29, "other", COMMCACHE_HISTORY_SEEN);
	assert_int_equal(commcache_history_takes_over(tid(9), tid(8), at(40)),
			COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(commcache_history_takes_over(tid(9), tid(8), at(41)),
			COMMCACHE_HISTORY_UNCHANGED);
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
	assert_name(7, 0, "first", COMMCACHE_HISTORY_SEEN);
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
	assert_name(7, 19, "a", COMMCACHE_HISTORY_SEEN);
	assert_name(7, 29, "b", COMMCACHE_HISTORY_SEEN);
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
	/* A late rename knows the name it was from. */
	(void) is(10, 10, "a");
	(void) becomes(10, 20, "a", "b");
	(void) renamed(10, 15, 15, NULL);
	assert_name(10, 17, "b", COMMCACHE_HISTORY_LATER);
	(void) is(10, 12, "c");
	assert_name(10, 17, "a", COMMCACHE_HISTORY_LATER);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_newest_name),
		TEST(test_renamed_settled_later),
		TEST(test_renamed_to_the_same),
		TEST(test_renamed_twice),
		TEST(test_renamed_provisionally),
		TEST(test_renamed_since),
		TEST(test_renamed_then_becomes),
		TEST(test_known_later),
		TEST(test_becomes_tells_its_old_name),
		TEST(test_not_later_than_a_rename),
		TEST(test_unknown),
		TEST(test_not_across_a_birth),
		TEST(test_not_forward_across_a_death),
		TEST(test_runs_on_after_its_death),
		TEST(test_another_name_after_a_death),
		TEST(test_dies_twice),
		TEST(test_death_tells_the_name),
		TEST(test_late_death_of_the_life_before),
		TEST(test_born_with_a_name),
		TEST(test_born_as_its_parent_was),
		TEST(test_parent_known_later),
		TEST(test_circle_of_parents),
		TEST(test_number_used_again),
		TEST(test_one_birth_told_by_two),
		TEST(test_takes_over),
		TEST(test_stale_procname),
		TEST(test_stale_parent),
		TEST(test_name_from_a_file),
		TEST(test_idle),
		TEST(test_after_a_record),
		TEST(test_ties),
		TEST(test_extreme_times),
		TEST(test_odd_names),
		TEST(test_unchanged),
		TEST(test_late),
		TEST(test_domains),
		TEST(test_numbers),
		TEST(test_invalid),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
