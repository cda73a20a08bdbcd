/* SPDX-License-Identifier: MIT */
#include "threads/thread.h"

#include <string.h>

#include "threads/half.h"

#define NANOSECONDS	UINT64_C(1000000000)

const struct threads_counts threads_no_counts = {
	.first = THREADS_NO_TIME,
	.last = THREADS_NO_TIME,
};

void threads_count_event(struct threads_counts *counts, int64_t time)
{
	counts->events++;
	if (time == THREADS_NO_TIME)
		return;
	/* Traces that are merged need not be in order. */
	if (counts->first == THREADS_NO_TIME || time < counts->first)
		counts->first = time;
	/* THREADS_NO_TIME is less than any. */
	if (time > counts->last)
		counts->last = time;
}

void threads_counts_add(struct threads_counts *sum,
		const struct threads_counts *counts)
{
	sum->events += counts->events;
	if (counts->first != THREADS_NO_TIME &&
			(sum->first == THREADS_NO_TIME ||
			counts->first < sum->first))
		sum->first = counts->first;
	sum->last = MAX(sum->last, counts->last);
	sum->cycles += counts->cycles;
	sum->has_cycles |= counts->has_cycles;
	sum->switches += counts->switches;
	sum->preemptions += counts->preemptions;
}

static void destroy_boot(void *data)
{
	struct threads_boot *boot = data;

	bt_clock_class_put_ref(boot->clock_class);
	g_array_free(boot->cpus, TRUE);
	g_hash_table_destroy(boot->turns);
	g_hash_table_destroy(boot->strays);
	g_free(boot);
}

static void destroy_thread(void *data)
{
	struct threads_thread *thread = data;

	g_array_free(thread->names, TRUE);
	g_array_free(thread->lives, TRUE);
	g_free(thread);
}

struct threads *threads_create(struct commcache_history *history)
{
	struct threads *threads = g_new0(struct threads, 1);

	threads->history = history;
	threads->boots = g_ptr_array_new_with_free_func(destroy_boot);
	threads->all = g_ptr_array_new_with_free_func(destroy_thread);
	threads->by_handle = g_hash_table_new(NULL, NULL);
	return threads;
}

void threads_destroy(struct threads *threads)
{
	if (!threads)
		return;
	g_hash_table_destroy(threads->by_handle);
	g_ptr_array_free(threads->all, TRUE);
	g_ptr_array_free(threads->boots, TRUE);
	g_free(threads);
}

/* Boots */

static const char *host_text(const char *host)
{
	return host ? host : "";
}

static struct threads_boot *get_boot(struct threads *threads, const char *host,
		const uint8_t id[16])
{
	struct threads_boot *boot;
	guint i;

	for (i = 0; i < threads->boots->len; i++) {
		boot = threads->boots->pdata[i];
		if (memcmp(boot->id, id, sizeof(boot->id)) == 0 &&
				strcmp(boot->host, host_text(host)) == 0)
			return boot;
	}
	boot = g_new0(struct threads_boot, 1);
	boot->host = host_text(host);
	memcpy(boot->id, id, sizeof(boot->id));
	boot->cpus = g_array_new(FALSE, TRUE, sizeof(struct threads_cpu));
	boot->turns = threads_turns_create();
	boot->strays = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
		g_free);
	boot->unknown.is_unknown = true;
	boot->unknown.counts = threads_no_counts;
	g_ptr_array_add(threads->boots, boot);
	return boot;
}

struct threads_boot *threads_boot_of(struct threads *threads,
		const struct learn_boot *learned)
{
	struct threads_boot *boot;
	guint i;

	for (i = 0; i < threads->boots->len; i++) {
		boot = threads->boots->pdata[i];
		if (boot->learned == learned)
			return boot;
	}
	boot = get_boot(threads, learned->host, learned->id);
	boot->learned = learned;
	return boot;
}

int64_t threads_boot_time(const struct threads_boot *boot, int64_t time)
{
	int64_t nanoseconds;

	if (!boot->clock_class || time < 0 ||
			bt_clock_class_cycles_to_ns_from_origin(
				boot->clock_class, (uint64_t) time,
				&nanoseconds) !=
			BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK)
		return THREADS_NO_TIME;
	return nanoseconds;
}

uint64_t threads_boot_duration(const struct threads_boot *boot,
		uint64_t cycles)
{
	uint64_t frequency;

	if (!boot->clock_class)
		return 0;
	frequency = bt_clock_class_get_frequency(boot->clock_class);
	return cycles / frequency * NANOSECONDS +
		cycles % frequency * NANOSECONDS / frequency;
}

/* Threads */

/* Names told later, or from elsewhere, say less than what follows them. */
static bool is_better(const struct commcache_history_name *name,
		const struct commcache_history_name *than)
{
	return than->source == COMMCACHE_HISTORY_LATER ||
		than->source == COMMCACHE_HISTORY_FILE ||
		(than->weak && !name->weak);
}

static bool is_between(const struct commcache_history_name *name)
{
	return name->source == COMMCACHE_HISTORY_BETWEEN;
}

/* One name told in several ways is one, but where it may be the next already. */
static bool extends(const struct commcache_history_span *span,
		struct threads_name *last)
{
	if (span->life != last->life || span->root_tid != last->root_tid ||
			span->name.id != last->name.id ||
			is_between(&span->name) != is_between(&last->name))
		return false;
	if (is_better(&span->name, &last->name))
		last->name = span->name;
	return true;
}

