/* SPDX-License-Identifier: MIT */

/*
 * A history from bytes. They can be anything, with right checksums too: what is
 * loaded has to be sound, so that nothing that is asked of it later goes wrong;
 * whether it is true is another matter.
 */

#include "history-private.h"
#include "heap.h"
#include "kept.h"

#include <string.h>

#define HOST_MAX	65535U

struct loading {
	/* Owned by this. */
	struct parts_reader *reader;
	/* Owned by this until all is loaded. */
	struct commcache_history *history;
	/* Owned by this; of things that are the history's, by their place. */
	struct group **groups;
	struct commcache_history_domain **domains;
	uint32_t group_count;
	uint32_t domain_count;
	/* Of the thread before. */
	uint64_t domain;
	int64_t number;
};

static bool is_good(const struct loading *loading)
{
	return parts_is_good(loading->reader);
}

static void no_memory(struct loading *loading)
{
	parts_fail(loading->reader, COMMCACHE_STORE_NO_MEMORY);
}

static void corrupt(struct loading *loading)
{
	parts_fail(loading->reader, COMMCACHE_STORE_CORRUPT);
}

/* One more of an array of pointers. False: no memory. */
static bool grow(void ***array, uint32_t count)
{
	void **grown;

	/* At powers of 2. */
	if (count & (count - 1))
		return true;
	grown = realloc(*array, (count ? (size_t) count * 2 : 1) *
			sizeof(**array));
	if (grown)
		*array = grown;
	return grown != NULL;
}

static void load_name(struct loading *loading, struct commcache_comm *before)
{
	struct commcache_comm comm = { .half = { 0, 0 } };
	struct comms *comms = &loading->history->comms;
	size_t same, more;
	uint32_t id;
	uint8_t lengths;

	parts_read_bytes(loading->reader, &lengths, 1);
	same = lengths >> 4;
	more = lengths & 0xf;
	if (same + more >= sizeof(comm.str)) {
		corrupt(loading);
		return;
	}
	memcpy(comm.str, before->str, same);
	parts_read_bytes(loading->reader, comm.str + same, more);
	if (strlen(comm.str) != same + more)
		corrupt(loading);
	if (!is_good(loading))
		return;
	*before = comm;
	id = comms->count;
	switch (comms_intern(comms, &comm)) {
	case COMM_UNKNOWN:
		no_memory(loading);
		break;
	default:
		/* The same name a second time. */
		if (comms->count == id)
			corrupt(loading);
		break;
	}
}

static void load_names(struct loading *loading)
{
	struct commcache_comm before = { .half = { 0, 0 } };
	uint64_t count;

	parts_read_part(loading->reader, KEPT_NAMES);
	count = parts_read_limited(loading->reader, UINT32_MAX - 1);
	for (; count && is_good(loading); count--)
		load_name(loading, &before);
}

static void load_group(struct loading *loading)
{
	struct commcache_history *history = loading->history;
	char *host = parts_read_text(loading->reader, HOST_MAX);
	bool has_boot = parts_read_limited(loading->reader, 1);
	struct commcache_moment all_told;
	uint8_t boot[16];
	struct group *group;

	if (has_boot)
		parts_read_bytes(loading->reader, boot, sizeof(boot));
	all_told = parts_read_moment(loading->reader, UINT32_MAX);
	if (!is_good(loading))
		goto end;
	group = history_add_group(history, host, has_boot ? boot : NULL);
	if (!group || !grow((void ***) &loading->groups,
			loading->group_count)) {
		no_memory(loading);
		goto end;
	}
	group->all_told = all_told;
	loading->groups[loading->group_count++] = group;
end:
	free(host);
}

static void load_domain(struct loading *loading)
{
	struct commcache_history_domain *domain;
	uint64_t group = parts_read_limited(loading->reader, UINT32_MAX);
	uint64_t ns_inum = parts_read_number(loading->reader);

	if (is_good(loading) && group >= loading->group_count)
		corrupt(loading);
	if (!is_good(loading))
		return;
	domain = history_add_domain(loading->history, loading->groups[group],
			ns_inum);
	if (!domain || !grow((void ***) &loading->domains,
			loading->domain_count)) {
		no_memory(loading);
		return;
	}
	loading->domains[loading->domain_count++] = domain;
	if (domain_is_root(domain))
		domain->group->root = domain;
}

/* Each was put before the one that came before it. */
static void reverse_chains(struct commcache_history *history)
{
	struct commcache_history_domain *domain = history->domains;
	struct group *group = history->groups;

	history->domains = NULL;
	while (domain) {
		struct commcache_history_domain *next = domain->next;

		domain->next = history->domains;
		history->domains = domain;
		domain = next;
	}
	history->groups = NULL;
	while (group) {
		struct group *next = group->next;

		group->next = history->groups;
		history->groups = group;
		group = next;
	}
}

