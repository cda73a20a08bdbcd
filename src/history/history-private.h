/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_PRIVATE_H
#define COMMCACHE_HISTORY_PRIVATE_H

#include "changes.h"
#include "comms.h"
#include "cursor.h"
#include "numbers.h"

/* No thread index. */
#define THREAD_NONE UINT32_MAX

/* A life of a thread of the root namespace, as told at a moment in it. */
struct join {
	/* Weak, owned by the history. */
	struct commcache_history_thread *root;
	struct commcache_moment told;
	/* What follows is found again when root's lives_version is another. */
	uint32_t lives_version;
	bool has_begin;
	/* Its birth is recorded. */
	bool has_birth;
	struct commcache_moment begin;
	/* Of its death, or of `limit` where none is told. */
	struct commcache_moment end;
	/* Where another life of the number begins. */
	struct commcache_moment limit;
};

struct commcache_history_thread {
	/* First, for history_resolve(); with what follows in one cache line. */
	struct cursor cursor;
	/* Weak, owned by the history. */
	struct commcache_history *history;
	/*
	 * Weak, owned by the history: the thread this one stands for, where the
	 * namespace is not known. NULL for all others.
	 */
	struct commcache_history_thread *view_of;
	/*
	 * Weak, owned by the history's comms: the name at the end of `changes`,
	 * where that is known and its thread alive: most evidence says just it.
	 */
	const struct commcache_comm *last_comm;
	struct changes changes;
	/* The newest sighting of the last name, not before the last change. */
	struct commcache_moment sighting;
	bool has_sighting;
	/*
	 * Up to when a name was surely still that one, of stretches after which
	 * it is another: see between.c. Each an IS of that name.
	 */
	struct changes held;
	/* Names that may be stale, where nothing better is known. */
	struct changes weak;
	/* Owned by this. */
	struct join *joins;
	uint32_t join_count;
	uint32_t join_capacity;
	/* Weak, owned by the history. */
	struct commcache_history_domain *domain;
	/* In the history's array of threads. */
	uint32_t index;
	uint32_t tid;
	/* Of an idle thread, -1 for others. */
	int32_t cpu;
	/*
	 * Known from elsewhere, COMM_UNKNOWN if not; of an idle thread, the name
	 * that all idle threads have.
	 */
	uint32_t file_comm;
};

_Static_assert(offsetof(struct commcache_history_thread, cursor) == 0,
		"history_resolve() takes it for that");
_Static_assert(offsetof(struct commcache_history_thread, view_of) <= 64,
		"an answer at hand costs one cache line");

/* Domains of one host and boot: their times compare. */
struct group {
	/* Owned by this. */
	char *host;
	bool has_boot;
	uint8_t boot[16];
	/* Since then each rename is told; MOMENT_END: not now. */
	struct commcache_moment all_told;
	/* Weak, owned by the history. */
	struct commcache_history_domain *root;
	/* Owned by the history, which chains them. */
	struct group *next;
};

struct commcache_history_domain {
	/* Weak, owned by the history. */
	struct commcache_history *history;
	/* Weak, owned by the history. */
	struct group *group;
	uint64_t ns_inum;
	/* tid to index + 1 of the thread. */
	struct numbers threads;
	/* The same for the idle threads, by CPU; only in the root namespace. */
	struct numbers idle;
	/* Owned by the history, which chains them. */
	struct commcache_history_domain *next;
};

struct commcache_history {
	/* Goes up with each change of anything. Never 0. */
	uint64_t version;
	struct comms comms;
	/* Owned by this. */
	struct commcache_history_thread **threads;
	uint32_t thread_count;
	uint32_t thread_capacity;
	/* Owned by this. */
	struct group *groups;
	/* Owned by this. */
	struct commcache_history_domain *domains;
	uint64_t late;
	uint64_t lost;
	uint64_t bytes;
};

/*
 * In history.c. A group, a domain, that are not there yet, put first; NULL: no
 * memory.
 */
struct group *history_add_group(struct commcache_history *history,
		const char *host, const uint8_t *boot);
struct commcache_history_domain *history_add_domain(
		struct commcache_history *history, struct group *group,
		uint64_t ns_inum);

/* In history.c. Frees a group and its domains, of which no thread is left. */
void history_drop_group(struct commcache_history *history, struct group *group);

static inline bool domain_is_root(const struct commcache_history_domain *domain)
{
	return domain->ns_inum == COMMCACHE_HISTORY_NS_ROOT;
}

/* An inner namespace that is told. */
static inline bool domain_is_inner(
		const struct commcache_history_domain *domain)
{
	return !domain_is_root(domain) &&
			domain->ns_inum != COMMCACHE_HISTORY_NS_UNKNOWN;
}

/* Whether nothing was ever told of the thread. */
static inline bool thread_is_blank(const struct commcache_history_thread *thread)
{
	return !thread->changes.count && !thread->weak.count &&
			thread->file_comm == COMM_UNKNOWN;
}

/* To be called after each change of a thread. */
void thread_changed(struct commcache_history_thread *thread);

void thread_free(struct commcache_history_thread *thread);

/* The thread whose changes hold the evidence of this one at that moment. */
struct commcache_history_thread *thread_route(
		struct commcache_history_thread *thread,
		struct commcache_moment moment);

/* Room for one more join. False: no memory. */
bool thread_reserve_join(struct commcache_history_thread *thread);

/* Find the bounds of the life again, where they may have changed. */
void join_refresh(struct join *join);

/* The answer and its span, without the cursor's help; not for a view. */
void thread_answer(struct commcache_history_thread *thread,
		struct commcache_moment moment, struct cursor *answer);

/*
 * Evidence, once it is known where it goes and its comms are interned. Both take
 * fit moments.
 */
enum commcache_history_status thread_add(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, const struct change *changes,
		uint32_t count);
enum commcache_history_status thread_add_weak(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, uint32_t comm);

/*
 * In between.c. The name after the change at the position still held at that
 * moment, which is before the next change. False: no memory.
 */
bool thread_hold(struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment moment);

/*
 * It was renamed after `since`, up to the moment: so it was called as before until
 * then, if all renames were told. False: no memory.
 */
bool thread_hold_call(struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment);

/* The same, from that name, whatever is told. */
bool thread_hold_name(struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment,
		const struct commcache_comm *comm);

/*
 * The position of the change by which the name after that at the position was
 * another. -1: it is known since when.
 */
int64_t between_end(const struct changes *changes, int64_t position);

/*
 * From which moment on the name after the change at the position may be the next
 * one already. False: it is known up to that.
 */
bool between_begins(struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment *begin);

/* A birth: CHANGE_BORN or CHANGE_BORN_OF, its tellers in the note. */
enum commcache_history_status thread_add_birth(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, const struct change *birth);

#endif /* COMMCACHE_HISTORY_PRIVATE_H */
