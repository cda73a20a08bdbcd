/* SPDX-License-Identifier: MIT */

/*
 * PID namespaces: a life of a number in an inner namespace is a life of a number
 * in the root namespace. Its evidence is kept there, once.
 */

#include "history-private.h"
#include "heap.h"

/* The first death from a position up to another. */
static int64_t find_death(const struct changes *changes, int64_t position,
		int64_t end)
{
	if (position < 0)
		position = 0;
	while (position < end && changes->array[position].kind != CHANGE_DIES)
		position++;
	return position;
}

void join_refresh(struct join *join)
{
	struct changes *changes = &join->root->changes;
	int64_t position, begin, end;

	if (join->lives_version == changes->lives_version)
		return;
	position = changes_search(changes, join->told);
	begin = changes_life_begin(changes, position);
	end = changes_life_end(changes, position);
	join->has_begin = begin >= 0;
	join->has_birth = join->has_begin &&
			change_is_birth(&changes->array[begin]);
	join->begin = changes_moment(changes, begin);
	join->limit = changes_moment(changes, end);
	join->end = changes_moment(changes, find_death(changes, begin, end));
	join->lives_version = changes->lives_version;
}

/*
 * The join in whose life of the thread the position is, NULL: none. What is told
 * in that life is the root thread's, so that its own changes never follow.
 */
static struct join *join_at(struct commcache_history_thread *thread,
		int64_t position)
{
	const struct change *array = thread->changes.array;
	struct join *join;

	if (position < 0 || array[position].kind != CHANGE_JOIN)
		return NULL;
	join = &thread->joins[array[position].value];
	join_refresh(join);
	return join;
}

static bool life_has(const struct join *join, struct commcache_moment moment)
{
	return !moment_before(moment, join->begin) &&
			moment_before(moment, join->end);
}

struct commcache_history_thread *thread_route(
		struct commcache_history_thread *thread,
		struct commcache_moment moment)
{
	struct join *join;

	if (thread->view_of)
		return thread->view_of;
	if (!thread->join_count)
		return thread;
	join = join_at(thread, changes_position(&thread->changes, moment));
	if (join && life_has(join, moment))
		return join->root;
	return thread;
}

static bool same_life(const struct join *a, const struct join *b)
{
	return a->root == b->root && a->has_begin == b->has_begin &&
			a->begin.time == b->begin.time &&
			a->begin.order == b->begin.order;
}

/*
 * From which moment on the number is that life: from its birth, where that is
 * told and the number was free then; else as far back as its own life goes.
 */
static struct commcache_moment join_begin(
		const struct commcache_history_thread *thread,
		const struct join *join)
{
	const struct changes *changes = &thread->changes;
	int64_t position = changes_search(changes, join->told);
	int64_t own = changes_life_begin(changes, position);
	struct commcache_moment begin = changes_moment(changes, own);
	struct commcache_moment taken;

	if (changes_state(changes, position).dead) {
		/* What there is is another life, over or joined. */
		taken = changes_moment(changes, position);
		begin = join->told;
	} else if (own < 0 || change_is_birth(&changes->array[own])) {
		return moment_later(begin, join->begin);
	} else {
		taken = changes_moment(changes, own - 1);
	}
	if (join->has_birth && !moment_before(join->begin, taken))
		return join->begin;
	return begin;
}

static enum commcache_history_status move_birth(
		struct commcache_history_thread *root,
		const struct change *change)
{
	struct change birth = *change;
	enum commcache_history_status status = COMMCACHE_HISTORY_UNCHANGED;

	if (!change->note)
		return thread_add_birth(root, change_moment(change), &birth);
	/* Each teller by itself: some may have told the root's birth too. */
	for (unsigned int bit = 1; bit < 16 && status >= 0; bit <<= 1) {
		birth.note = change->note & bit;
		if (birth.note)
			status = thread_add_birth(root, change_moment(change),
					&birth);
	}
	return status;
}

/* Add the change at a position of the inner thread to the root thread. */
static enum commcache_history_status move_change(
		const struct changes *changes, int64_t position,
		struct commcache_history_thread *root)
{
	struct change news[2] = { [1] = changes->array[position] };
	struct change *change = &news[1];
	struct commcache_moment moment = change_moment(change);
	struct state before = changes_state(changes, position - 1);

	if (change_is_birth(change))
		return move_birth(root, change);
	change->note &= ~NOTE_START & 0xf;
	if (change->kind == CHANGE_WAS)
		return COMMCACHE_HISTORY_UNCHANGED;
	if (change->kind != CHANGE_SET || change->note & NOTE_OLD_UNKNOWN ||
			before.name != NAME_KNOWN)
		return thread_add(root, moment, change, 1);

	/* It says its old name too, by what is before it. */
	news[0] = (struct change) { .kind = CHANGE_WAS, .value = before.comm };
	if (changes_state(&root->changes, changes_search(&root->changes,
			moment)).comm == change->value)
		return thread_add(root, moment, change, 1);
	return thread_add(root, moment, news, 2);
}

/* Up to when the name after the change at a position was surely that one. */
static enum commcache_history_status move_held(
		struct commcache_history_thread *thread,
		struct commcache_history_thread *root, int64_t position,
		struct commcache_moment limit)
{
	struct change is = { .kind = CHANGE_IS };
	struct state state = changes_state(&thread->changes, position);
	struct commcache_moment moment;

	if (state.name != NAME_KNOWN || !between_begins(thread, position,
			&moment) || !moment_before(moment, limit))
		return COMMCACHE_HISTORY_UNCHANGED;
	/* The moment after it: there is nothing between the two. */
	is.value = state.comm;
	return thread_add(root, moment, &is, 1);
}

