/* SPDX-License-Identifier: MIT */

/*
 * What was it called at that moment?
 *
 * Each step narrows the span in which the answer holds, so that the next
 * question of the same thread is mostly two compares.
 */

#include "history-private.h"

/* Generations that a name is inherited through; corrupt records make circles. */
#define MAX_GENERATIONS 64

static void answer_at(struct commcache_history_thread *thread,
		struct commcache_moment moment, unsigned int depth,
		struct cursor *answer);

static void know(const struct commcache_history_thread *thread, uint32_t comm,
		enum commcache_history_source source, struct cursor *answer)
{
	answer->name = (struct commcache_history_name) {
		.comm = comms_get(&thread->history->comms, comm),
		.id = comm,
		.source = (uint8_t) source,
	};
}

static void not_know(const struct commcache_history_thread *thread,
		enum commcache_history_reason reason, struct cursor *answer)
{
	know(thread, COMM_UNKNOWN, COMMCACHE_HISTORY_UNKNOWN, answer);
	answer->name.reason = (uint8_t) reason;
}

static bool is_known(const struct cursor *answer)
{
	return answer->name.source != COMMCACHE_HISTORY_UNKNOWN;
}

static void narrow(struct cursor *answer, struct commcache_moment begin,
		struct commcache_moment end)
{
	answer->begin = moment_later(answer->begin, begin);
	answer->end = moment_earlier(answer->end, end);
}

static void narrow_to_change(struct cursor *answer,
		const struct changes *changes, int64_t position)
{
	narrow(answer, changes_moment(changes, position),
			changes_moment(changes, position + 1));
}

/*
 * The name that the change after the position tells for the time before it.
 * COMM_UNKNOWN: none.
 */
static uint32_t told_next(const struct changes *changes, int64_t position)
{
	const struct change *next;

	if (position + 1 >= changes->count)
		return COMM_UNKNOWN;
	next = &changes->array[position + 1];
	if (change_starts_life(next) || (next->kind != CHANGE_IS &&
			next->kind != CHANGE_WAS))
		return COMM_UNKNOWN;
	return next->value;
}

/*
 * The same, where it holds up to that change. Not where that is told late: the name
 * was another before.
 */
static uint32_t told_up_to(const struct changes *changes, int64_t position)
{
	if (position + 2 < changes->count &&
			changes->array[position + 1].kind == CHANGE_WAS &&
			changes->array[position + 2].note & NOTE_LATE)
		return COMM_UNKNOWN;
	return told_next(changes, position);
}

/* The answer of another thread at a moment; its span says nothing of ours. */
static void answer_of(struct commcache_history_thread *thread, uint32_t index,
		struct commcache_moment moment, unsigned int depth,
		struct cursor *answer)
{
	struct cursor other = { .begin = MOMENT_MIN, .end = MOMENT_END };

	answer->version = 0;
	if (depth >= MAX_GENERATIONS) {
		not_know(thread, COMMCACHE_HISTORY_REASON_PARENT, answer);
		return;
	}
	answer_at(thread->history->threads[index], moment, depth + 1, &other);
	answer->name = other.name;
	if (!is_known(&other))
		not_know(thread, COMMCACHE_HISTORY_REASON_PARENT, answer);
	else if (other.name.source < COMMCACHE_HISTORY_FILE)
		answer->name.source = COMMCACHE_HISTORY_INHERITED;
}

