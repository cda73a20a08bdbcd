/* SPDX-License-Identifier: MIT */
#include "timeline/picture.h"

#include <inttypes.h>
#include <string.h>

#include "json-text.h"
#include "resolve/report.h"
#include "threads/output.h"
#include "timeline/packed.h"

/* In page-text.c, which is made of page/. */
extern const char *const page_head[];
extern const char *const page_tail[];

/* What a browser opens at once, and a mail can carry. */
#define PAGE_MAX	4900000

struct page {
	/* Weak. */
	const struct picture *picture;
	/* Owned by this. */
	GString *json;
	/* Of a thread; used again. Owned by this. */
	GByteArray *packed;
	/* Texts by number, and their numbers plus 1. Owned by this. */
	GPtrArray *texts;
	GHashTable *numbers;
	/* Of names that begin in one cell 2 to this wide, the last is shown. */
	unsigned int name_shift;
	/* What they take. */
	gsize names_size;
	gsize tracks_size;
};

static guint number_of(struct page *page, const char *text)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(page->numbers,
		text));

	if (number == 0) {
		g_ptr_array_add(page->texts, (gpointer) text);
		number = page->texts->len;
		g_hash_table_insert(page->numbers, (gpointer) text,
			GUINT_TO_POINTER(number));
	}
	return number - 1;
}

static void add_number(struct page *page, const char *key, int64_t number)
{
	g_string_append_printf(page->json, ",\"%s\":%" PRId64, key, number);
}

static void add_known(struct page *page, const char *key, int64_t number)
{
	if (number >= 0)
		add_number(page, key, number);
}

/* A name, and how many came before it in its cell. */
struct shown_name {
	const struct threads_row *name;
	int64_t begin;
	guint more;
	/* It goes on: it was in a cell before. */
	bool is_rest;
};

static void pack_name(struct page *page, const struct shown_name *shown,
		int64_t *last)
{
	const struct threads_row *name = shown->name;

	packed_add(page->packed, (uint64_t) (shown->begin - *last));
	packed_add(page->packed, number_of(page, name->text));
	packed_add(page->packed, (uint64_t) shown->more << 6 |
		(name->since != THREADS_NO_TIME) << 5 | name->name.weak << 4 |
		name->name.source);
	*last = shown->begin;
}

static void add_names(struct page *page, const struct threads_row *thread)
{
	const struct picture *picture = page->picture;
	struct shown_name shown = { .name = NULL };
	int64_t last = 0;
	bool goes_on;
	guint i;

	for (i = 0; i < thread->name_count; i++) {
		const struct threads_row *name = picture_name(picture, thread,
			i);
		const int64_t begin = picture_clamp(picture, name->since);
		const bool same_cell = shown.name && begin >> page->name_shift ==
			shown.begin >> page->name_shift;

		if (shown.name && !same_cell)
			pack_name(page, &shown, &last);
		goes_on = shown.name && row_goes_on(name, shown.name);
		if (!same_cell)
			shown.more = 0;
		else if (!goes_on)
			shown.more += !shown.is_rest;
		shown.is_rest = goes_on && (!same_cell || shown.is_rest);
		shown.name = name;
		shown.begin = MAX(begin, last);
	}
	if (shown.name)
		pack_name(page, &shown, &last);
	page->names_size += page->packed->len;
	g_string_append(page->json, ",\"names\":");
	packed_flush(page->packed, page->json);
}

static void pack_event(GByteArray *packed, const struct track_item *item,
		uint64_t length)
{
	packed_add(packed, length << 1 | (item->count > 1));
}

static void pack_turn(GByteArray *packed, const struct track_item *item,
		uint64_t length, uint64_t busy)
{
	packed_add(packed, length);
	packed_add(packed, (length - MIN(busy, length)) << 2 |
		(item->count > 1) << 1 | item->preempted);
}

