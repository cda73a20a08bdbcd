/* SPDX-License-Identifier: MIT */
#include "threads/rows.h"

#include <fnmatch.h>
#include <string.h>

#include "resolve/comm-text.h"

static bool is_known(const struct commcache_history_name *name)
{
	return name->source != COMMCACHE_HISTORY_UNKNOWN;
}

bool row_tells_switches(const struct threads_row *row)
{
	return row->boot->has_turns ||
		(!row->is_virtual && row->boot->cpus->len > 0);
}

bool row_goes_on(const struct threads_row *row,
		const struct threads_row *before)
{
	return row->name.source == COMMCACHE_HISTORY_BETWEEN &&
		strcmp(row->text, before->text) == 0;
}

bool row_tells_preemptions(const struct threads_row *row)
{
	return row_tells_switches(row) && row->boot->tells_preemptions;
}

/* Choosing */

bool rows_name_matches(char **patterns, const char *text)
{
	char **pattern;

	for (pattern = patterns; *pattern; pattern++) {
		if (fnmatch(*pattern, text, 0) == 0)
			return true;
	}
	return !patterns[0];
}

static bool holds(const GArray *ids, int64_t id)
{
	guint i;

	for (i = 0; i < ids->len; i++) {
		if (g_array_index(ids, int64_t, i) == id)
			return true;
	}
	return ids->len == 0;
}

static void add_row(struct rows *rows, struct threads_row *row)
{
	const struct threads_params *params = rows->params;
	char text[COMM_TEXT_SIZE];

	if (!is_known(&row->name)) {
		row->text = params->naming.unknown;
	} else {
		comm_text_escape(row->name.comm, text);
		row->text = g_string_chunk_insert_const(rows->texts, text);
	}
	if (rows_name_matches(params->names, row->text) &&
			holds(params->pids, row->pid) &&
			(holds(params->tids, row->tid) ||
			(row->vtid >= 0 && holds(params->tids, row->vtid))))
		g_array_append_val(rows->names, *row);
}

/*
 * A name that was there, or events under none. A number of an inner namespace
 * has its names and events with that of the root's, where that is known.
 */
static bool is_shown(const struct threads_thread *thread,
		const struct threads_name *name)
{
	if (name->counts.events > 0 || name->counts.cycles > 0)
		return true;
	/* The same name is in the line before. */
	return is_known(&name->name) &&
		name->name.source != COMMCACHE_HISTORY_BETWEEN &&
		(thread->ns_inum == COMMCACHE_HISTORY_NS_ROOT ||
		name->root_tid < 0);
}

/* At the latest when another thread has the number. */
static int64_t end_of(const struct threads_thread *thread, guint place)
{
	const struct threads_name *name = &g_array_index(thread->names,
		struct threads_name, place);
	const int64_t end = threads_life_of(thread, name)->end;
	const struct threads_name *next;

	while (++place < thread->names->len) {
		next = &g_array_index(thread->names, struct threads_name,
			place);
		if (next->life != name->life)
			return MIN(end, next->begin.time);
	}
	return end;
}

static void add_name(struct rows *rows, const struct threads_thread *thread,
		guint place)
{
	const struct threads_name *name = &g_array_index(thread->names,
		struct threads_name, place);
	const struct threads_life *life = threads_life_of(thread, name);
	const bool is_root = thread->ns_inum == COMMCACHE_HISTORY_NS_ROOT;
	struct threads_row row = {
		.boot = thread->boot,
		.pid = life->pid,
		.tid = thread->tid,
		/* Where no event tells other ids, it is not known which. */
		.is_virtual = !is_root || (!thread->boot->has_root_ids &&
			thread->tid > 0),
		.cpu = thread->cpu,
		.life = name->life,
		.place = place,
		.ns_inum = is_root ? life->ns_inum : thread->ns_inum,
		.vtid = is_root ? life->vtid : thread->tid,
		.end = end_of(thread, place),
		.lane = life->lane,
		.since = name->has_begin ? threads_boot_time(thread->boot,
			name->begin.time) : THREADS_NO_TIME,
		.name = name->name,
		.counts = name->counts,
	};

	add_row(rows, &row);
}

