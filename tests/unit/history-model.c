/* SPDX-License-Identifier: MIT */
#include "history-model.h"

#include <stdlib.h>

#define MAX_GENERATIONS 64

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

struct fact {
	enum fact_kind kind;
	struct commcache_moment moment;
	struct commcache_comm comm;
	enum commcache_history_source source;
	int other;
	/* FACT_AS_OTHER: by a take-over, not by a birth. */
	bool is_taken;
};

struct life {
	bool has_begin;
	struct commcache_moment begin;
	bool is_born;
	unsigned int tellers;
	bool is_nameless;
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

static struct model_answer resolve(const struct model *model, int thread,
		struct commcache_moment moment, int generation);

static int compare_moments(struct commcache_moment a, struct commcache_moment b)
{
	if (a.time != b.time)
		return a.time < b.time ? -1 : 1;
	if (a.order != b.order)
		return a.order < b.order ? -1 : 1;
	return 0;
}

static int compare_evidence(const void *a, const void *b)
{
	const struct model_evidence *const *x = a;
	const struct model_evidence *const *y = b;
	int order = compare_moments((*x)->moment, (*y)->moment);

	if (order)
		return order;
	return (*x)->serial < (*y)->serial ? -1 : 1;
}

void model_init(struct model *model)
{
	memset(model, 0, sizeof(*model));
}

void model_fini(struct model *model)
{
	free(model->evidence);
}

static struct life *new_life(struct lives *lives)
{
	struct life *life = &lives->lives[lives->count++];

	memset(life, 0, sizeof(*life));
	life->facts = lives->facts;
	if (lives->count > 1)
		life->facts = life[-1].facts + life[-1].count;
	return life;
}

static struct fact *last_fact(struct life *life)
{
	return life->count ? &life->facts[life->count - 1] : NULL;
}

/* Is that the name which the life is known to have at its end? */
static bool is_called(struct life *life, const struct commcache_comm *comm)
{
	struct fact *fact = last_fact(life);

	return fact && fact->kind == FACT_NAME &&
			commcache_comm_equal(&fact->comm, comm);
}

static void add_fact(struct life *life, enum fact_kind kind,
		const struct model_evidence *evidence,
		const struct commcache_comm *comm,
		enum commcache_history_source source)
{
	struct fact *fact = &life->facts[life->count++];

	fact->kind = kind;
	fact->moment = evidence->moment;
	if (comm)
		fact->comm = *comm;
	fact->source = source;
	fact->other = evidence->other;
}

/* The life that the evidence of another name belongs to. */
static struct life *living(struct lives *lives,
		const struct model_evidence *evidence)
{
	struct life *life = &lives->lives[lives->count - 1];

	if (!life->is_dead)
		return life;
	life = new_life(lives);
	life->has_begin = true;
	life->begin = evidence->moment;
	return life;
}

static void read_name(struct lives *lives,
		const struct model_evidence *evidence,
		const struct commcache_comm *old, bool is_old_told,
		enum commcache_history_source source)
{
	struct life *life = &lives->lives[lives->count - 1];
	bool was_called;

