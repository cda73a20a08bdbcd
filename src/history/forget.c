/* SPDX-License-Identifier: MIT */

/*
 * Endless streams: what can no longer be asked goes.
 *
 * First all is planned, and all memory taken that this needs; then nothing can
 * fail any more.
 */

#include "history-private.h"
#include "heap.h"

struct forgetting {
	/* Weak, owned by the caller. */
	struct commcache_history *history;
	struct group *group;
	struct commcache_moment horizon;
	/* Nothing at all will be asked. */
	bool is_all;
	/* Owned by this: from a thread's index to what stays of it. */
	struct plan *plans;
	/* Owned by this: from old ids to new ones. */
	uint32_t *ids;
	/* What of the names stays; owned by this until it is the history's. */
	struct comms comms;
};

/* What stays of a thread. */
struct plan {
	/* Positions from which on changes stay. */
	uint32_t changes_from;
	uint32_t weak_from;
	uint32_t held_from;
	/* Its new index, THREAD_NONE: it goes. */
	uint32_t index;
};

static bool is_of_group(const struct forgetting *forgetting,
		const struct commcache_history_thread *thread)
{
	return thread->domain->group == forgetting->group;
}

/* The joined life is over before the horizon. */
static bool join_is_over(const struct forgetting *forgetting,
		struct commcache_history_thread *thread, int64_t position)
{
	const struct change *change = &thread->changes.array[position];
	struct join *join;

	if (change->kind != CHANGE_JOIN)
		return false;
	join = &thread->joins[change->value];
	join_refresh(join);
	return !moment_before(forgetting->horizon, join->end);
}

static uint32_t plan_changes(const struct forgetting *forgetting,
		struct commcache_history_thread *thread)
{
	const struct changes *changes = &thread->changes;
	int64_t position = changes_search(changes, forgetting->horizon);

	if (position < 0)
		return 0;
	if (join_is_over(forgetting, thread, position))
		return (uint32_t) position + 1;
	if (changes->array[position].kind == CHANGE_DIES) {
		if (position + 1 == changes->count)
			return changes->count;
		position--;
	}
	/* A rename is understood by what was before it. */
	if (position > 0 && changes->array[position].kind == CHANGE_RENAMED &&
			!change_starts_life(&changes->array[position]))
		position--;
	return position > 0 ? (uint32_t) position : 0;
}

/* Of stretches that stay. */
static uint32_t plan_held(const struct commcache_history_thread *thread,
		uint32_t changes_from)
{
	const struct commcache_moment begin = changes_moment(&thread->changes,
			changes_from);
	int64_t position = changes_search(&thread->held, begin);

	while (position >= 0 && !moment_before(changes_moment(&thread->held,
			position), begin))
		position--;
	return (uint32_t) (position + 1);
}

static void plan_thread(const struct forgetting *forgetting,
		struct commcache_history_thread *thread, struct plan *plan)
{
	const struct changes *weak = &thread->weak;
	int64_t position = changes_search(weak, forgetting->horizon);
	bool is_over;

	*plan = (struct plan) { 0 };
	if (!is_of_group(forgetting, thread))
		return;
	if (forgetting->is_all) {
		plan->changes_from = thread->changes.count;
		plan->weak_from = weak->count;
		plan->held_from = thread->held.count;
		plan->index = THREAD_NONE;
		return;
	}
	plan->changes_from = plan_changes(forgetting, thread);
	plan->held_from = plan_held(thread, plan->changes_from);
	is_over = thread->changes.count &&
			plan->changes_from == thread->changes.count;
	if (is_over && position + 1 == weak->count)
		plan->weak_from = weak->count;
	else if (position > 0)
		plan->weak_from = (uint32_t) position;
	if (plan->changes_from == thread->changes.count &&
			plan->weak_from == weak->count &&
			(is_over || thread->file_comm == COMM_UNKNOWN) &&
			thread->cpu < 0)
		plan->index = THREAD_NONE;
}

/* Does the other thread still tell what it was called then? */
static bool is_kept(const struct forgetting *forgetting,
		const struct commcache_history_thread *thread,
		struct commcache_moment moment)
{
	const struct plan *plan = &forgetting->plans[thread->index];

