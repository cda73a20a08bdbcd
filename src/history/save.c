/* SPDX-License-Identifier: MIT */

/*
 * A history as bytes: all that it keeps, as it keeps it. What can be found again
 * (tables, hints, answers at hand) is left out.
 */

#include "history-private.h"
#include "kept.h"

#include <string.h>

/* Names come in families: what a name shares with the one before is left out. */
static void save_names(struct parts_writer *writer, const struct comms *comms)
{
	struct commcache_comm before = { .half = { 0, 0 } };

	parts_write_part(writer, KEPT_NAMES);
	parts_write_number(writer, comms->count - 1);
	for (uint32_t id = COMM_UNKNOWN + 1; id < comms->count; id++) {
		const struct commcache_comm *comm = comms_get(comms, id);
		size_t length = strnlen(comm->str, sizeof(comm->str) - 1);
		size_t same = 0;
		uint8_t lengths;

		while (same < length && comm->str[same] == before.str[same])
			same++;
		lengths = (uint8_t) (same << 4 | (length - same));
		parts_write_bytes(writer, &lengths, 1);
		parts_write_bytes(writer, comm->str + same, length - same);
		before = *comm;
	}
}

static uint64_t group_index(const struct commcache_history *history,
		const struct group *group)
{
	uint64_t index = 0;

	for (const struct group *other = history->groups; other != group;
			other = other->next)
		index++;
	return index;
}

static void save_groups(struct parts_writer *writer,
		const struct commcache_history *history)
{
	parts_write_number(writer, group_index(history, NULL));
	for (const struct group *group = history->groups; group;
			group = group->next) {
		parts_write_text(writer, group->host);
		parts_write_number(writer, group->has_boot);
		if (group->has_boot)
			parts_write_bytes(writer, group->boot,
					sizeof(group->boot));
		parts_write_moment(writer, group->all_told);
	}
}

static uint64_t domain_index(const struct commcache_history *history,
		const struct commcache_history_domain *domain)
{
	uint64_t index = 0;

	for (const struct commcache_history_domain *other = history->domains;
			other != domain; other = other->next)
		index++;
	return index;
}

static void save_domains(struct parts_writer *writer,
		const struct commcache_history *history)
{
	parts_write_part(writer, KEPT_DOMAINS);
	save_groups(writer, history);
	parts_write_number(writer, domain_index(history, NULL));
	for (const struct commcache_history_domain *domain = history->domains;
			domain; domain = domain->next) {
		parts_write_number(writer, group_index(history,
				domain->group));
		parts_write_number(writer, domain->ns_inum);
	}
}

/* Changes as differences: of times that ascend, of ids that are near. */
static void save_changes(struct parts_writer *writer,
		const struct changes *changes)
{
	int64_t time = 0, value = 0;

	parts_write_number(writer, changes->count);
	for (uint32_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->array[i];

		parts_write_number(writer, change->kind |
				(change->order ? KEPT_HAS_ORDER : 0) |
				(unsigned int) change->note << KEPT_NOTE_SHIFT);
		if (i == 0)
			parts_write_signed(writer, change->time);
		else
			parts_write_number(writer, (uint64_t) parts_distance(
					time, change->time));
		if (change->order)
			parts_write_number(writer, change->order);
		parts_write_signed(writer, change->value - value);
		time = change->time;
		value = change->value;
	}
}

/* Who saves threads, one after the other. */
struct saving {
	/* Weak. */
	struct parts_writer *writer;
	const struct commcache_history *history;
	/* Of the thread before: weak. */
	const struct commcache_history_domain *domain;
	int64_t number;
};

static void save_thread(struct saving *saving,
		const struct commcache_history_thread *thread)
{
	struct parts_writer *writer = saving->writer;
	const int64_t number = thread->cpu >= 0 ? thread->cpu :
			(int64_t) thread->tid;
	unsigned int flags = 0;

	if (thread->cpu >= 0)
		flags |= KEPT_IS_IDLE;
	if (thread->domain != saving->domain)
		flags |= KEPT_OTHER_DOMAIN;
	if (thread->has_sighting)
		flags |= KEPT_HAS_SIGHTING;
	if (thread->weak.count)
		flags |= KEPT_HAS_WEAK;
	if (thread->file_comm != COMM_UNKNOWN)
		flags |= KEPT_HAS_FILE;
	if (thread->held.count)
		flags |= KEPT_HAS_HELD;
	parts_write_number(writer, flags);
	if (flags & KEPT_OTHER_DOMAIN)
		parts_write_number(writer, domain_index(saving->history,
				thread->domain));
	parts_write_signed(writer, number - saving->number);
	save_changes(writer, &thread->changes);
	if (flags & KEPT_HAS_SIGHTING)
		parts_write_moment(writer, thread->sighting);
	if (flags & KEPT_HAS_WEAK)
		save_changes(writer, &thread->weak);
	if (flags & KEPT_HAS_FILE)
		parts_write_number(writer, thread->file_comm);
	if (flags & KEPT_HAS_HELD)
		save_changes(writer, &thread->held);
	saving->domain = thread->domain;
	saving->number = number;
}

static void save_threads(struct parts_writer *writer,
		const struct commcache_history *history)
{
	struct saving saving = { .writer = writer, .history = history };

	parts_write_part(writer, KEPT_THREADS);
	parts_write_number(writer, history->thread_count);
	for (uint32_t i = 0; i < history->thread_count; i++)
		save_thread(&saving, history->threads[i]);
}

static void save_joins_of(struct parts_writer *writer,
		const struct commcache_history_thread *thread)
{
	for (uint32_t i = 0; i < thread->join_count; i++) {
		const struct join *join = &thread->joins[i];

		parts_write_number(writer, thread->index);
		parts_write_number(writer, join->root->index);
		parts_write_moment(writer, join->told);
	}
}

/* Behind all threads, which they point to. */
static void save_joins(struct parts_writer *writer,
		const struct commcache_history *history)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < history->thread_count; i++)
		count += history->threads[i]->join_count;
	parts_write_part(writer, KEPT_JOINS);
	parts_write_number(writer, count);
	for (uint32_t i = 0; i < history->thread_count; i++)
		save_joins_of(writer, history->threads[i]);
}

enum commcache_store_status commcache_history_save(
		const struct commcache_history *history,
		const struct commcache_store_output *output)
{
	struct parts_writer *writer = parts_write_begin(output, &KEPT_HISTORY);

	if (!writer)
		return COMMCACHE_STORE_NO_MEMORY;
	save_names(writer, &history->comms);
	save_domains(writer, history);
	save_threads(writer, history);
	save_joins(writer, history);
	parts_write_part(writer, KEPT_COUNTS);
	parts_write_number(writer, history->late);
	parts_write_number(writer, history->lost);
	return parts_write_end(writer);
}