/* The name that holds after the change at the position, if that tells one. */
static void told_at(struct commcache_history_thread *thread, int64_t position,
		unsigned int depth, struct cursor *answer)
{
	const struct changes *changes = &thread->changes;
	const struct change *change;

	not_know(thread, COMMCACHE_HISTORY_REASON_NO_EVIDENCE, answer);
	if (position < 0) {
		if (changes->count && change_starts_life(changes->array))
			answer->name.reason =
					COMMCACHE_HISTORY_REASON_NO_LIFE;
		return;
	}
	change = &changes->array[position];
	switch ((enum change_kind) change->kind) {
	case CHANGE_IS:
		know(thread, change->value, COMMCACHE_HISTORY_SEEN, answer);
		break;
	case CHANGE_SET:
	case CHANGE_WAS:
		know(thread, change->value, COMMCACHE_HISTORY_SET, answer);
		break;
	case CHANGE_BORN:
		if (change->value != COMM_UNKNOWN)
			know(thread, change->value, COMMCACHE_HISTORY_SET,
					answer);
		break;
	case CHANGE_BORN_AS:
	case CHANGE_TOOK:
		if (change->value != COMM_UNKNOWN)
			know(thread, change->value,
					COMMCACHE_HISTORY_INHERITED, answer);
		else
			answer->name.reason = COMMCACHE_HISTORY_REASON_PARENT;
		break;
	case CHANGE_BORN_OF:
	case CHANGE_TAKES:
		answer_of(thread, change->value, change_moment(change), depth,
				answer);
		break;
	case CHANGE_RENAMED:
		answer->name.reason = COMMCACHE_HISTORY_REASON_RENAMED;
		break;
	case CHANGE_DIES:
	case CHANGE_JOIN:
		break;
	}
}

/*
 * Renamed at the position, not told how. The next evidence tells, but for one
 * case: a rename that tells both names, from the one before this, is the same
 * rename told twice.
 */
static void settle_renamed(struct commcache_history_thread *thread,
		int64_t position, unsigned int depth, struct cursor *answer)
{
	const struct changes *changes = &thread->changes;
	uint32_t comm = told_next(changes, position);
	bool is_old = comm != COMM_UNKNOWN &&
			changes->array[position + 1].kind == CHANGE_WAS;
	bool is_first = change_starts_life(&changes->array[position]);

	if (is_old) {
		uint32_t before = COMM_UNKNOWN;

		if (!is_first) {
			told_at(thread, position - 1, depth, answer);
			before = answer->name.id;
		}
		if (before == COMM_UNKNOWN)
			comm = COMM_UNKNOWN;
		else if (before == comm)
			comm = changes->array[position + 2].value;
	}
	if (comm == COMM_UNKNOWN)
		not_know(thread, COMMCACHE_HISTORY_REASON_RENAMED, answer);
	else
		know(thread, comm, COMMCACHE_HISTORY_LATER, answer);
}

/* From names that may be stale, within the life and up to a rename. */
static bool answer_weak(struct commcache_history_thread *thread,
		int64_t position, struct commcache_moment moment,
		struct cursor *answer)
{
	struct commcache_moment begin = changes_moment(&thread->changes,
			position);
	struct commcache_moment end = changes_moment(&thread->changes,
			position + 1);
	struct changes *weak = &thread->weak;
	int64_t place = changes_position(weak, moment);
	enum commcache_history_source source = COMMCACHE_HISTORY_SEEN;

	narrow_to_change(answer, weak, place);
	/* The moment can be after the end, where the thread runs on. */
	while (place >= 0 && !moment_before(changes_moment(weak, place), end))
		place--;
	if (place < 0 || moment_before(changes_moment(weak, place), begin)) {
		source = COMMCACHE_HISTORY_LATER;
		place++;
		if (!moment_before(changes_moment(weak, place), end))
			return false;
	}
	if (place >= weak->count)
		return false;
	know(thread, weak->array[place].value, source, answer);
	answer->name.weak = 1;
	return true;
}

/* See commcache_history_program(). */
static bool is_of_program(const struct changes *changes, int64_t position)
{
	return position >= 0 &&
			changes->array[position].kind == CHANGE_TOOK &&
			changes->array[position].value == COMM_UNKNOWN;
}

/* Nothing at or before the moment tells a name, or only with less authority. */
static void answer_otherwise(struct commcache_history_thread *thread,
		int64_t position, struct commcache_moment moment,
		struct cursor *answer)
{
	/* A parent's name that may be stale, or is from elsewhere. */
	struct commcache_history_name inherited = answer->name;
	uint32_t comm = told_next(&thread->changes, position);