static void load_domains(struct loading *loading)
{
	uint64_t count;

	parts_read_part(loading->reader, KEPT_DOMAINS);
	count = parts_read_limited(loading->reader, UINT32_MAX);
	for (; count && is_good(loading); count--)
		load_group(loading);
	count = parts_read_limited(loading->reader, UINT32_MAX);
	for (; count && is_good(loading); count--)
		load_domain(loading);
	for (uint32_t i = 0; i < loading->group_count; i++) {
		if (!loading->groups[i]->root)
			corrupt(loading);
	}
	reverse_chains(loading->history);
}

static struct change load_change(struct parts_reader *reader,
		const struct change *before)
{
	uint64_t head = parts_read_limited(reader, KEPT_CHANGE_MAX);
	struct change change = {
		.kind = head & KEPT_KIND_MASK,
		.note = head >> KEPT_NOTE_SHIFT & 0xf,
	};
	int64_t value;

	if (!before)
		change.time = parts_read_signed(reader);
	else
		change.time = parts_moved(before->time,
				(int64_t) parts_read_number(reader));
	if (head & KEPT_HAS_ORDER)
		change.order = parts_read_limited(reader, ORDER_MAX) &
				ORDER_MAX;
	value = parts_moved(before ? before->value : 0,
			parts_read_signed(reader));
	if (value < 0 || value > UINT32_MAX)
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	change.value = (uint32_t) value;
	return change;
}

static void load_changes(struct loading *loading, struct changes *changes)
{
	uint64_t count = parts_read_limited(loading->reader, UINT32_MAX / 2);

	for (; count && is_good(loading); count--) {
		struct change *before = changes->count ?
				&changes->array[changes->count - 1] : NULL;
		struct change change = load_change(loading->reader, before);

		if (before && moment_before(change_moment(&change),
				change_moment(before)))
			corrupt(loading);
		if (!is_good(loading))
			return;
		if (!changes_reserve(changes, 1, &loading->history->bytes))
			no_memory(loading);
		else
			changes->array[changes->count++] = change;
	}
}

/* Can a thread of that domain have that number? */
static bool is_number(const struct commcache_history_domain *domain,
		bool is_idle, int64_t number)
{
	if (is_idle)
		return domain_is_root(domain) && number >= 0 &&
				number <= COMMCACHE_HISTORY_CPU_MAX;
	return number > 0 && number <= COMMCACHE_HISTORY_TID_MAX;
}

/* The thread of that number, which has to be a new one. NULL: it failed. */
static struct commcache_history_thread *load_number(struct loading *loading,
		bool is_idle)
{
	struct commcache_history_domain *domain =
			loading->domains[loading->domain];
	const uint32_t count = loading->history->thread_count;
	struct commcache_history_thread *thread;

	if (!is_number(domain, is_idle, loading->number)) {
		corrupt(loading);
		return NULL;
	}
	thread = commcache_history_thread(domain, is_idle ? 0 :
			loading->number, is_idle ? loading->number : -1);
	if (!thread)
		no_memory(loading);
	/* What stands for another comes behind it, and so is one alone. */
	else if (loading->history->thread_count != count + 1)
		corrupt(loading);
	return is_good(loading) ? thread : NULL;
}

static void load_thread(struct loading *loading)
{
	struct parts_reader *reader = loading->reader;
	unsigned int flags = (unsigned int) parts_read_limited(reader,
			KEPT_THREAD_FLAGS);
	struct commcache_history_thread *thread;

	if (flags & KEPT_OTHER_DOMAIN)
		loading->domain = parts_read_number(reader);
	loading->number = parts_moved(loading->number,
			parts_read_signed(reader));
	if (is_good(loading) && loading->domain >= loading->domain_count)
		corrupt(loading);
	if (!is_good(loading))
		return;
	thread = load_number(loading, flags & KEPT_IS_IDLE);
	if (!thread)
		return;
	load_changes(loading, &thread->changes);
	if (flags & KEPT_HAS_SIGHTING) {
		thread->has_sighting = true;
		thread->sighting = parts_read_moment(reader, ORDER_MAX);
	}
	if (flags & KEPT_HAS_WEAK)
		load_changes(loading, &thread->weak);
	if (flags & KEPT_HAS_FILE)
		thread->file_comm = (uint32_t) parts_read_limited(reader,
				UINT32_MAX);
	if (flags & KEPT_HAS_HELD)
		load_changes(loading, &thread->held);
}

