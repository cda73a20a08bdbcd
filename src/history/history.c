/* SPDX-License-Identifier: MIT */

/*
 * The history itself: domains, threads, what there is of them.
 */

#include "history-private.h"
#include "heap.h"

#include <stdio.h>

struct commcache_history *commcache_history_create(void)
{
	struct commcache_history *history = calloc(1, sizeof(*history));

	if (!history)
		return NULL;
	history->bytes = sizeof(*history);
	history->version = 1;
	if (!comms_init(&history->comms, &history->bytes)) {
		free(history);
		return NULL;
	}
	return history;
}

void thread_free(struct commcache_history_thread *thread)
{
	uint64_t *bytes = &thread->history->bytes;

	changes_fini(&thread->changes, bytes);
	changes_fini(&thread->weak, bytes);
	changes_fini(&thread->held, bytes);
	heap_free(bytes, thread->joins,
			thread->join_capacity * sizeof(*thread->joins));
	heap_free(bytes, thread, sizeof(*thread));
}

static void free_domain(struct commcache_history *history,
		struct commcache_history_domain *domain)
{
	numbers_fini(&domain->threads, &history->bytes);
	numbers_fini(&domain->idle, &history->bytes);
	heap_free(&history->bytes, domain, sizeof(*domain));
}

void history_drop_group(struct commcache_history *history, struct group *group)
{
	struct commcache_history_domain **domain = &history->domains;
	struct group **link = &history->groups;

	while (*domain) {
		struct commcache_history_domain *old = *domain;

		if (old->group != group) {
			domain = &old->next;
			continue;
		}
		*domain = old->next;
		free_domain(history, old);
	}
	while (*link != group)
		link = &(*link)->next;
	*link = group->next;
	heap_free(&history->bytes, group->host, strlen(group->host) + 1);
	heap_free(&history->bytes, group, sizeof(*group));
}

void commcache_history_destroy(struct commcache_history *history)
{
	if (!history)
		return;
	for (uint32_t i = 0; i < history->thread_count; i++)
		thread_free(history->threads[i]);
	heap_free(&history->bytes, history->threads,
			history->thread_capacity * sizeof(*history->threads));
	/* All of them, so that no group has to look for its own. */
	while (history->domains) {
		struct commcache_history_domain *domain = history->domains;

		history->domains = domain->next;
		free_domain(history, domain);
	}
	while (history->groups)
		history_drop_group(history, history->groups);
	comms_fini(&history->comms);
	free(history);
}

static struct group *find_group(struct commcache_history *history,
		const char *host, const uint8_t *boot)
{
	struct group *group;

	for (group = history->groups; group; group = group->next) {
		if (strcmp(group->host, host) == 0 &&
				group->has_boot == (boot != NULL) && (!boot ||
				memcmp(group->boot, boot,
						sizeof(group->boot)) == 0))
			break;
	}
	return group;
}

struct group *history_add_group(struct commcache_history *history,
		const char *host, const uint8_t *boot)
{
	size_t size = strlen(host) + 1;
	struct group *group = heap_zeroed(&history->bytes, 1, sizeof(*group));

	if (!group)
		return NULL;
	group->host = heap_zeroed(&history->bytes, 1, size);
	if (!group->host) {
		heap_free(&history->bytes, group, sizeof(*group));
		return NULL;
	}
	memcpy(group->host, host, size);
	if (boot) {
		group->has_boot = true;
		memcpy(group->boot, boot, sizeof(group->boot));
	}
	group->all_told = MOMENT_END;
	group->next = history->groups;
	history->groups = group;
	return group;
}

struct commcache_history_domain *history_add_domain(
		struct commcache_history *history, struct group *group,
		uint64_t ns_inum)
{
	struct commcache_history_domain *domain =
			heap_zeroed(&history->bytes, 1, sizeof(*domain));

	if (!domain)
		return NULL;
	domain->history = history;
	domain->group = group;
	domain->ns_inum = ns_inum;
	domain->next = history->domains;
	history->domains = domain;
	return domain;
}

/* The domain of a group; made if it is not there. */
static struct commcache_history_domain *group_domain(
		struct commcache_history *history, struct group *group,
		uint64_t ns_inum)
{
	struct commcache_history_domain *domain;

	for (domain = history->domains; domain; domain = domain->next) {
		if (domain->group == group && domain->ns_inum == ns_inum)
			return domain;
	}
	return history_add_domain(history, group, ns_inum);
}

struct commcache_history_domain *commcache_history_domain(
		struct commcache_history *history, const char *host,
		const uint8_t *boot, uint64_t ns_inum)
{
	struct group *group;

	if (!host)
		host = "";
	group = find_group(history, host, boot);
	if (!group)
		group = history_add_group(history, host, boot);
	if (!group)
		return NULL;
	/* Numbers of unknown namespaces are taken as this one's. */
	if (!group->root)
		group->root = group_domain(history, group,
				COMMCACHE_HISTORY_NS_ROOT);
	if (!group->root)
		return NULL;
	return group_domain(history, group, ns_inum);
}

/* Room for one more thread. */
static bool reserve_thread(struct commcache_history *history)
{
	uint32_t capacity = history->thread_capacity +
			history->thread_capacity / 2 + 16;
	struct commcache_history_thread **threads;

	if (history->thread_count < history->thread_capacity)
		return true;
	threads = heap_resize(&history->bytes, history->threads,
			history->thread_capacity * sizeof(*threads),
			capacity * sizeof(*threads));
	if (!threads)
		return false;
	history->threads = threads;
	history->thread_capacity = capacity;
	return true;
}

