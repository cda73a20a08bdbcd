/* SPDX-License-Identifier: MIT */
#include "history-model-lives.h"

#include <stdlib.h>

#define MAX_GENERATIONS 64

static struct model_answer resolve(const struct model *model, int thread,
		struct commcache_moment moment, int generation);

void model_init(struct model *model)
{
	memset(model, 0, sizeof(*model));
}

void model_fini(struct model *model)
{
	free(model->evidence);
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
	if (answer.source != COMMCACHE_HISTORY_FILE &&
			answer.source != COMMCACHE_HISTORY_BETWEEN)
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

/* After it was held last, it may be what is told next. */
static struct model_answer doubt(const struct life *life, bool is_last,
		unsigned int next, struct commcache_moment moment,
		struct model_answer answer)
{
	const struct fact *fact = &life->facts[next];

	if (next == life->count) {
		/* Another life, and no birth: since the death at most. */
		if (is_last || !life->is_dead || life[1].is_born ||
				!life[1].count || !life[1].facts->is_vague ||
				compare_moments(life->death, moment) >= 0)
			return answer;
		answer.source = COMMCACHE_HISTORY_BETWEEN;
		return answer;
	}
	if (((fact->kind == FACT_OLD && !fact[1].is_vague) || (fact->kind == FACT_NAME &&
			fact->source == COMMCACHE_HISTORY_SEEN)) &&
			commcache_comm_equal(&fact->comm, &answer.comm)) {
		if (answer.source == COMMCACHE_HISTORY_BETWEEN)
			answer.source = COMMCACHE_HISTORY_INHERITED;
		return answer;
	}
	if (fact->is_vague && compare_moments(held_until(
			&fact[-1].held), moment) < 0)
		answer.source = COMMCACHE_HISTORY_BETWEEN;
	return answer;
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
			return doubt(life, which + 1 == lives->count, next,
					moment, known(&fact->comm,
					fact->source));
		if (fact->kind == FACT_MARK)
			return after_mark(model, life, next - 1, generation);
		answer = as_other(model, fact, generation);
		if (answer.is_known && !answer.weak &&
				answer.source != COMMCACHE_HISTORY_FILE)
			return doubt(life, which + 1 == lives->count, next,
					moment, answer);
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

	for (unsigned int i = 0; i < model->count; i++) {
		if (model->evidence[i].thread == thread &&
				!model->evidence[i].void_)
			is_blank = false;
	}
	if (!answer.is_known && is_blank)
		answer.reason = COMMCACHE_HISTORY_REASON_NO_THREAD;
	return answer;
}

static struct life *last_life_at(struct lives *lives,
		struct commcache_moment moment)
{
	unsigned int which = lives->count - 1;

	while (which > 0 && compare_moments(moment,
			lives->lives[which].begin) < 0)
		which--;
	return &lives->lives[which];
}

/* Has a change of the name been told, after `since` and up to the moment? */
static bool is_told(const struct model *model,
		const struct model_evidence *renamed)
{
	struct lives lives = read_lives(model, renamed->thread);
	const struct fact *last = NULL;
	struct life *life;
	bool told = false;

	life = last_life_at(&lives, renamed->moment);
	for (unsigned int i = 0; i < life->count; i++) {
		const struct fact *fact = &life->facts[i];

		if (compare_moments(fact->moment, renamed->since) <= 0 ||
				compare_moments(fact->moment,
				renamed->moment) > 0)
			continue;
		last = fact;
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
	/* A name that is told holds, unless another told just that. */
	if (told && renamed->has_comm)
		told = last->kind == FACT_NAME && commcache_comm_equal(
				&last->comm, &renamed->comm);
	free_lives(&lives);
	return told;
}

/*
 * Is the first that is told within the call a name that is shown, where none is
 * known before? It says nothing of the time before the call.
 */
static bool is_shown_inside(const struct model *model,
		const struct model_evidence *renamed,
		struct commcache_moment inside)
{
	struct lives lives = read_lives(model, renamed->thread);
	const struct life *life = last_life_at(&lives, renamed->moment);
	bool shown = false;

	/* Where the new name is told, another that is shown is the old one. */
	for (unsigned int i = 0; i < life->count; i++) {
		const struct fact *fact = &life->facts[i];

		if (compare_moments(fact->moment, inside) <= 0)
			continue;
		if (compare_moments(fact->moment, renamed->moment) > 0)
			break;
		if (!shown && i > 0 && fact[-1].kind != FACT_MARK)
			break;
		shown = fact->kind == FACT_NAME &&
				fact->source == COMMCACHE_HISTORY_SEEN &&
				(shown || !renamed->has_comm ||
				commcache_comm_equal(&fact->comm,
				&renamed->comm));
		if (!shown)
			break;
	}
	/* Both must be within one life. */
	if ((life != lives.lives && compare_moments(life->begin, inside) > 0) ||
			(life->is_dead && compare_moments(life->death,
			renamed->moment) <= 0))
		shown = false;
	free_lives(&lives);
	return shown;
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
	if (added->kind == MODEL_RENAMED) {
		struct commcache_moment inside = commcache_moment_after(
				added->since);

		added->void_ = is_told(model, added);
		if (!added->void_ && is_shown_inside(model, added, inside)) {
			struct model_evidence mark = {
				.kind = MODEL_RENAMED,
				.thread = evidence->thread,
				.moment = inside,
				.since = inside,
				.other = -1,
			};

			model->count++;
			model_add(model, &mark);
			return;
		}
	}
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