	if (is_called(life, &evidence->comm))
		return;
	was_called = is_old_told && is_called(life, old);
	life = living(lives, evidence);
	if (is_old_told && !was_called)
		add_fact(life, FACT_OLD, evidence, old, source);
	add_fact(life, FACT_NAME, evidence, &evidence->comm, source);
}

static void read_birth(struct lives *lives,
		const struct model_evidence *evidence)
{
	struct life *life = &lives->lives[lives->count - 1];
	unsigned int teller = evidence->teller == COMMCACHE_HISTORY_TELLER_ALONE
			? 0 : 1U << evidence->teller;

	if (!life->is_dead && life->is_born && teller &&
			!(life->tellers & teller)) {
		life->tellers |= teller;
		if (evidence->has_comm) {
			read_name(lives, evidence, NULL, false,
					COMMCACHE_HISTORY_SEEN);
		} else if (life->is_nameless && evidence->other >= 0) {
			/* It completes the birth, where that was. */
			memmove(life->facts + 1, life->facts, life->count *
					sizeof(*life->facts));
			life->count++;
			life->facts[0].kind = FACT_AS_OTHER;
			life->facts[0].moment = life->begin;
			life->facts[0].other = evidence->other;
			life->is_nameless = false;
		}
		return;
	}
	life = new_life(lives);
	life->has_begin = true;
	life->begin = evidence->moment;
	life->is_born = true;
	life->tellers = teller;
	if (evidence->has_comm)
		add_fact(life, FACT_NAME, evidence, &evidence->comm,
				COMMCACHE_HISTORY_SET);
	else if (evidence->other >= 0)
		add_fact(life, FACT_AS_OTHER, evidence, NULL, 0);
	else
		life->is_nameless = true;
}

static void read_death(struct lives *lives,
		const struct model_evidence *evidence)
{
	struct life *life = &lives->lives[lives->count - 1];
	struct fact *fact = last_fact(life);

	if (life->is_dead)
		return;
	if (evidence->has_comm) {
		unsigned int later = life->count - !life->is_nameless;

		if (life->is_born && lives->count > 1 && later <= 8 && fact &&
				fact->kind == FACT_NAME &&
				!is_called(life, &evidence->comm) &&
				is_called(life - 1, &evidence->comm))
			return;
		read_name(lives, evidence, NULL, false,
				COMMCACHE_HISTORY_SEEN);
	}
	life->is_dead = true;
	life->death = evidence->moment;
}

static void read_evidence(struct lives *lives,
		const struct model_evidence *evidence)
{
	struct life *life;

	if (evidence->void_)
		return;
	switch (evidence->kind) {
	case MODEL_IS:
		read_name(lives, evidence, NULL, false,
				COMMCACHE_HISTORY_SEEN);
		break;
	case MODEL_BECOMES:
		if (evidence->has_old && commcache_comm_equal(&evidence->old,
				&evidence->comm))
			read_name(lives, evidence, NULL, false,
					COMMCACHE_HISTORY_SEEN);
		else
			read_name(lives, evidence, &evidence->old,
					evidence->has_old,
					COMMCACHE_HISTORY_SET);
		break;
	case MODEL_RENAMED:
		if (evidence->has_comm)
			read_name(lives, evidence, NULL, false,
					COMMCACHE_HISTORY_SET);
		else
			add_fact(living(lives, evidence), FACT_MARK,
					evidence, NULL, 0);
		break;
	case MODEL_BORN:
		read_birth(lives, evidence);
		break;
	case MODEL_DIES:
		read_death(lives, evidence);
		break;
	case MODEL_TAKES_OVER:
		life = living(lives, evidence);
		add_fact(life, FACT_AS_OTHER, evidence, NULL, 0);
		last_fact(life)->is_taken = true;
		break;
	case MODEL_PROCNAME:
		break;
	}
}

static struct lives read_lives(const struct model *model, int thread)
{
	const struct model_evidence **sorted = calloc(model->count + 1,
			sizeof(*sorted));
	struct lives lives = { 0 };
	unsigned int count = 0;

	for (unsigned int i = 0; i < model->count; i++)
		if (model->evidence[i].thread == thread)
			sorted[count++] = &model->evidence[i];
	qsort(sorted, count, sizeof(*sorted), compare_evidence);
	lives.lives = calloc(count + 1, sizeof(*lives.lives));
	lives.facts = calloc(2 * count + 1, sizeof(*lives.facts));
	(void) new_life(&lives);
	for (unsigned int i = 0; i < count; i++)
		read_evidence(&lives, sorted[i]);
	free(sorted);
	return lives;
}

static void free_lives(struct lives *lives)
{
	free(lives->facts);
	free(lives->lives);
}

static struct model_answer unknown(enum commcache_history_reason reason)
{
	return (struct model_answer) {
		.source = COMMCACHE_HISTORY_UNKNOWN,
		.reason = reason,
	};
}

static struct model_answer known(const struct commcache_comm *comm,
		enum commcache_history_source source)
{
	return (struct model_answer) {
		.is_known = true,
		.comm = *comm,
		.source = source,
	};
}

static struct model_answer as_other(const struct model *model,
		const struct fact *fact, int generation)
{
	struct model_answer answer;

	if (generation >= MAX_GENERATIONS)
		return unknown(COMMCACHE_HISTORY_REASON_PARENT);
	answer = resolve(model, fact->other, fact->moment, generation + 1);
	if (!answer.is_known)
		return unknown(COMMCACHE_HISTORY_REASON_PARENT);
	if (answer.source != COMMCACHE_HISTORY_FILE)
		answer.source = COMMCACHE_HISTORY_INHERITED;
	return answer;
}

/* The name after a mark: told by the next fact, up to the next mark. */
static struct model_answer after_mark(const struct model *model,
		const struct life *life, unsigned int mark, int generation)
{
	const struct fact *fact = &life->facts[mark];
	struct model_answer before = unknown(0);

	if (mark + 1 == life->count || fact[1].kind == FACT_MARK ||
			fact[1].kind == FACT_AS_OTHER)
		return unknown(COMMCACHE_HISTORY_REASON_RENAMED);
	if (fact[1].kind == FACT_NAME) {
		/* A rename that does not tell from what says nothing here. */
		if (fact[1].source == COMMCACHE_HISTORY_SET)
			return unknown(COMMCACHE_HISTORY_REASON_RENAMED);
		return known(&fact[1].comm, COMMCACHE_HISTORY_LATER);
	}
	/* Told from what: from the name before the mark, it is the same one. */
	if (mark > 0 && fact[-1].kind == FACT_NAME)
		before = known(&fact[-1].comm, 0);
	else if (mark > 0 && fact[-1].kind == FACT_AS_OTHER)
		before = as_other(model, &fact[-1], generation);
	if (!before.is_known)
		return unknown(COMMCACHE_HISTORY_REASON_RENAMED);
	if (commcache_comm_equal(&before.comm, &fact[1].comm))
		return known(&fact[2].comm, COMMCACHE_HISTORY_LATER);
	return known(&fact[1].comm, COMMCACHE_HISTORY_LATER);
}

/*
 * procname contexts: in this span, the newest at or before the moment, else the
 * first after it.
 */
static bool find_procname(const struct model *model, int thread,
		const struct life *life, bool has_begin,
		struct commcache_moment begin, bool has_end,
		struct commcache_moment end, struct commcache_moment moment,
		struct model_answer *answer)
{
	const struct model_evidence *before = NULL;
	const struct model_evidence *after = NULL;