	if (plan->index == THREAD_NONE)
		return false;
	return !plan->changes_from || !moment_before(moment, changes_moment(
			&thread->changes, plan->changes_from));
}

/* Copy the name that a thread took from another, where that is to go. */
static void own_name(const struct forgetting *forgetting, struct change *change)
{
	struct commcache_history_thread *other =
			forgetting->history->threads[change->value];
	struct commcache_moment moment = change_moment(change);
	struct cursor answer;

	if (is_kept(forgetting, other, moment))
		return;
	thread_answer(other, moment, &answer);
	change->value = answer.name.id;
	change->kind = change->kind == CHANGE_BORN_OF ? CHANGE_BORN_AS :
			CHANGE_TOOK;
}

/*
 * What a change that stays points to: a joined thread stays too, and so does a
 * parent of which nothing is told yet. A parent that is over goes.
 */
static void keep_referred(struct forgetting *forgetting,
		const struct commcache_history_thread *thread)
{
	const struct changes *changes = &thread->changes;
	const struct commcache_history_thread *other;

	for (uint32_t i = forgetting->plans[thread->index].changes_from;
			i < changes->count; i++) {
		const struct change *change = &changes->array[i];
		struct plan *plan;

		if (change->kind == CHANGE_JOIN)
			other = thread->joins[change->value].root;
		else if (change_names_thread(change))
			other = forgetting->history->threads[change->value];
		else
			continue;
		plan = &forgetting->plans[other->index];
		if (plan->index == THREAD_NONE && (change->kind ==
				CHANGE_JOIN || thread_is_blank(other)))
			*plan = (struct plan) { 0 };
	}
}

static void plan_all(struct forgetting *forgetting)
{
	struct commcache_history *history = forgetting->history;
	uint32_t index = 0;

	for (uint32_t i = 0; i < history->thread_count; i++)
		plan_thread(forgetting, history->threads[i],
				&forgetting->plans[i]);
	for (uint32_t i = 0; i < history->thread_count; i++)
		keep_referred(forgetting, history->threads[i]);
	for (uint32_t i = 0; i < history->thread_count; i++) {
		struct commcache_history_thread *thread = history->threads[i];
		struct changes *changes = &thread->changes;

		if (forgetting->plans[i].index != THREAD_NONE)
			forgetting->plans[i].index = index++;
		for (uint32_t j = forgetting->plans[i].changes_from;
				j < changes->count; j++) {
			if (change_names_thread(&changes->array[j]))
				own_name(forgetting, &changes->array[j]);
		}
	}
}

/* Take over a name, if it is not taken over yet. */
static bool keep_comm(struct forgetting *forgetting, uint32_t id)
{
	if (id == COMM_UNKNOWN || forgetting->ids[id] != COMM_UNKNOWN)
		return true;
	forgetting->ids[id] = comms_intern(&forgetting->comms,
			comms_get(&forgetting->history->comms, id));
	return forgetting->ids[id] != COMM_UNKNOWN;
}

static bool keep_comms_of(struct forgetting *forgetting,
		const struct changes *changes, uint32_t from)
{
	for (uint32_t i = from; i < changes->count; i++) {
		if (change_names_comm(&changes->array[i]) &&
				!keep_comm(forgetting, changes->array[i].value))
			return false;
	}
	return true;
}

static bool keep_comms(struct forgetting *forgetting)
{
	struct commcache_history *history = forgetting->history;

	for (uint32_t i = 0; i < history->thread_count; i++) {
		const struct commcache_history_thread *thread =
				history->threads[i];
		const struct plan *plan = &forgetting->plans[i];

		if (plan->index == THREAD_NONE)
			continue;
		if (!keep_comms_of(forgetting, &thread->changes,
				plan->changes_from) ||
				!keep_comms_of(forgetting, &thread->weak,
				plan->weak_from) ||
				!keep_comms_of(forgetting, &thread->held,
				plan->held_from) ||
				!keep_comm(forgetting, thread->file_comm))
			return false;
	}
	return true;
}