/* An idle thread's name needs no evidence: init_idle() of kernel/sched/core.c. */
static uint32_t intern_idle(struct commcache_history *history, uint32_t cpu)
{
	struct commcache_comm comm = { .half = { 0, 0 } };

	(void) snprintf(comm.str, sizeof(comm.str), "swapper/%u", cpu & 0xffffU);
	return comms_intern(&history->comms, &comm);
}

static struct commcache_history_thread *add_thread(
		struct commcache_history_domain *domain,
		struct numbers *numbers, uint32_t key)
{
	struct commcache_history *history = domain->history;
	struct commcache_history_thread *thread;
	uint32_t idle_comm = COMM_UNKNOWN;

	if (!reserve_thread(history) ||
			!numbers_reserve(numbers, 1, &history->bytes))
		return NULL;
	if (numbers == &domain->idle) {
		idle_comm = intern_idle(history, key);
		if (idle_comm == COMM_UNKNOWN)
			return NULL;
	}
	thread = heap_zeroed_line(&history->bytes, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->history = history;
	thread->domain = domain;
	thread->index = history->thread_count;
	thread->tid = key;
	thread->cpu = -1;
	if (numbers == &domain->idle) {
		thread->tid = 0;
		thread->cpu = (int32_t) key;
		thread->file_comm = idle_comm;
	}
	history->threads[history->thread_count++] = thread;
	numbers_add(numbers, key, thread->index + 1);
	return thread;
}

/*
 * Where a number is looked up: the table, and the key in it. NULL: it is not a
 * thread's number.
 */
static struct numbers *table_of(struct commcache_history_domain *domain,
		int64_t tid, int64_t cpu, uint32_t *key)
{
	if (tid < 0 || tid > COMMCACHE_HISTORY_TID_MAX)
		return NULL;
	*key = (uint32_t) tid;
	if (tid)
		return &domain->threads;
	if (!domain_is_root(domain) || cpu < 0 ||
			cpu > COMMCACHE_HISTORY_CPU_MAX)
		return NULL;
	*key = (uint32_t) cpu;
	return &domain->idle;
}

/* As the public function, but for views: what is there. */
static struct commcache_history_thread *find_thread(
		struct commcache_history_domain *domain, int64_t tid,
		int64_t cpu)
{
	uint32_t key;
	struct numbers *numbers = table_of(domain, tid, cpu, &key);
	uint32_t value = numbers ? numbers_find(numbers, key) : 0;

	return value ? domain->history->threads[value - 1] : NULL;
}

/* The number of an unknown namespace, taken as the root's: NULL: no memory. */
static struct commcache_history_thread *add_view(
		struct commcache_history_domain *domain,
		struct commcache_history_thread *root)
{
	struct commcache_history_thread *view = add_thread(domain,
			&domain->threads, root->tid);

	if (view)
		view->view_of = root;
	return view;
}

struct commcache_history_thread *commcache_history_find_thread(
		struct commcache_history_domain *domain, int64_t tid,
		int64_t cpu)
{
	struct commcache_history_thread *thread;

	if (!domain)
		return NULL;
	thread = find_thread(domain, tid, cpu);
	if (thread || domain->ns_inum != COMMCACHE_HISTORY_NS_UNKNOWN || !tid)
		return thread;
	thread = find_thread(domain->group->root, tid, cpu);
	return thread ? add_view(domain, thread) : NULL;
}

struct commcache_history_thread *commcache_history_thread(
		struct commcache_history_domain *domain, int64_t tid,
		int64_t cpu)
{
	struct commcache_history_thread *thread;
	struct numbers *numbers;
	uint32_t key;

	thread = commcache_history_find_thread(domain, tid, cpu);
	if (thread || !domain)
		return thread;
	numbers = table_of(domain, tid, cpu, &key);
	if (!numbers)
		return NULL;
	if (domain->ns_inum != COMMCACHE_HISTORY_NS_UNKNOWN)
		return add_thread(domain, numbers, key);
	thread = add_thread(domain->group->root, &domain->group->root->threads,
			key);
	return thread ? add_view(domain, thread) : NULL;
}

const struct commcache_comm *commcache_history_comm(
		const struct commcache_history *history, uint32_t id)
{
	if (id >= history->comms.count)
		id = COMM_UNKNOWN;
	return comms_get(&history->comms, id);
}

uint32_t commcache_history_comm_count(const struct commcache_history *history)
{
	return history->comms.count;
}

void commcache_history_get_stats(const struct commcache_history *history,
		struct commcache_history_stats *stats)
{
	*stats = (struct commcache_history_stats) {
		.threads = history->thread_count,
		.names = history->comms.count - 1,
		.late = history->late,
		.lost = history->lost,
		.bytes = history->bytes,
	};
	for (const struct commcache_history_domain *domain = history->domains;
			domain; domain = domain->next)
		stats->domains++;
	for (uint32_t i = 0; i < history->thread_count; i++) {
		const struct commcache_history_thread *thread =
				history->threads[i];

		stats->changes += thread->changes.count + thread->weak.count +
				thread->held.count;
		stats->joins += thread->join_count;
	}
}