	for (unsigned int i = 0; i < model->count; i++) {
		const struct model_evidence *evidence = &model->evidence[i];

		if (evidence->kind != MODEL_PROCNAME ||
				evidence->thread != thread ||
				(has_begin && compare_moments(evidence->moment,
				begin) < 0) ||
				(has_end && compare_moments(evidence->moment,
				end) >= 0) ||
				(life->is_dead && compare_moments(
				evidence->moment, life->death) >= 0))
			continue;
		if (compare_moments(evidence->moment, moment) <= 0) {
			if (!before || compare_moments(evidence->moment,
					before->moment) >= 0)
				before = evidence;
		} else if (!after || compare_moments(evidence->moment,
				after->moment) < 0) {
			after = evidence;
		}
	}
	if (before)
		*answer = known(&before->comm, COMMCACHE_HISTORY_SEEN);
	else if (after)
		*answer = known(&after->comm, COMMCACHE_HISTORY_LATER);
	answer->weak = before || after;
	return answer->weak;
}

/* Nothing at or before the moment tells a name of full authority. */
static struct model_answer otherwise(const struct model *model, int thread,
		const struct lives *lives, unsigned int which,
		unsigned int next, struct commcache_moment moment,
		struct model_answer fallback)
{
	const struct life *life = &lives->lives[which];
	const struct fact *fact = next < life->count ? &life->facts[next] : NULL;
	struct commcache_moment begin = life->begin;
	struct commcache_moment end = { 0 };
	bool has_begin = life->has_begin;
	bool has_end = false;
	struct model_answer answer;

	if (fact && (fact->kind == FACT_OLD || (fact->kind == FACT_NAME &&
			fact->source == COMMCACHE_HISTORY_SEEN)))
		return known(&fact->comm, COMMCACHE_HISTORY_LATER);

	if (next > 0) {
		has_begin = true;
		begin = life->facts[next - 1].moment;
	}
	if (fact) {
		has_end = true;
		end = fact->moment;
	} else if (which + 1 < lives->count) {
		has_end = true;
		end = lives->lives[which + 1].begin;
	}
	if (find_procname(model, thread, life, has_begin, begin, has_end, end,
			moment, &answer))
		return answer;
	if (fallback.is_known)
		return fallback;
	if (which == 0 && next == 0 && model->has_file[thread])
		return known(&model->file[thread], COMMCACHE_HISTORY_FILE);
	return fallback;
}

static struct model_answer resolve_in(const struct model *model, int thread,
		const struct lives *lives, struct commcache_moment moment,
		int generation)
{
	unsigned int which = lives->count - 1;
	unsigned int next = 0;
	const struct life *life;
	struct model_answer answer =
			unknown(COMMCACHE_HISTORY_REASON_NO_EVIDENCE);

	while (which > 0 && compare_moments(moment,
			lives->lives[which].begin) < 0)
		which--;
	life = &lives->lives[which];
	while (next < life->count && compare_moments(life->facts[next].moment,
			moment) <= 0)
		next++;

	if (which == 0 && life->count == 0 && !life->is_dead &&
			lives->count > 1)
		answer.reason = COMMCACHE_HISTORY_REASON_NO_LIFE;
	if (next > 0) {
		const struct fact *fact = &life->facts[next - 1];

		if (fact->kind == FACT_NAME)
			return known(&fact->comm, fact->source);
		if (fact->kind == FACT_MARK)
			return after_mark(model, life, next - 1, generation);
		answer = as_other(model, fact, generation);
		if (answer.is_known && !answer.weak &&
				answer.source != COMMCACHE_HISTORY_FILE)
			return answer;
	}
	return otherwise(model, thread, lives, which, next, moment, answer);
}

static struct model_answer resolve(const struct model *model, int thread,
		struct commcache_moment moment, int generation)
{
	struct lives lives = read_lives(model, thread);
	struct model_answer answer = resolve_in(model, thread, &lives, moment,
			generation);