	/* Of this program there is but that name; the next can be another's. */
	if (is_of_program(&thread->changes, position) &&
			answer_weak(thread, position, moment, answer))
		return;
	if (comm != COMM_UNKNOWN)
		know(thread, comm, COMMCACHE_HISTORY_LATER, answer);
	else if (answer_weak(thread, position, moment, answer))
		;
	else if (inherited.id != COMM_UNKNOWN)
		answer->name = inherited;
	else if (position < 0 && thread->file_comm != COMM_UNKNOWN)
		know(thread, thread->file_comm, thread->cpu >= 0 ?
				COMMCACHE_HISTORY_SET : COMMCACHE_HISTORY_FILE,
				answer);
}

/*
 * After the moment up to which it was surely called so, it may have the name that
 * is told next.
 */
static void doubt(struct commcache_history_thread *thread, int64_t position,
		struct commcache_moment moment, struct cursor *answer)
{
	const bool is_same = told_up_to(&thread->changes, position) ==
			answer->name.id;
	struct commcache_moment begin;

	/* Of two names that the parent may have had, it was the first. */
	if (answer->name.source == COMMCACHE_HISTORY_BETWEEN && is_same)
		answer->name.source = COMMCACHE_HISTORY_INHERITED;
	if (is_same || answer->name.source > COMMCACHE_HISTORY_SEEN ||
			answer->name.weak ||
			!between_begins(thread, position, &begin))
		return;
	if (moment_before(moment, begin)) {
		narrow(answer, MOMENT_MIN, begin);
		return;
	}
	narrow(answer, begin, MOMENT_END);
	answer->name.source = COMMCACHE_HISTORY_BETWEEN;
}

/* The answer in the life at the position, at a moment. */
static void answer_in_life(struct commcache_history_thread *thread,
		int64_t position, struct commcache_moment moment,
		unsigned int depth, struct cursor *answer)
{
	const struct changes *changes = &thread->changes;

	/* It runs on, with its last name. */
	if (position >= 0 && changes->array[position].kind == CHANGE_DIES)
		position--;
	told_at(thread, position, depth, answer);
	if (position >= 0 && changes->array[position].kind == CHANGE_RENAMED)
		settle_renamed(thread, position, depth, answer);
	else if (!is_known(answer) || answer->name.weak ||
			answer->name.source == COMMCACHE_HISTORY_FILE)
		answer_otherwise(thread, position, moment, answer);
	doubt(thread, position, moment, answer);
}

static void answer_joined(struct commcache_history_thread *thread,
		struct join *join, struct commcache_moment moment,
		unsigned int depth, struct cursor *answer)
{
	struct changes *changes = &join->root->changes;
	int64_t position;

	answer->version = 0;
	join_refresh(join);
	if (moment_before(moment, join->begin)) {
		narrow(answer, MOMENT_MIN, join->begin);
		not_know(thread, COMMCACHE_HISTORY_REASON_NO_LIFE, answer);
		return;
	}
	if (moment_before(moment, join->limit)) {
		position = changes_position(changes, moment);
		narrow_to_change(answer, changes, position);
	} else {
		/* It runs on, though its number outside is another's now. */
		narrow(answer, join->limit, MOMENT_END);
		position = changes_search(changes, join->limit);
		while (position >= 0 && !moment_before(changes_moment(changes,
				position), join->limit))
			position--;
	}
	answer_in_life(join->root, position, moment, depth, answer);
}

static void answer_at(struct commcache_history_thread *thread,
		struct commcache_moment moment, unsigned int depth,
		struct cursor *answer)
{
	struct changes *changes;
	int64_t position;

	if (thread->view_of)
		thread = thread->view_of;
	changes = &thread->changes;
	position = changes_position(changes, moment);
	narrow_to_change(answer, changes, position);
	if (position >= 0 && changes->array[position].kind == CHANGE_JOIN)
		answer_joined(thread, &thread->joins[
				changes->array[position].value], moment, depth,
				answer);
	else
		answer_in_life(thread, position, moment, depth, answer);
}