/* Drop the changes before a position, and point the others to the new ids. */
static void trim(const struct forgetting *forgetting, struct changes *changes,
		uint32_t from)
{
	uint64_t *bytes = &forgetting->history->bytes;
	struct change *array;

	changes_remove(changes, 0, from);
	changes->hint = 0;
	for (uint32_t i = 0; i < changes->count; i++) {
		struct change *change = &changes->array[i];

		if (change_names_thread(change))
			change->value = forgetting->plans[change->value].index;
		else if (change_names_comm(change))
			change->value = forgetting->ids[change->value];
	}
	if (!changes->count) {
		changes_fini(changes, bytes);
	} else if (changes->count < changes->capacity / 2) {
		array = heap_resize(bytes, changes->array,
				changes->capacity * sizeof(*array),
				changes->count * sizeof(*array));
		if (array) {
			changes->array = array;
			changes->capacity = changes->count;
		}
	}
}

/* Drop the joins that no change refers to any more. */
static void trim_joins(struct commcache_history_thread *thread)
{
	struct changes *changes = &thread->changes;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < thread->join_count; i++) {
		uint32_t j = 0;

		while (j < changes->count && !(changes->array[j].kind ==
				CHANGE_JOIN && changes->array[j].value == i))
			j++;
		if (j == changes->count)
			continue;
		changes->array[j].value = kept;
		thread->joins[kept++] = thread->joins[i];
	}
	thread->join_count = kept;
}

static void rebuild_numbers(struct commcache_history *history)
{
	for (struct commcache_history_domain *domain = history->domains; domain;
			domain = domain->next) {
		numbers_clear(&domain->threads);
		numbers_clear(&domain->idle);
	}
	for (uint32_t i = 0; i < history->thread_count; i++) {
		struct commcache_history_thread *thread = history->threads[i];
		struct commcache_history_domain *domain = thread->domain;

		if (thread->cpu >= 0)
			numbers_add(&domain->idle, (uint32_t) thread->cpu,
					i + 1);
		else
			numbers_add(&domain->threads, thread->tid, i + 1);
	}
}

static void forget_now(struct forgetting *forgetting)
{
	struct commcache_history *history = forgetting->history;
	uint32_t count = history->thread_count;

	/* Joins point to threads that stay: look at those before any goes. */
	for (uint32_t i = 0; i < count; i++) {
		struct commcache_history_thread *thread = history->threads[i];
		const struct plan *plan = &forgetting->plans[i];

		trim(forgetting, &thread->changes, plan->changes_from);
		trim(forgetting, &thread->weak, plan->weak_from);
		trim(forgetting, &thread->held, plan->held_from);
		trim_joins(thread);
		thread->file_comm = forgetting->ids[thread->file_comm];
	}
	history->thread_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct commcache_history_thread *thread = history->threads[i];

		if (forgetting->plans[i].index == THREAD_NONE) {
			thread_free(thread);
			continue;
		}
		thread->index = history->thread_count;
		history->threads[history->thread_count++] = thread;
	}
	comms_fini(&history->comms);
	history->comms = forgetting->comms;
	rebuild_numbers(history);
	for (uint32_t i = 0; i < history->thread_count; i++)
		thread_changed(history->threads[i]);
}

enum commcache_history_status commcache_history_forget(
		struct commcache_history_domain *domain,
		struct commcache_moment horizon)
{
	struct commcache_history *history = domain->history;
	struct forgetting forgetting = {
		.history = history,
		.group = domain->group,
		.horizon = moment_fit(horizon),
		.is_all = horizon.time == INT64_MAX &&
				horizon.order == UINT32_MAX,
	};
	size_t plans = history->thread_count + 1;
	size_t ids = history->comms.count;
	bool has_comms = comms_init(&forgetting.comms, &history->bytes);

	forgetting.plans = calloc(plans, sizeof(*forgetting.plans));
	forgetting.ids = calloc(ids, sizeof(*forgetting.ids));
	if (!has_comms || !forgetting.plans || !forgetting.ids)
		goto no_memory;
	plan_all(&forgetting);
	if (!keep_comms(&forgetting))
		goto no_memory;

	forget_now(&forgetting);
	if (forgetting.is_all)
		history_drop_group(history, forgetting.group);
	free(forgetting.plans);
	free(forgetting.ids);
	return COMMCACHE_HISTORY_CHANGED;

no_memory:
	comms_fini(&forgetting.comms);
	free(forgetting.plans);
	free(forgetting.ids);
	return COMMCACHE_HISTORY_NO_MEMORY;
}