static void add_thread(struct rows *rows, const struct threads_thread *thread)
{
	guint i;

	for (i = 0; i < thread->names->len; i++) {
		if (is_shown(thread, &g_array_index(thread->names,
				struct threads_name, i)))
			add_name(rows, thread, i);
	}
}

static void add_stray(struct rows *rows, const struct threads_boot *boot,
		const struct threads_stray *stray)
{
	struct threads_row row = {
		.boot = boot,
		.pid = THREADS_NO_ID,
		.tid = THREADS_NO_ID,
		.cpu = -1,
		.vtid = THREADS_NO_ID,
		.end = INT64_MAX,
		.lane = stray->lane,
		.since = THREADS_NO_TIME,
		.name = {
			.comm = &stray->comm,
			.source = stray->is_unknown ?
				COMMCACHE_HISTORY_UNKNOWN :
				COMMCACHE_HISTORY_SEEN,
		},
		.counts = stray->counts,
	};

	if (stray->counts.events > 0)
		add_row(rows, &row);
}

static void add_strays(struct rows *rows, const struct threads_boot *boot)
{
	GHashTableIter iter;
	gpointer stray;

	g_hash_table_iter_init(&iter, boot->strays);
	while (g_hash_table_iter_next(&iter, NULL, &stray))
		add_stray(rows, boot, stray);
	add_stray(rows, boot, &boot->unknown);
}

/* Sorting */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* What is not known comes last. */
static int compare_ids(int64_t a, int64_t b)
{
	return compare((int64_t) ((uint64_t) a & INT64_MAX),
		(int64_t) ((uint64_t) b & INT64_MAX));
}

static int compare_threads(const struct threads_row *a,
		const struct threads_row *b)
{
	int order = strcmp(a->boot->host, b->boot->host);

	if (order == 0)
		order = memcmp(a->boot->id, b->boot->id, sizeof(a->boot->id));
	if (order == 0)
		order = compare_ids(a->pid, b->pid);
	if (order == 0)
		order = compare_ids(a->tid, b->tid);
	if (order == 0)
		order = compare(a->is_virtual, b->is_virtual);
	if (order == 0)
		order = compare(a->cpu, b->cpu);
	if (order == 0 && a->is_virtual)
		order = (a->ns_inum > b->ns_inum) - (a->ns_inum < b->ns_inum);
	if (order == 0)
		order = compare(a->life, b->life);
	return order;
}

static bool has_tid(const struct threads_row *row)
{
	return row->tid >= 0;
}

static gint by_thread(gconstpointer a, gconstpointer b)
{
	const struct threads_row *one = a, *other = b;
	int order = compare_threads(one, other);

	if (order == 0)
		order = compare(one->place, other->place);
	/* Strays have but their names. */
	if (order == 0)
		order = compare(one->counts.first, other->counts.first);
	if (order == 0)
		order = strcmp(one->text, other->text);
	return order;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	const int order = strcmp(((const struct threads_row *) a)->text,
		((const struct threads_row *) b)->text);

	return order ? order : by_thread(a, b);
}

static gint by_events(gconstpointer a, gconstpointer b)
{
	const uint64_t one = ((const struct threads_row *) a)->counts.events;
	const uint64_t other = ((const struct threads_row *) b)->counts.events;

	return one != other ? (one < other ? 1 : -1) : by_thread(a, b);
}

static gint by_switches(gconstpointer a, gconstpointer b)
{
	const uint64_t one = ((const struct threads_row *) a)->counts.switches;
	const uint64_t other =
		((const struct threads_row *) b)->counts.switches;

	return one != other ? (one < other ? 1 : -1) : by_thread(a, b);
}