	free_lives(&lives);
	return answer;
}

struct model_answer model_resolve(const struct model *model, int thread,
		struct commcache_moment moment)
{
	struct model_answer answer = resolve(model, thread, moment, 0);
	bool is_blank = !model->has_file[thread];

	for (unsigned int i = 0; i < model->count; i++)
		if (model->evidence[i].thread == thread &&
				!model->evidence[i].void_)
			is_blank = false;
	if (!answer.is_known && is_blank)
		answer.reason = COMMCACHE_HISTORY_REASON_NO_THREAD;
	return answer;
}

/* Has a change of the name been told, after `since` and up to the moment? */
static bool is_told(const struct model *model,
		const struct model_evidence *renamed)
{
	struct lives lives = read_lives(model, renamed->thread);
	struct life *life;
	bool told = false;
	unsigned int which = lives.count - 1;

	while (which > 0 && compare_moments(renamed->moment,
			lives.lives[which].begin) < 0)
		which--;
	life = &lives.lives[which];
	for (unsigned int i = 0; i < life->count; i++) {
		const struct fact *fact = &life->facts[i];

		if (compare_moments(fact->moment, renamed->since) <= 0 ||
				compare_moments(fact->moment,
				renamed->moment) > 0)
			continue;
		/* What a life begins with is no change of its name. */
		if (i == 0 && life->has_begin && !life->is_nameless)
			continue;
		/* exec takes over first, and renames then. */
		if (fact->kind == FACT_AS_OTHER)
			told = false;
		if (fact->kind == FACT_MARK)
			told = true;
		if (fact->kind == FACT_NAME &&
				(fact->source == COMMCACHE_HISTORY_SET ||
				(i > 0 && fact[-1].kind == FACT_NAME)))
			told = true;
	}
	free_lives(&lives);
	return told;
}

/* Is that take-over the last that is known of the thread? */
static bool is_taken_already(const struct model *model,
		const struct model_evidence *takes)
{
	struct lives lives = read_lives(model, takes->thread);
	struct life *life = &lives.lives[lives.count - 1];
	struct fact *fact = last_fact(life);
	bool is_taken = !life->is_dead && fact && fact->is_taken &&
			fact->other == takes->other &&
			model_is_over(model, takes->other, takes->moment);

	free_lives(&lives);
	return is_taken;
}

void model_add(struct model *model, const struct model_evidence *evidence)
{
	struct model_evidence *added;

	if (model->count == model->capacity) {
		model->capacity = model->capacity * 2 + 64;
		model->evidence = realloc(model->evidence, model->capacity *
				sizeof(*model->evidence));
	}
	added = &model->evidence[model->count];
	*added = *evidence;
	added->serial = model->count;
	if (added->kind == MODEL_RENAMED)
		added->void_ = is_told(model, added);
	if (added->kind == MODEL_TAKES_OVER)
		added->void_ = is_taken_already(model, added);
	model->count++;
	if (added->kind == MODEL_TAKES_OVER && !added->void_) {
		struct model_evidence dies = {
			.kind = MODEL_DIES,
			.thread = evidence->other,
			.moment = evidence->moment,
			.other = -1,
		};

		model_add(model, &dies);
	}
}

bool model_is_over(const struct model *model, int thread,
		struct commcache_moment moment)
{
	struct lives lives = read_lives(model, thread);
	const struct life *life = &lives.lives[lives.count - 1];
	bool is_over = life->is_dead && compare_moments(life->death,
			moment) <= 0;

	free_lives(&lives);
	return is_over;
}
