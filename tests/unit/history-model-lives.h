/* SPDX-License-Identifier: MIT */
#ifndef HISTORY_MODEL_LIVES_H
#define HISTORY_MODEL_LIVES_H

/* The naive model's lives of a number, read anew from its evidence. */

#include "history-model.h"

/* What a life knows, in order of time. */
enum fact_kind {
	/* Called so from here on. */
	FACT_NAME,
	/* Called so up to here; a FACT_NAME of the same moment follows. */
	FACT_OLD,
	/* Called otherwise from here on. */
	FACT_MARK,
	/* Called as another thread was here. */
	FACT_AS_OTHER,
};

/* Up to when a name held: it was shown, or is presumed up to a call. */
struct held {
	struct commcache_moment shown;
	bool is_presumed;
	struct commcache_moment presumed;
};

struct fact {
	enum fact_kind kind;
	struct commcache_moment moment;
	struct commcache_comm comm;
	enum commcache_history_source source;
	int other;
	/* It was so before, nothing tells since when. */
	bool is_vague;
	/* Up to then it held for sure. */
	struct held held;
	/* FACT_AS_OTHER: by a take-over, not by a birth. */
	bool is_taken;
};

struct life {
	bool has_begin;
	struct commcache_moment begin;
	bool is_born;
	unsigned int tellers;
	bool is_nameless;
	/* With is_nameless: up to then it had the name that it was born with. */
	struct held held;
	bool is_dead;
	struct commcache_moment death;
	/* Weak, part of the lives' facts. */
	struct fact *facts;
	unsigned int count;
};

struct lives {
	struct life *lives;
	unsigned int count;
	/* All lives' facts, one life after the other. */
	struct fact *facts;
};

static inline int compare_moments(struct commcache_moment a, struct commcache_moment b)
{
	if (a.time != b.time)
		return a.time < b.time ? -1 : 1;
	if (a.order != b.order)
		return a.order < b.order ? -1 : 1;
	return 0;
}

static inline struct commcache_moment held_until(const struct held *held)
{
	return held->is_presumed ? held->presumed : held->shown;
}

static inline void show_held(struct held *held, struct commcache_moment moment)
{
	held->shown = moment;
	held->is_presumed = false;
}

static inline struct fact *last_fact(struct life *life)
{
	return life->count ? &life->facts[life->count - 1] : NULL;
}

/* To be freed with free_lives(). */
struct lives read_lives(const struct model *model, int thread);
void free_lives(struct lives *lives);

#endif /* HISTORY_MODEL_LIVES_H */