/* Give the root thread what was told of that life by its inner number. */
static enum commcache_history_status move_evidence(
		struct commcache_history_thread *thread,
		struct commcache_history_thread *root, int64_t from, int64_t to,
		struct commcache_moment begin, struct commcache_moment limit)
{
	enum commcache_history_status status = COMMCACHE_HISTORY_CHANGED;
	const struct changes *changes = &thread->changes;
	const struct changes *weak = &thread->weak;
	struct state last = changes_state(changes, to - 1);

	for (int64_t i = from; i < to && status >= 0; i++) {
		status = move_change(changes, i, root);
		if (status >= 0)
			status = move_held(thread, root, i, limit);
	}
	if (status >= 0 && to == changes->count && to > from &&
			thread->has_sighting && last.name == NAME_KNOWN &&
			moment_before(thread->sighting, limit)) {
		struct change is = { .kind = CHANGE_IS, .value = last.comm };

		status = thread_add(root, thread->sighting, &is, 1);
	}
	for (int64_t i = changes_search(weak, begin); i < weak->count &&
			status >= 0; i++) {
		struct commcache_moment moment = changes_moment(weak, i);

		if (i >= 0 && !moment_before(moment, begin) &&
				moment_before(moment, limit))
			status = thread_add_weak(root, moment,
					weak->array[i].value);
	}
	return status;
}

/*
 * Is what begins at the position still the joined life? It is, if no birth is
 * told: that was another life only for want of the join. And if the birth can be
 * the joined one's, told once more by the thread itself.
 */
static bool goes_on(const struct changes *changes, int64_t from,
		int64_t position, const struct join *join)
{
	const struct changes *root = &join->root->changes;
	const struct change *change = &changes->array[position];
	const struct change *birth;

	if (change->kind == CHANGE_JOIN || (position > from &&
			changes->array[position - 1].kind == CHANGE_DIES))
		return false;
	if (!change_is_birth(change))
		return true;
	if (!join->has_birth)
		return false;
	birth = &root->array[changes_life_begin(root, changes_search(root,
			join->told))];
	return change->note && birth->note && !(change->note & birth->note);
}

/* Where the number's own changes in the joined life begin: at that moment. */
static int64_t own_begin(const struct changes *changes,
		struct commcache_moment begin)
{
	int64_t from = changes_search(changes, begin) + 1;

	while (from > 0 && changes->array[from - 1].kind != CHANGE_JOIN &&
			!moment_before(changes_moment(changes, from - 1),
			begin))
		from--;
	return from;
}

/* And where they end. */
static int64_t own_end(const struct changes *changes, int64_t from,
		const struct join *join)
{
	int64_t end = changes_life_end(changes, changes_search(changes,
			join->told));
	int64_t to = from;

	while (end < changes->count && goes_on(changes, from, end, join))
		end = changes_life_end(changes, end);
	while (to < end && moment_before(changes_moment(changes, to),
			join->end))
		to++;
	return to;
}

bool thread_reserve_join(struct commcache_history_thread *thread)
{
	uint32_t capacity = thread->join_capacity +
			thread->join_capacity / 2 + 1;
	struct join *joins;

	if (thread->join_count < thread->join_capacity)
		return true;
	joins = heap_resize(&thread->history->bytes, thread->joins,
			thread->join_capacity * sizeof(*joins),
			capacity * sizeof(*joins));
	if (!joins)
		return false;
	thread->joins = joins;
	thread->join_capacity = capacity;
	return true;
}

static enum commcache_history_status add_join(
		struct commcache_history_thread *thread, struct join *join)
{
	struct changes *changes = &thread->changes;
	uint64_t *bytes = &thread->history->bytes;
	struct commcache_moment begin = join_begin(thread, join);
	struct change change = {
		.time = begin.time,
		.order = begin.order & ORDER_MAX,
		.kind = CHANGE_JOIN,
		.value = thread->join_count,
	};
	int64_t from, to;
	struct state before;
	enum commcache_history_status status;

	if (!thread_reserve_join(thread) || !changes_reserve(changes, 1, bytes))
		goto no_memory;

	from = own_begin(changes, begin);
	to = own_end(changes, from, join);
	status = move_evidence(thread, join->root, from, to, begin,
			moment_earlier(changes_moment(changes, to),
			join->end));
	if (status < 0)
		goto no_memory;

	before = changes_state(changes, to - 1);
	if (to == changes->count)
		thread->has_sighting = false;
	changes_remove(changes, from, (uint32_t) (to - from));
	changes_insert(changes, from, &change);
	thread->joins[thread->join_count++] = *join;
	if (!changes_settle(changes, from + 1, before, bytes))
		goto no_memory;
	thread_changed(thread);
	return COMMCACHE_HISTORY_CHANGED;

no_memory:
	thread->history->lost++;
	thread_changed(thread);
	return COMMCACHE_HISTORY_NO_MEMORY;
}

enum commcache_history_status commcache_history_join(
		struct commcache_history_thread *thread,
		struct commcache_history_thread *root,
		struct commcache_moment moment)
{
	struct join join, *known;

	if (!thread || !root || thread->domain->group != root->domain->group ||
			!domain_is_root(root->domain) || root->cpu >= 0)
		return COMMCACHE_HISTORY_INVALID;
	if (domain_is_root(thread->domain))
		return COMMCACHE_HISTORY_UNCHANGED;
	if (!domain_is_inner(thread->domain))
		return COMMCACHE_HISTORY_INVALID;

	moment = moment_fit(moment);
	join = (struct join) { .root = root, .told = moment };
	join.lives_version = root->changes.lives_version - 1;
	join_refresh(&join);
	known = join_at(thread, changes_position(&thread->changes, moment));
	if (known && same_life(known, &join))
		return COMMCACHE_HISTORY_UNCHANGED;
	return add_join(thread, &join);
}
