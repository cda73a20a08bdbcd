/* SPDX-License-Identifier: MIT */
#include "history-model-lives.h"

#include <stdlib.h>

static int compare_evidence(const void *a, const void *b)
{
	const struct model_evidence *const *x = a;
	const struct model_evidence *const *y = b;
	int order = compare_moments((*x)->moment, (*y)->moment);

	if (order)
		return order;
	return (*x)->serial < (*y)->serial ? -1 : 1;
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
	show_held(&fact->held, evidence->moment);
	fact->is_vague = kind == FACT_OLD || kind == FACT_MARK ||
			(kind == FACT_NAME &&
			source == COMMCACHE_HISTORY_SEEN);
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

	if (is_called(life, &evidence->comm)) {
		show_held(&last_fact(life)->held, evidence->moment);
		return;
	}
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
			life->facts[0].held = life->held;
			life->facts[0].is_vague = false;
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
	show_held(&life->held, life->begin);
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

static void read_rename(struct lives *lives,
		const struct model_evidence *evidence)
{
	if (!evidence->has_comm) {
		add_fact(living(lives, evidence), FACT_MARK, evidence, NULL, 0);
		return;
	}
	if (is_called(&lives->lives[lives->count - 1], &evidence->comm)) {
		read_name(lives, evidence, NULL, false,
				COMMCACHE_HISTORY_SET);
		return;
	}
	read_name(lives, evidence, NULL, false, COMMCACHE_HISTORY_SET);
	/* The program's name was there before its record. */
	last_fact(&lives->lives[lives->count - 1])->is_vague = true;
}

/* Where all renames are told, the name held up to the call. */
static void read_call(struct lives *lives,
		const struct model_evidence *evidence)
{
	struct life *life = &lives->lives[lives->count - 1];
	struct held *held = &life->held;
	const struct fact *next = life->facts;

	for (unsigned int i = 0; i < life->count && compare_moments(
			life->facts[i].moment, evidence->since) <= 0; i++) {
		held = &life->facts[i].held;
		next++;
	}
	if (held == &life->held && !life->is_nameless)
		return;
	if (next == life->facts + life->count || !next->is_vague)
		return;
	/* Of several calls at once, the first. */
	if (held->is_presumed && compare_moments(evidence->since,
			held->presumed) >= 0)
		return;
	held->is_presumed = compare_moments(evidence->all_told,
			held->shown) <= 0 && compare_moments(held->shown,
			evidence->since) < 0;
	held->presumed = evidence->since;
}

static void read_becomes(struct lives *lives,
		const struct model_evidence *evidence)
{
	bool is_told = is_called(&lives->lives[lives->count - 1],
			&evidence->comm);
	struct life *life;

	read_name(lives, evidence, &evidence->old, evidence->has_old,
			COMMCACHE_HISTORY_SET);
	if (!evidence->is_late)
		return;
	life = &lives->lives[lives->count - 1];
	if (!is_told)
		last_fact(life)->is_vague = true;
	/* When that was, it was still the old name. */
	for (unsigned int i = life->count; i-- > 0;) {
		struct fact *fact = &life->facts[i];

		if (compare_moments(fact->moment, evidence->since) > 0)
			continue;
		if (evidence->has_old && i + 1 < life->count &&
				fact->kind == FACT_NAME && fact[1].is_vague &&
				commcache_comm_equal(&fact->comm,
				&evidence->old) && compare_moments(held_until(
				&fact->held), evidence->since) < 0)
			show_held(&fact->held, evidence->since);
		break;
	}
}

static void read_evidence(struct lives *lives,
		const struct model_evidence *evidence)
{
	struct life *life;

	if (evidence->void_ && evidence->kind == MODEL_RENAMED)
		read_call(lives, evidence);
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
			read_becomes(lives, evidence);
		break;
	case MODEL_RENAMED:
		read_rename(lives, evidence);
		read_call(lives, evidence);
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

struct lives read_lives(const struct model *model, int thread)
{
	const struct model_evidence **sorted = calloc(model->count + 1,
			sizeof(*sorted));
	struct lives lives = { 0 };
	unsigned int count = 0;

	for (unsigned int i = 0; i < model->count; i++) {
		if (model->evidence[i].thread == thread)
			sorted[count++] = &model->evidence[i];
	}
	qsort(sorted, count, sizeof(*sorted), compare_evidence);
	lives.lives = calloc(count + 1, sizeof(*lives.lives));
	lives.facts = calloc(2 * count + 1, sizeof(*lives.facts));
	(void) new_life(&lives);
	for (unsigned int i = 0; i < count; i++)
		read_evidence(&lives, sorted[i]);
	free(sorted);
	return lives;
}

void free_lives(struct lives *lives)
{
	free(lives->facts);
	free(lives->lives);
}