static void add_track(struct page *page, const char *key,
		const struct threads_boot *boot, const GArray *track,
		bool of_turns)
{
	int64_t last = 0;
	guint i;

	for (i = 0; i < track->len; i++) {
		const struct track_item *item =
			&g_array_index(track, struct track_item, i);
		const int64_t begin = MAX(last, picture_time(page->picture,
			boot, item->begin));
		const int64_t end = MAX(begin, picture_time(page->picture,
			boot, item->end));

		packed_add(page->packed, (uint64_t) (begin - last));
		if (of_turns)
			pack_turn(page->packed, item, (uint64_t) (end - begin),
				threads_boot_duration(boot, item->busy));
		else
			pack_event(page->packed, item,
				(uint64_t) (end - begin));
		if (item->count > 1)
			packed_add(page->packed, item->count);
		last = begin;
	}
	page->tracks_size += page->packed->len;
	g_string_append_printf(page->json, ",\"%s\":", key);
	packed_flush(page->packed, page->json);
}

static void add_ids(struct page *page, const struct threads_row *thread)
{
	add_known(page, "pid", thread->pid);
	add_known(page, "tid", thread->tid);
	add_known(page, "cpu", thread->cpu);
	if (thread->is_virtual)
		g_string_append(page->json, ",\"virtual\":true");
	if (thread->ns_inum != COMMCACHE_HISTORY_NS_UNKNOWN &&
			thread->ns_inum != COMMCACHE_HISTORY_NS_ROOT) {
		g_string_append_printf(page->json, ",\"ns\":%" PRIu64,
			thread->ns_inum);
		add_known(page, "vtid", thread->vtid);
	}
}

static void add_counts(struct page *page, const struct threads_row *thread)
{
	const struct threads_counts *counts = &thread->counts;

	add_number(page, "events", (int64_t) counts->events);
	if (counts->has_cycles)
		add_number(page, "cpu_ns", (int64_t) threads_boot_duration(
			thread->boot, counts->cycles));
	if (row_tells_switches(thread))
		add_number(page, "switches", (int64_t) counts->switches);
	if (row_tells_preemptions(thread))
		add_number(page, "preemptions", (int64_t) counts->preemptions);
}

static void add_thread(struct page *page, const struct threads_row *thread,
		guint host)
{
	g_string_append_printf(page->json, "{\"host\":%u", host);
	add_ids(page, thread);
	add_known(page, "begin", picture_begin(page->picture, thread));
	add_known(page, "end", picture_end(page->picture, thread));
	add_counts(page, thread);
	add_names(page, thread);
	if (thread->lane) {
		add_track(page, "turns", thread->boot, thread->lane->turns,
			true);
		add_track(page, "seen", thread->boot, thread->lane->events,
			false);
	}
	g_string_append_c(page->json, '}');
}

/* Hosts are numbered as they come: threads are sorted by them. */
static void add_threads(struct page *page)
{
	const GPtrArray *threads = page->picture->threads;
	guint host = 0, i;

	g_string_append(page->json, ",\"threads\":[");
	for (i = 0; i < threads->len; i++) {
		const struct threads_row *thread = threads->pdata[i];

		if (i > 0) {
			const struct threads_row *last = threads->pdata[i - 1];

			host += thread->boot != last->boot;
			g_string_append(page->json, ",\n");
		}
		add_thread(page, thread, host);
	}
	g_string_append(page->json, "]");
}

static void add_hosts(struct page *page)
{
	const GPtrArray *threads = page->picture->threads;
	const struct threads_boot *last = NULL;
	guint i;

	g_string_append(page->json, ",\"hosts\":[");
	for (i = 0; i < threads->len; i++) {
		const struct threads_boot *boot =
			((const struct threads_row *) threads->pdata[i])->boot;
		char *host;

		if (boot == last)
			continue;
		if (last)
			g_string_append_c(page->json, ',');
		host = output_host(boot);
		json_text_append(page->json, host);
		g_free(host);
		last = boot;
	}
	g_string_append_c(page->json, ']');
}

