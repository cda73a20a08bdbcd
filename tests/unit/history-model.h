/* SPDX-License-Identifier: MIT */
#ifndef HISTORY_MODEL_H
#define HISTORY_MODEL_H

/*
 * The name model of doc/history.md, naively: keep all evidence, and for each
 * question sort it and read it from the beginning. Slow, and simple enough to be
 * believed; it shares nothing with src/history.
 */

#include <commcache/history.h>

#define MODEL_MAX_THREADS 8

enum model_kind {
	MODEL_IS,
	MODEL_PROCNAME,
	MODEL_BECOMES,
	MODEL_RENAMED,
	MODEL_BORN,
	MODEL_DIES,
	MODEL_TAKES_OVER,
};

struct model_evidence {
	enum model_kind kind;
	int thread;
	struct commcache_moment moment;
	/* Order of adding. */
	unsigned int serial;
	struct commcache_moment since;
	bool has_comm;
	struct commcache_comm comm;
	bool has_old;
	struct commcache_comm old;
	/* Parent or the thread taken over, -1: none. */
	int other;
	enum commcache_history_teller teller;
	/* MODEL_BECOMES: it was told after the change, which was after `since`. */
	bool is_late;
	/* Since when all was told, when it was added. */
	struct commcache_moment all_told;
	/* Already told when it was added (see renamed's `since`). */
	bool void_;
};

struct model {
	struct model_evidence *evidence;
	unsigned int count;
	unsigned int capacity;
	bool has_file[MODEL_MAX_THREADS];
	struct commcache_comm file[MODEL_MAX_THREADS];
};

struct model_answer {
	bool is_known;
	struct commcache_comm comm;
	enum commcache_history_source source;
	bool weak;
	/* With !is_known. */
	enum commcache_history_reason reason;
};

void model_init(struct model *model);
void model_fini(struct model *model);
void model_add(struct model *model, const struct model_evidence *evidence);
struct model_answer model_resolve(const struct model *model, int thread,
		struct commcache_moment moment);

/* Was the thread dead at that moment, and is nothing told of it after that? */
bool model_is_over(const struct model *model, int thread,
		struct commcache_moment moment);

#endif /* HISTORY_MODEL_H */
