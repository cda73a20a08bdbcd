/* SPDX-License-Identifier: MIT */
#ifndef HISTORY_WORDS_H
#define HISTORY_WORDS_H

/*
 * Short words for evidence of the threads of one domain, and for what is then
 * expected of them.
 */

#include "history-test.h"

static struct commcache_history *history;
static struct commcache_history_domain *domain;

static inline int set_up(void **state)
{
	(void) state;
	history = commcache_history_create();
	domain = commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
	return domain ? 0 : -1;
}

static inline int tear_down(void **state)
{
	(void) state;
	commcache_history_destroy(history);
	return 0;
}

static inline struct commcache_history_thread *tid(int64_t number)
{
	return commcache_history_thread(domain, number, -1);
}

static inline enum commcache_history_status is(int64_t number, int64_t time,
		const char *name)
{
	struct commcache_comm comm = comm_of(name);

	return commcache_history_is(tid(number), at(time), &comm);
}

static inline enum commcache_history_status becomes(int64_t number, int64_t time,
		const char *old, const char *name)
{
	struct commcache_comm old_comm = comm_of(old ? old : "");
	struct commcache_comm comm = comm_of(name);

	return commcache_history_becomes(tid(number), at(time),
			old ? &old_comm : NULL, &comm);
}

static inline enum commcache_history_status renamed(int64_t number, int64_t since,
		int64_t time, const char *provisional)
{
	struct commcache_comm comm = comm_of(provisional ? provisional : "");

	return commcache_history_renamed(tid(number), at(since), at(time),
			provisional ? &comm : NULL);
}

static inline enum commcache_history_status born(int64_t number, int64_t time,
		int64_t parent, const char *name)
{
	struct commcache_comm comm = comm_of(name ? name : "");

	return commcache_history_born(tid(number), at(time),
			COMMCACHE_HISTORY_TELLER_FORK,
			parent ? tid(parent) : NULL, name ? &comm : NULL);
}

static inline enum commcache_history_status dies(int64_t number, int64_t time)
{
	return commcache_history_dies(tid(number), at(time), NULL);
}

static inline enum commcache_history_status procname(int64_t number, int64_t time,
		const char *name)
{
	struct commcache_comm comm = comm_of(name);

	return commcache_history_procname(tid(number), at(time), &comm);
}

static inline struct commcache_history_name name_at(int64_t number, int64_t time)
{
	return commcache_history_resolve(tid(number), at(time));
}

static inline void assert_name(int64_t number, int64_t time, const char *name,
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

static inline void assert_unknown(int64_t number, int64_t time,
		enum commcache_history_reason reason)
{
	struct commcache_history_name answer = name_at(number, time);

	assert_int_equal(answer.source, COMMCACHE_HISTORY_UNKNOWN);
	assert_int_equal(answer.reason, reason);
	assert_int_equal(answer.id, 0);
	assert_string_equal(answer.comm->str, "<...>");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif /* HISTORY_WORDS_H */
