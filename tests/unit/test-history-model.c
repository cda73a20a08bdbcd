/* SPDX-License-Identifier: MIT */

/*
 * The history against the naive model, on random evidence.
 *
 * The first argument is the number of random operations, the second the seed.
 */

#include "history-model.h"
#include "history-test.h"
#include "history-bytes.h"

#define THREADS 6
#define NAMES 5
#define EVIDENCE_A_ROUND 120

static unsigned long operations = 1000000;
static uint64_t seed = 20261130;

static const struct commcache_moment never = { INT64_MAX, UINT32_MAX };

struct round {
	struct commcache_history *history;
	struct commcache_history_domain *domain;
	struct model model;
	uint64_t *random;
	int64_t time;
	uint32_t order;
	struct commcache_moment all_told;
	int64_t first_time;
	/* Names do not come twice. */
	bool fresh_names;
	/* An inherited name has become the thread's own: seen again is the same. */
	bool has_forgotten;
	unsigned int name_count;
};

static struct commcache_history_thread *thread_of(struct round *round,
		int thread)
{
	if (thread < 0)
		return NULL;
	return commcache_history_thread(round->domain, 100 + thread, -1);
}

static void find_domain(struct round *round)
{
	round->domain = commcache_history_domain(round->history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
	assert_non_null(round->domain);
}

static void round_begin(struct round *round, uint64_t *random)
{
	static const int64_t origins[] = { 0, 1000, INT64_MIN,
			INT64_MAX - 40, -20 };

	memset(round, 0, sizeof(*round));
	round->random = random;
	round->all_told = never;
	round->history = commcache_history_create();
	assert_non_null(round->history);
	find_domain(round);
	model_init(&round->model);
	round->time = origins[random_below(random,
			sizeof(origins) / sizeof(*origins))];
	round->first_time = round->time;
}

static void round_end(struct round *round)
{
	commcache_history_destroy(round->history);
	model_fini(&round->model);
}

/* Now and then: as bytes, and again from these, it is as it was. */
static void keep(struct round *round)
{
	/* What is told from now on, or not any more. */
	if (random_below(round->random, 10) == 0) {
		round->all_told = random_below(round->random, 2) ?
				commcache_moment(round->time, round->order) :
				never;
		commcache_history_all_told(round->domain, round->all_told);
	}
	if (random_below(round->random, 40) != 0)
		return;
	round->history = history_kept(round->history);
	find_domain(round);
}

static void pass_time(struct round *round)
{
	unsigned int step = random_below(round->random, 4);

	if (step && round->time < INT64_MAX - 3) {
		round->time += step;
		round->order = 0;
	} else if (random_below(round->random, 3)) {
		/* A tie in time; some stay ties in order too. */
		round->order += random_below(round->random, 3);
	}
}

static struct commcache_comm random_name(struct round *round)
{
	char name[COMMCACHE_COMM_LEN];
	unsigned int which = random_below(round->random, NAMES);

	if (round->fresh_names)
		which = NAMES + round->name_count++;
	(void) snprintf(name, sizeof(name), "name-%u", which);
	return comm_of(name);
}

static struct model_evidence random_evidence(struct round *round)
{
	static const enum model_kind kinds[] = {
		MODEL_IS, MODEL_IS, MODEL_IS, MODEL_IS, MODEL_PROCNAME,
		MODEL_BECOMES, MODEL_BECOMES, MODEL_RENAMED, MODEL_RENAMED,
		MODEL_BORN, MODEL_BORN, MODEL_DIES, MODEL_DIES,
		MODEL_TAKES_OVER,
	};
	struct model_evidence evidence = {
		.kind = kinds[random_below(round->random, sizeof(kinds) /
				sizeof(*kinds))],
		.thread = (int) random_below(round->random, THREADS),
		.moment = commcache_moment(round->time, round->order),
		.comm = random_name(round),
		.old = random_name(round),
		.has_old = random_below(round->random, 3),
		.other = (int) random_below(round->random, THREADS),
	};

	evidence.has_comm = evidence.kind == MODEL_IS ||
			evidence.kind == MODEL_PROCNAME ||
			evidence.kind == MODEL_BECOMES ||
			random_below(round->random, 2);
	evidence.all_told = round->all_told;
	evidence.since = evidence.moment;
	if (random_below(round->random, 2) && round->time >= INT64_MIN + 5)
		evidence.since = at(round->time - random_below(round->random,
				6));
	evidence.is_late = random_below(round->random, 2);
	evidence.teller = random_below(round->random, 5);
	if (evidence.kind == MODEL_BORN && random_below(round->random, 4) == 0)
		evidence.other = -1;
	if (evidence.kind == MODEL_TAKES_OVER &&
			evidence.other == evidence.thread)
		evidence.other = (evidence.other + 1) % THREADS;
	/* Names that may be stale are kept apart: no order with others. */
	if (evidence.kind == MODEL_PROCNAME) {
		evidence.moment.order = ++round->order;
		round->order++;
	}
	return evidence;
}

static void add_to_history(struct round *round,
		const struct model_evidence *evidence)
{
	struct commcache_history_thread *thread = thread_of(round,
			evidence->thread);
	struct commcache_history_thread *other = thread_of(round,
			evidence->other);
	const struct commcache_comm *comm = evidence->has_comm ?
			&evidence->comm : NULL;
	enum commcache_history_status status = COMMCACHE_HISTORY_INVALID;

	switch (evidence->kind) {
	case MODEL_IS:
		status = commcache_history_is(thread, evidence->moment, comm);
		break;
	case MODEL_PROCNAME:
		status = commcache_history_procname(thread, evidence->moment,
				comm);
		break;
	case MODEL_BECOMES:
		status = evidence->is_late ? commcache_history_became(thread,
				evidence->since, evidence->moment,
				evidence->has_old ? &evidence->old : NULL,
				comm) : commcache_history_becomes(thread,
				evidence->moment,
				evidence->has_old ? &evidence->old : NULL,
				comm);
		break;
	case MODEL_RENAMED:
		status = commcache_history_renamed(thread, evidence->since,
				evidence->moment, comm);
		break;
	case MODEL_BORN:
		status = commcache_history_born(thread, evidence->moment,
				evidence->teller, other, comm);
		break;
	case MODEL_DIES:
		status = commcache_history_dies(thread, evidence->moment, comm);
		break;
	case MODEL_TAKES_OVER:
		status = commcache_history_takes_over(thread, other,
				evidence->moment);
		break;
	}
	assert_true(status >= 0);
}

static void print_round(const struct round *round, int thread,
		struct commcache_moment moment)
{
	static const char *const kinds[] = { "is", "procname", "becomes",
			"renamed", "born", "dies", "takes over" };

	print_message("# thread %d at %lld.%u; evidence:\n", thread,
			(long long) moment.time, moment.order);
	for (unsigned int i = 0; i < round->model.count; i++) {
		const struct model_evidence *evidence =
				&round->model.evidence[i];

		print_message("#   %lld.%u thread %d %s comm %s old %s other %d teller %d since %lld.%u%s\n",
				(long long) evidence->moment.time,
				evidence->moment.order, evidence->thread,
				kinds[evidence->kind],
				evidence->has_comm ? evidence->comm.str : "-",
				evidence->has_old ? evidence->old.str : "-",
				evidence->other, (int) evidence->teller,
				(long long) evidence->since.time,
				evidence->since.order,
				evidence->void_ ? " (void)" : "");
	}
}

static bool is_same(const struct round *round,
		const struct commcache_history_name *name,
		const struct model_answer *answer)
{
	if (round->has_forgotten && answer->is_known &&
			name->source == COMMCACHE_HISTORY_INHERITED)
		return commcache_comm_equal(name->comm, &answer->comm);
	if (name->source != answer->source)
		return false;
	if (!answer->is_known)
		return name->reason == answer->reason && name->id == 0;
	return commcache_comm_equal(name->comm, &answer->comm) &&
			(name->weak != 0) == answer->weak &&
			name->reason == COMMCACHE_HISTORY_REASON_NONE;
}

static void compare(struct round *round, int thread,
		struct commcache_moment moment)
{
	struct commcache_history_name name = commcache_history_resolve(
			thread_of(round, thread), moment);
	struct model_answer answer = model_resolve(&round->model, thread,
			moment);

	if (is_same(round, &name, &answer))
		return;
	print_round(round, thread, moment);
	fail_msg("history: %s source %d reason %d weak %d; model: %s source %d reason %d weak %d",
			name.comm->str, name.source, name.reason, name.weak,
			answer.is_known ? answer.comm.str : "?",
			(int) answer.source, (int) answer.reason, answer.weak);
}

static struct commcache_moment random_moment(struct round *round)
{
	uint64_t span = (uint64_t) round->time - (uint64_t) round->first_time;
	int64_t time = (int64_t) ((uint64_t) round->first_time + random_next(
			round->random) % (span + 1));

	switch (random_below(round->random, 20)) {
	case 0:
		return at(INT64_MIN);
	case 1:
		return commcache_moment(INT64_MAX, UINT32_MAX);
	default:
		return commcache_moment(time, random_below(round->random, 6));
	}
}

/* Ask all threads, at all times. */
static void compare_all(struct round *round)
{
	for (int thread = 0; thread < THREADS; thread++) {
		compare(round, thread, at(INT64_MIN));
		for (unsigned int i = 0; i < round->model.count; i++)
			compare(round, thread, round->model.evidence[i].moment);
		compare(round, thread, commcache_moment(INT64_MAX, UINT32_MAX));
	}
}

static void add_file(struct round *round)
{
	int thread = (int) random_below(round->random, THREADS);
	struct commcache_comm comm = random_name(round);

	round->model.has_file[thread] = true;
	round->model.file[thread] = comm;
	assert_true(commcache_history_file(thread_of(round, thread), &comm) >=
			0);
}

/* Evidence in order, questions among it, at all times. */
static void test_in_order(void **state)
{
	uint64_t random = seed;
	unsigned long done = 0;

	(void) state;
	while (done < operations) {
		struct round round;
		unsigned int count = 1 + random_below(&random,
				EVIDENCE_A_ROUND);

		round_begin(&round, &random);
		if (random_below(&random, 4) == 0)
			add_file(&round);
		for (unsigned int i = 0; i < count; i++) {
			struct model_evidence evidence;

			pass_time(&round);
			evidence = random_evidence(&round);
			model_add(&round.model, &evidence);
			add_to_history(&round, &evidence);
			keep(&round);
			compare(&round, (int) random_below(&random, THREADS),
					random_moment(&round));
			compare(&round, evidence.thread, evidence.moment);
			done += 3;
		}
		if (random_below(&random, 8) == 0)
			compare_all(&round);
		round_end(&round);
	}
	print_message("# %lu operations\n", done);
}

static void shuffle(struct round *round, unsigned int *indices,
		unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		indices[i] = i;
	for (unsigned int i = count; i > 1; i--) {
		unsigned int other = random_below(round->random, i);
		unsigned int index = indices[i - 1];

		indices[i - 1] = indices[other];
		indices[other] = index;
	}
}

/*
 * Evidence in any order at all. What says nothing new is not kept, so that all
 * says something new: names do not come again, and no one dies.
 */
static void test_any_order(void **state)
{
	uint64_t random = seed + 1;
	unsigned long done = 0;

	(void) state;
	while (done < operations / 4) {
		unsigned int indices[60];
		struct model_evidence evidence[60];
		struct round round;
		unsigned int count = 1 + random_below(&random, 60);

		round_begin(&round, &random);
		round.fresh_names = true;
		for (unsigned int i = 0; i < count; i++) {
			/* No two at one moment: that order is the adding's. */
			round.order = 0;
			round.time += round.time < INT64_MAX - 3;
			if (round.time >= INT64_MAX - 3)
				round.order = i;
			do {
				evidence[i] = random_evidence(&round);
			}
			while (evidence[i].kind == MODEL_DIES ||
					evidence[i].kind == MODEL_PROCNAME ||
					evidence[i].kind == MODEL_TAKES_OVER);
			evidence[i].since = evidence[i].moment;
			evidence[i].teller = COMMCACHE_HISTORY_TELLER_ALONE;
			/* Some renames from the name that is known, some not. */
			if (i && random_below(&random, 2)) {
				evidence[i].thread = evidence[i - 1].thread;
				evidence[i].old = evidence[i - 1].comm;
			}
		}
		shuffle(&round, indices, count);
		for (unsigned int i = 0; i < count; i++) {
			model_add(&round.model, &evidence[indices[i]]);
			add_to_history(&round, &evidence[indices[i]]);
			keep(&round);
			compare(&round, (int) random_below(&random, THREADS),
					random_moment(&round));
			done += 2;
		}
		compare_all(&round);
		round_end(&round);
	}
	print_message("# %lu operations\n", done);
}

static bool is_before(struct commcache_moment a, struct commcache_moment b)
{
	return a.time < b.time || (a.time == b.time && a.order < b.order);
}

/* What has been forgotten: all before that, by thread. */
static void note_forgotten(struct round *round, struct commcache_moment horizon,
		struct commcache_moment *forgotten)
{
	for (int thread = 0; thread < THREADS; thread++) {
		/* A life that is over goes: ask from its next evidence on. */
		if (is_before(forgotten[thread], horizon))
			forgotten[thread] = horizon;
		if (model_is_over(&round->model, thread, horizon))
			forgotten[thread] = at(INT64_MAX);
	}
}

/* Is the name of the other thread told by what has been told up to here? */
static bool is_known_by_then(const struct round *round,
		const struct model_evidence *evidence)
{
	struct model_answer answer = model_resolve(&round->model,
			evidence->other, evidence->moment);

	return answer.is_known && answer.source != COMMCACHE_HISTORY_LATER;
}

/*
 * An endless stream: what is asked after the horizon is answered as if nothing
 * had been forgotten.
 */
static void test_forget(void **state)
{
	uint64_t random = seed + 2;
	unsigned long done = 0;

	(void) state;
	while (done < operations / 4) {
		struct commcache_moment forgotten[THREADS] = { 0 };
		struct commcache_moment horizon = at(INT64_MIN);
		struct round round;

		round_begin(&round, &random);
		for (int thread = 0; thread < THREADS; thread++)
			forgotten[thread] = horizon;
		for (unsigned int i = 0; i < EVIDENCE_A_ROUND; i++) {
			struct model_evidence evidence;
			int thread = (int) random_below(&random, THREADS);
			struct commcache_moment moment;

			/* No ties: a parent that is gone has no children then. */
			pass_time(&round);
			round.order++;
			evidence = random_evidence(&round);
			/* Looking back beyond the horizon is no test of it. */
			evidence.since = evidence.moment;
			evidence.teller = COMMCACHE_HISTORY_TELLER_ALONE;
			if (evidence.kind == MODEL_DIES)
				evidence.has_comm = false;
			/*
			 * Who has children or is taken over is there, and
			 * called by what is known by then: what becomes known
			 * later is not learned through one that is gone.
			 */
			if (evidence.other >= 0 && (model_is_over(&round.model,
					evidence.other, evidence.moment) ||
					!is_known_by_then(&round, &evidence)))
				continue;
			/* What is inherited loses that it may be stale. */
			if (evidence.kind == MODEL_PROCNAME)
				continue;
			/* A number comes back by a birth. */
			if (evidence.kind != MODEL_BORN && model_is_over(
					&round.model, evidence.thread,
					evidence.moment))
				continue;
			model_add(&round.model, &evidence);
			add_to_history(&round, &evidence);
			keep(&round);
			if (forgotten[evidence.thread].time == INT64_MAX)
				forgotten[evidence.thread] = evidence.moment;
			if (random_below(&random, 10) == 0) {
				int64_t back = random_below(&random, 8);

				if (round.time > INT64_MIN + back &&
						round.time - back >
						horizon.time)
					horizon = at(round.time - back);
				round.has_forgotten = true;
				assert_int_equal(commcache_history_forget(
						round.domain, horizon),
						COMMCACHE_HISTORY_CHANGED);
				note_forgotten(&round, horizon, forgotten);
			}
			moment = commcache_moment(round.time, round.order);
			if (random_below(&random, 2))
				moment = horizon;
			done += 2;
			if (!is_before(moment, forgotten[thread]))
				compare(&round, thread, moment);
		}
		round_end(&round);
	}
	print_message("# %lu operations\n", done);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_forget),
	};

	if (argc > 1)
		operations = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
