/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_CURSOR_H
#define COMMCACHE_HISTORY_CURSOR_H

/*
 * The last answer of a thread, inline, for who is linked with the history and
 * asks at each event.
 */

#include <commcache/history.h>

#define ORDER_BITS	24
#define ORDER_MAX	((1U << ORDER_BITS) - 1)

static inline bool moment_before(struct commcache_moment a,
		struct commcache_moment b)
{
	return a.time < b.time || (a.time == b.time && a.order < b.order);
}

/* What comes from outside fits the field. */
static inline struct commcache_moment moment_fit(struct commcache_moment moment)
{
	if (moment.order > ORDER_MAX)
		moment.order = ORDER_MAX;
	return moment;
}

/* An answer, kept with the span of time in which it holds. */
struct cursor {
	struct commcache_moment begin;
	/* The first moment after it. */
	struct commcache_moment end;
	struct commcache_history_name name;
	/*
	 * 0: not valid. CURSOR_OWN: until this thread changes. Else: until the
	 * history's version is another.
	 */
	uint64_t version;
};

#define CURSOR_OWN UINT64_MAX

static inline bool cursor_holds(const struct cursor *cursor,
		struct commcache_moment moment)
{
	return !moment_before(moment, cursor->begin) &&
			moment_before(moment, cursor->end);
}

/*
 * As commcache_history_resolve(), which does what is not at hand, in `buffer`. The
 * answer holds until the thread is asked again.
 */
static inline const struct commcache_history_name *history_resolve(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		struct commcache_history_name *buffer)
{
	/* It is the first member. */
	const struct cursor *cursor = (const struct cursor *) thread;

	if (thread && cursor->version == CURSOR_OWN &&
			cursor_holds(cursor, moment_fit(moment)))
		return &cursor->name;
	*buffer = commcache_history_resolve(thread, moment);
	return buffer;
}

#endif /* COMMCACHE_HISTORY_CURSOR_H */