static gint by_preemptions(gconstpointer a, gconstpointer b)
{
	const uint64_t one =
		((const struct threads_row *) a)->counts.preemptions;
	const uint64_t other =
		((const struct threads_row *) b)->counts.preemptions;

	return one != other ? (one < other ? 1 : -1) : by_thread(a, b);
}

static gint by_cpu(gconstpointer a, gconstpointer b)
{
	const struct threads_row *row_a = a, *row_b = b;
	/* Clocks of two boots need not count in one unit. */
	const uint64_t one = threads_boot_duration(row_a->boot,
		row_a->counts.cycles);
	const uint64_t other = threads_boot_duration(row_b->boot,
		row_b->counts.cycles);

	return one != other ? (one < other ? 1 : -1) : by_thread(a, b);
}

/* Without events: last. */
static uint64_t time_key(int64_t time)
{
	return (uint64_t) time + INT64_MAX;
}

static gint by_first(gconstpointer a, gconstpointer b)
{
	const uint64_t one =
		time_key(((const struct threads_row *) a)->counts.first);
	const uint64_t other =
		time_key(((const struct threads_row *) b)->counts.first);

	return one != other ? (one < other ? -1 : 1) : by_thread(a, b);
}

static gint by_last(gconstpointer a, gconstpointer b)
{
	const uint64_t one =
		time_key(((const struct threads_row *) a)->counts.last);
	const uint64_t other =
		time_key(((const struct threads_row *) b)->counts.last);

	return one != other ? (one < other ? -1 : 1) : by_thread(a, b);
}

static const GCompareFunc orders[] = {
	[THREADS_SORT_TID] = by_thread,
	[THREADS_SORT_NAME] = by_name,
	[THREADS_SORT_EVENTS] = by_events,
	[THREADS_SORT_CPU] = by_cpu,
	[THREADS_SORT_SWITCHES] = by_switches,
	[THREADS_SORT_PREEMPTIONS] = by_preemptions,
	[THREADS_SORT_FIRST] = by_first,
	[THREADS_SORT_LAST] = by_last,
};

/* Threads: of names that stand together. */
static void sum_up(struct rows *rows)
{
	struct threads_row *thread = NULL;
	guint i;

	for (i = 0; i < rows->names->len; i++) {
		const struct threads_row *name = &g_array_index(rows->names,
			struct threads_row, i);

		if (thread && has_tid(name) &&
				compare_threads(thread, name) == 0) {
			threads_counts_add(&thread->counts, &name->counts);
			thread->name = name->name;
			thread->text = name->text;
		} else {
			g_array_append_val(rows->threads, *name);
			thread = &g_array_index(rows->threads,
				struct threads_row, rows->threads->len - 1);
			thread->first_name = i;
		}
		thread->name_count++;
	}
}

void rows_init(struct rows *rows, const struct threads *threads,
		const struct threads_params *params)
{
	guint i;

	rows->params = params;
	rows->names = g_array_new(FALSE, TRUE, sizeof(struct threads_row));
	rows->threads = g_array_new(FALSE, TRUE, sizeof(struct threads_row));
	rows->texts = g_string_chunk_new(4096);
	for (i = 0; i < threads->all->len; i++)
		add_thread(rows, threads->all->pdata[i]);
	for (i = 0; i < threads->boots->len; i++)
		add_strays(rows, threads->boots->pdata[i]);
	g_array_sort(rows->names, by_thread);
	sum_up(rows);
	g_array_sort(rows->threads, orders[params->sort]);
}

void rows_finish(struct rows *rows)
{
	g_array_free(rows->names, TRUE);
	g_array_free(rows->threads, TRUE);
	g_string_chunk_free(rows->texts);
}

const GArray *rows_sorted(struct rows *rows)
{
	if (rows->params->totals)
		return rows->threads;
	g_array_sort(rows->names, orders[rows->params->sort]);
	return rows->names;
}