struct builder {
	struct threads *threads;
	struct threads_thread *thread;
};

static struct threads_thread *create_thread(struct threads *threads,
		const struct commcache_history_span *span)
{
	struct threads_thread *thread = g_new0(struct threads_thread, 1);

	thread->handle = span->thread;
	/* The learner gives each boot an id. */
	thread->boot = get_boot(threads, span->host, span->boot);
	thread->ns_inum = span->ns_inum;
	thread->tid = span->tid;
	thread->cpu = span->cpu;
	thread->names = g_array_new(FALSE, FALSE, sizeof(struct threads_name));
	thread->lives = g_array_new(FALSE, FALSE, sizeof(struct threads_life));
	g_ptr_array_add(threads->all, thread);
	g_hash_table_insert(threads->by_handle, span->thread, thread);
	return thread;
}

static void add_life(struct threads_thread *thread, uint32_t number)
{
	const struct threads_life life = {
		/* The idle threads are of no process but 0. */
		.pid = thread->tid == 0 ? 0 : THREADS_NO_ID,
		.ns_inum = COMMCACHE_HISTORY_NS_UNKNOWN,
		.vtid = THREADS_NO_ID,
		.level = -1,
		.end = INT64_MAX,
	};

	while (thread->lives->len <= number)
		g_array_append_val(thread->lives, life);
}

static bool add_span(const struct commcache_history_span *span, void *data)
{
	struct builder *builder = data;
	struct threads_thread *thread = builder->thread;
	struct threads_name name = {
		.begin = span->begin,
		.has_begin = span->has_begin,
		.life = span->life,
		.name = span->name,
		.root_tid = span->root_tid,
		.counts = threads_no_counts,
	};

	if (!thread) {
		/* It may be there already, known by another number's handle. */
		thread = g_hash_table_lookup(builder->threads->by_handle,
			span->thread);
		if (thread) {
			builder->thread = thread;
			return false;
		}
		thread = create_thread(builder->threads, span);
		builder->thread = thread;
	} else if (extends(span, &g_array_index(thread->names,
			struct threads_name, thread->names->len - 1))) {
		return true;
	}
	add_life(thread, span->life);
	g_array_append_val(thread->names, name);
	return true;
}

struct threads_thread *threads_get(struct threads *threads,
		struct commcache_history_thread *handle)
{
	struct builder builder = { .threads = threads };

	builder.thread = g_hash_table_lookup(threads->by_handle, handle);
	if (builder.thread)
		return builder.thread;
	commcache_history_for_each_of(handle, add_span, &builder);
	if (builder.thread->handle != handle)
		g_hash_table_insert(threads->by_handle, handle, builder.thread);
	return builder.thread;
}

static bool get_thread_of(const struct commcache_history_span *span, void *data)
{
	(void) threads_get(data, span->thread);
	return true;
}

void threads_complete(struct threads *threads)
{
	commcache_history_for_each(threads->history, get_thread_of, threads);
}

static bool is_before(struct commcache_moment a, struct commcache_moment b)
{
	return a.time < b.time || (a.time == b.time && a.order < b.order);
}

static struct threads_name *name_of(const struct threads_thread *thread,
		guint index)
{
	return &g_array_index(thread->names, struct threads_name, index);
}

static bool has_begun(const struct threads_thread *thread, guint index,
		struct commcache_moment moment)
{
	return index == 0 || (index < thread->names->len &&
		!is_before(moment, name_of(thread, index)->begin));
}

/* The last name that has begun, by halves. */
static guint search(const struct threads_thread *thread,
		struct commcache_moment moment)
{
	guint begin = 0, end = thread->names->len;

	while (end - begin > 1) {
		const guint middle = begin + (end - begin) / 2;

		if (has_begun(thread, middle, moment))
			begin = middle;
		else
			end = middle;
	}
	return begin;
}

struct threads_name *threads_name_at(struct threads_thread *thread,
		struct commcache_moment moment)
{
	if (!has_begun(thread, thread->cursor, moment) ||
			has_begun(thread, thread->cursor + 1, moment))
		thread->cursor = search(thread, moment);
	return name_of(thread, thread->cursor);
}

struct threads_name *threads_root_name_at(struct threads *threads,
		struct threads_thread **thread, struct commcache_moment moment)
{
	struct threads_name *name = threads_name_at(*thread, moment);
	struct commcache_history_thread *handle = NULL;
	struct threads_thread *root;
	struct threads_name *root_name;

	if ((*thread)->ns_inum != COMMCACHE_HISTORY_NS_ROOT &&
			name->root_tid >= 0 && (*thread)->boot->learned)
		handle = commcache_history_find_thread(
			(*thread)->boot->learned->root, name->root_tid, -1);
	if (!handle)
		return name;
	root = threads_get(threads, handle);
	root_name = threads_name_at(root, moment);
	/* It ran on when its number outside was another's already. */
	if (root_name->name.id != name->name.id)
		return name;
	*thread = root;
	return root_name;
}

struct threads_life *threads_life_of(const struct threads_thread *thread,
		const struct threads_name *name)
{
	return &g_array_index(thread->lives, struct threads_life, name->life);
}