static void load_threads(struct loading *loading)
{
	uint64_t count;

	loading->domain = UINT64_MAX;
	parts_read_part(loading->reader, KEPT_THREADS);
	count = parts_read_limited(loading->reader, UINT32_MAX - 1);
	for (; count && is_good(loading); count--)
		load_thread(loading);
}

static struct commcache_history_thread *load_index(struct loading *loading)
{
	const struct commcache_history *history = loading->history;
	uint64_t index = parts_read_number(loading->reader);

	if (!is_good(loading))
		return NULL;
	if (index < history->thread_count)
		return history->threads[index];
	corrupt(loading);
	return NULL;
}

static void load_join(struct loading *loading)
{
	struct commcache_history_thread *thread = load_index(loading);
	struct join join = { .root = load_index(loading) };

	join.told = parts_read_moment(loading->reader, ORDER_MAX);
	if (!is_good(loading))
		return;
	if (!domain_is_inner(thread->domain) ||
			!domain_is_root(join.root->domain) ||
			thread->domain->group != join.root->domain->group ||
			join.root->cpu >= 0)
		corrupt(loading);
	else if (!thread_reserve_join(thread))
		no_memory(loading);
	if (!is_good(loading))
		return;
	/* To be found again. */
	join.lives_version = join.root->changes.lives_version - 1;
	thread->joins[thread->join_count++] = join;
}

static void load_joins(struct loading *loading)
{
	uint64_t count;

	parts_read_part(loading->reader, KEPT_JOINS);
	count = parts_read_limited(loading->reader, UINT32_MAX);
	for (; count && is_good(loading); count--)
		load_join(loading);
}

static void load_counts(struct loading *loading)
{
	parts_read_part(loading->reader, KEPT_COUNTS);
	loading->history->late = parts_read_number(loading->reader);
	loading->history->lost = parts_read_number(loading->reader);
	parts_read_end(loading->reader);
}

/* Does the change fit what is around it, and what it points to be there? */
static bool is_sound(const struct commcache_history_thread *thread,
		uint32_t position)
{
	const struct commcache_history *history = thread->history;
	const struct changes *changes = &thread->changes;
	const struct change *change = &changes->array[position];

	if (change->kind > CHANGE_JOIN)
		return false;
	/* No death follows a death, so that no state is looked for far. */
	if (change->kind == CHANGE_DIES && position > 0 &&
			change[-1].kind == CHANGE_DIES)
		return false;
	if (change->kind == CHANGE_WAS && (position + 1 == changes->count ||
			change[1].kind != CHANGE_SET))
		return false;
	if (change->kind == CHANGE_JOIN)
		return change->value < thread->join_count;
	if (change_names_thread(change))
		return change->value < history->thread_count;
	return !change_names_comm(change) ||
			change->value < history->comms.count;
}

static bool are_sightings(const struct commcache_history *history,
		const struct changes *changes)
{
	for (uint32_t i = 0; i < changes->count; i++) {
		if (changes->array[i].kind != CHANGE_IS ||
				changes->array[i].value >= history->comms.count)
			return false;
	}
	return true;
}

static bool thread_is_sound(const struct commcache_history_thread *thread)
{
	const struct commcache_history *history = thread->history;

	if (thread->file_comm >= history->comms.count)
		return false;
	if (thread->view_of && !thread_is_blank(thread))
		return false;
	for (uint32_t i = 0; i < thread->changes.count; i++) {
		if (!is_sound(thread, i))
			return false;
	}
	return are_sightings(history, &thread->weak) &&
			are_sightings(history, &thread->held);
}

static void complete(struct loading *loading)
{
	struct commcache_history *history = loading->history;

	for (uint32_t i = 0; i < history->thread_count && is_good(loading);
			i++) {
		if (!thread_is_sound(history->threads[i]))
			corrupt(loading);
		else
			thread_changed(history->threads[i]);
	}
}

enum commcache_store_status commcache_history_load(
		const struct commcache_store_input *input,
		struct commcache_history **history)
{
	struct loading loading = {
		.reader = parts_read_begin(input, &KEPT_HISTORY),
		.history = commcache_history_create(),
	};
	enum commcache_store_status status = COMMCACHE_STORE_NO_MEMORY;

	if (!loading.reader || !loading.history)
		goto end;
	load_names(&loading);
	load_domains(&loading);
	load_threads(&loading);
	load_joins(&loading);
	load_counts(&loading);
	complete(&loading);
	status = loading.reader->status;
end:
	if (status != COMMCACHE_STORE_OK) {
		commcache_history_destroy(loading.history);
		loading.history = NULL;
	}
	*history = loading.history;
	free(loading.domains);
	free(loading.groups);
	free(loading.reader);
	return status;
}