static void add_texts(struct page *page)
{
	guint i;

	g_string_append(page->json, ",\"texts\":[");
	for (i = 0; i < page->texts->len; i++) {
		if (i > 0)
			g_string_append_c(page->json, ',');
		json_text_append(page->json, page->texts->pdata[i]);
		page->names_size += strlen(page->texts->pdata[i]);
	}
	g_string_append_c(page->json, ']');
}

static void add_sources(struct page *page)
{
	int i;

	g_string_append(page->json, ",\"sources\":[");
	for (i = 0; i <= COMMCACHE_HISTORY_BETWEEN; i++)
		g_string_append_printf(page->json, "%s\"%s\"",
			i > 0 ? "," : "", report_source_name(i));
	g_string_append_c(page->json, ']');
}

static void write_json(struct page *page)
{
	const struct picture *picture = page->picture;

	g_string_assign(page->json, "{\"format\":\"commcache timeline 1\"");
	g_string_append(page->json, ",\"title\":");
	json_text_append(page->json, picture->params->title);
	/* Too large for a number of JavaScript. */
	if (picture->base != THREADS_NO_TIME)
		g_string_append_printf(page->json, ",\"base_ns\":\"%" PRId64
			"\"", picture->base);
	add_number(page, "span_ns", picture->span);
	add_number(page, "cell_bits", picture->lanes->shift);
	add_number(page, "name_cell_bits", page->name_shift);
	add_sources(page);
	add_hosts(page);
	add_threads(page);
	add_texts(page);
	g_string_append(page->json, "}\n");
}

/* A time has no more bits: then it is the threads that are too many. */
#define NAME_SHIFT_MAX	62

/* How many names there are to show. */
static guint count_names(const struct page *page)
{
	const struct picture *picture = page->picture;
	guint count = 0, i, j;

	for (i = 0; i < picture->threads->len; i++) {
		const struct threads_row *thread = picture->threads->pdata[i];
		int64_t last = -1;

		for (j = 0; j < thread->name_count; j++) {
			const int64_t cell = picture_clamp(picture,
				picture_name(picture, thread, j)->since) >>
				page->name_shift;

			count += cell != last;
			last = cell;
		}
	}
	return count;
}

/* Wider cells, so that there are fewer of them, by a quarter at least. */
static void widen_names(struct page *page)
{
	const guint count = count_names(page);

	do {
		page->name_shift++;
	} while (page->name_shift < NAME_SHIFT_MAX &&
		count_names(page) > count - count / 4);
}

/* Of what takes most of the place, less. */
static void simplify(struct page *page)
{
	if (page->names_size > page->tracks_size)
		widen_names(page);
	else
		lanes_widen(page->picture->lanes);
	g_ptr_array_set_size(page->texts, 0);
	g_hash_table_remove_all(page->numbers);
}

static void write_all(const char *const *texts, FILE *file)
{
	for (; *texts; texts++)
		fputs(*texts, file);
}

static gsize size_of(const char *const *texts)
{
	gsize size = 0;

	for (; *texts; texts++)
		size += strlen(*texts);
	return size;
}

static bool can_simplify(const struct page *page)
{
	return page->names_size > page->tracks_size ?
		page->name_shift < NAME_SHIFT_MAX :
		page->picture->lanes->items > 2 * page->picture->lanes->all->len;
}

void picture_write_page(struct picture *picture, FILE *file)
{
	const gsize max = PAGE_MAX - size_of(page_head) - size_of(page_tail);
	struct page page = {
		.picture = picture,
		.json = g_string_new(NULL),
		.packed = g_byte_array_new(),
		.texts = g_ptr_array_new(),
		.numbers = g_hash_table_new(NULL, NULL),
	};

	write_json(&page);
	while (page.json->len > max && can_simplify(&page)) {
		simplify(&page);
		page.names_size = 0;
		page.tracks_size = 0;
		write_json(&page);
	}
	write_all(page_head, file);
	fputs(page.json->str, file);
	write_all(page_tail, file);
	g_hash_table_destroy(page.numbers);
	g_ptr_array_free(page.texts, TRUE);
	g_byte_array_free(page.packed, TRUE);
	g_string_free(page.json, TRUE);
}
