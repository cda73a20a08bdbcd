/* SPDX-License-Identifier: MIT */

/*
 * All names of all threads, as spans of time.
 */

#include "history-private.h"

static bool same_answer(const struct commcache_history_name *a,
		const struct commcache_history_name *b)
{
	return a->id == b->id && a->source == b->source &&
			a->reason == b->reason && a->weak == b->weak;
}

/* Which life of the number it is at that moment, and whose outside. */
static void tell_life(struct commcache_history_thread *thread,
		struct commcache_moment moment, int64_t *position,
		struct commcache_history_span *span)
{
	const struct changes *changes = &thread->changes;

	while (!moment_before(moment, changes_moment(changes, *position + 1)) &&
			*position + 1 < changes->count) {
		++*position;
		if (*position > 0 && change_starts_life(
				&changes->array[*position]))
			span->life++;
	}
	span->root_tid = domain_is_root(thread->domain) ? span->tid : -1;
	if (*position >= 0 &&
			changes->array[*position].kind == CHANGE_JOIN) {
		const struct join *join = &thread->joins[
				changes->array[*position].value];

		span->root_tid = join->root->tid;
	}
}

static bool visit_thread(struct commcache_history_thread *thread,
		bool (*visit)(const struct commcache_history_span *span,
				void *data), void *data)
{
	const struct commcache_history_domain *domain = thread->domain;
	struct commcache_history_span span = {
		.host = domain->group->host,
		.boot = domain->group->has_boot ? domain->group->boot : NULL,
		.ns_inum = domain->ns_inum,
		.thread = thread,
		.tid = thread->tid,
		.cpu = thread->cpu,
	};
	struct commcache_moment moment = MOMENT_MIN;
	struct cursor answer;
	int64_t position = -1;
	bool is_first = true;

	do {
		uint32_t life = span.life;

		thread_answer(thread, moment, &answer);
		tell_life(thread, moment, &position, &span);
		if (is_first || life != span.life ||
				!same_answer(&answer.name, &span.name)) {
			span.begin = moment;
			span.has_begin = !is_first;
			span.name = answer.name;
			if (!visit(&span, data))
				return false;
		}
		is_first = false;
		moment = answer.end;
	} while (moment_before(moment, MOMENT_END));
	return true;
}

void commcache_history_for_each(struct commcache_history *history,
		bool (*visit)(const struct commcache_history_span *span,
				void *data), void *data)
{
	for (uint32_t i = 0; i < history->thread_count; i++) {
		struct commcache_history_thread *thread = history->threads[i];

		/* A view shows what another thread shows. */
		if (thread->view_of || thread_is_blank(thread))
			continue;
		if (!visit_thread(thread, visit, data))
			break;
	}
}

void commcache_history_for_each_of(struct commcache_history_thread *thread,
		bool (*visit)(const struct commcache_history_span *span,
				void *data), void *data)
{
	if (thread)
		visit_thread(thread->view_of ? thread->view_of : thread, visit,
				data);
}