void thread_answer(struct commcache_history_thread *thread,
		struct commcache_moment moment, struct cursor *answer)
{
	answer->begin = MOMENT_MIN;
	answer->end = MOMENT_END;
	answer->version = CURSOR_OWN;
	answer_at(thread, moment, 0, answer);

	if (!is_known(answer) && thread_is_blank(thread))
		answer->name.reason = domain_is_inner(thread->domain) ?
				COMMCACHE_HISTORY_REASON_NOT_JOINED :
				COMMCACHE_HISTORY_REASON_NO_THREAD;
	/* What rests on other threads too holds until any of them changes. */
	if (answer->version != CURSOR_OWN)
		answer->version = thread->history->version;
}

/* Whose changes tell the answer at that moment, and which of them is the last. */
static struct commcache_history_thread *teller_at(
		struct commcache_history_thread *thread,
		struct commcache_moment moment, int64_t *position)
{
	const struct change *array = thread->changes.array;

	*position = changes_search(&thread->changes, moment);
	if (*position >= 0 && array[*position].kind == CHANGE_JOIN) {
		const struct join *join = &thread->joins[
				array[*position].value];

		thread = join->root;
		array = thread->changes.array;
		*position = changes_search(&thread->changes, moment);
		while (*position >= 0 && !moment_before(change_moment(
				&array[*position]), join->limit))
			--*position;
	}
	if (*position >= 0 && array[*position].kind == CHANGE_DIES)
		--*position;
	return thread;
}

struct commcache_history_name commcache_history_other(
		struct commcache_history_thread *thread,
		struct commcache_moment moment)
{
	struct commcache_history_name name = commcache_history_resolve(thread,
			moment);
	struct commcache_moment begin;
	struct cursor answer;
	int64_t position;

	if (name.source != COMMCACHE_HISTORY_BETWEEN)
		return name;
	if (thread->view_of)
		thread = thread->view_of;
	moment = moment_fit(moment);
	thread = teller_at(thread, moment, &position);
	for (int i = 0; i < MAX_GENERATIONS && !between_begins(thread,
			position, &begin); i++) {
		/* So it is the parent that was between two. */
		const struct change *birth = &thread->changes.array[position];

		moment = change_moment(birth);
		thread = teller_at(thread->history->threads[birth->value],
				moment, &position);
	}
	if (told_up_to(&thread->changes, position) != COMM_UNKNOWN)
		know(thread, told_up_to(&thread->changes, position),
				COMMCACHE_HISTORY_LATER, &answer);
	else
		thread_answer(thread, changes_moment(&thread->changes,
				between_end(&thread->changes, position)),
				&answer);
	return answer.name;
}

static const struct commcache_history_name no_thread = {
	.comm = &(const struct commcache_comm) { .str = "<...>" },
	.id = COMM_UNKNOWN,
	.source = COMMCACHE_HISTORY_UNKNOWN,
	.reason = COMMCACHE_HISTORY_REASON_NO_THREAD,
};

/* What is not at hand. */
static struct commcache_history_name resolve_anew(
		struct commcache_history_thread *thread,
		struct commcache_moment moment)
{
	struct commcache_history_name name;

	if (thread->view_of) {
		name = commcache_history_resolve(thread->view_of, moment);
		name.assumed_root = 1;
		return name;
	}
	thread_answer(thread, moment, &thread->cursor);
	return thread->cursor.name;
}

struct commcache_history_name commcache_history_resolve(
		struct commcache_history_thread *thread,
		struct commcache_moment moment)
{
	const struct cursor *cursor;

	if (!thread)
		return no_thread;
	cursor = &thread->cursor;
	moment = moment_fit(moment);
	if ((cursor->version == CURSOR_OWN ||
			cursor->version == thread->history->version) &&
			cursor_holds(cursor, moment))
		return cursor->name;
	return resolve_anew(thread, moment);
}
