/* SPDX-License-Identifier: MIT */
/*
 * Chrome's JSON trace format ("Trace Event Format"), which Perfetto opens.
 *
 * A thread has one name there for all time (thread_name); so what it was called
 * when is drawn as slices on its track, with an instant event at each rename.
 * Below are its turns on a CPU, cut where it was renamed: slices have to nest.
 */
#include "timeline/picture.h"

#include <inttypes.h>
#include <string.h>

#include "json-text.h"
#include "resolve/report.h"
#include "threads/output.h"

/* Above all pids there can be: for what has none, or shares its number. */
#define MADE_UP_IDS	5000000

struct perfetto {
	/* Weak. */
	const struct picture *picture;
	FILE *file;
	/* Sets of numbers that are taken. Owned by this. */
	GHashTable *pids;
	GHashTable *tids;
	int64_t made_up;
	/* Of the present thread. */
	int64_t pid;
	int64_t tid;
	bool is_first;
};

static char *quote(const char *text)
{
	GString *json = g_string_new(NULL);

	json_text_append(json, text);
	return g_string_free(json, FALSE);
}

/* Where the number is taken, by another host's or an earlier life's, another. */
static int64_t take_id(struct perfetto *perfetto, GHashTable *taken, int64_t id)
{
	if (id < 0 || g_hash_table_contains(taken, GINT_TO_POINTER((int) id)))
		id = perfetto->made_up++;
	g_hash_table_add(taken, GINT_TO_POINTER((int) id));
	return id;
}

/* Of the thread; the caller ends it with what else there is, and "}". */
static void begin_event(struct perfetto *perfetto, const char *phase,
		const char *category, const char *name)
{
	char *quoted = quote(name);

	fprintf(perfetto->file, "%s{\"ph\":\"%s\",\"cat\":\"%s\",\"name\":%s,"
		"\"pid\":%" PRId64 ",\"tid\":%" PRId64,
		perfetto->is_first ? "\n" : ",\n", phase, category, quoted,
		perfetto->pid, perfetto->tid);
	perfetto->is_first = false;
	g_free(quoted);
}

/* Microseconds, as decimals: exact. */
static void print_time(const struct perfetto *perfetto, const char *key,
		int64_t time)
{
	fprintf(perfetto->file, ",\"%s\":%" PRId64 ".%03d", key, time / 1000,
		(int) (time % 1000));
}

static void print_metadata(struct perfetto *perfetto, const char *what,
		const char *key, const char *text)
{
	char *quoted = quote(text);

	begin_event(perfetto, "M", "__metadata", what);
	fprintf(perfetto->file, ",\"ts\":0,\"args\":{\"%s\":%s}}", key,
		quoted);
	g_free(quoted);
}

static void print_order(struct perfetto *perfetto, const char *what, guint order)
{
	begin_event(perfetto, "M", "__metadata", what);
	fprintf(perfetto->file, ",\"ts\":0,\"args\":{\"sort_index\":%u}}",
		order);
}

static bool is_same_process(const struct threads_row *a,
		const struct threads_row *b)
{
	return a->boot == b->boot && a->pid == b->pid &&
		a->is_virtual == b->is_virtual &&
		(!a->is_virtual || a->ns_inum == b->ns_inum);
}

/* The main thread's last name, for want of it the first thread's. */
static const char *process_name(const struct picture *picture, guint first)
{
	const struct threads_row *thread = picture->threads->pdata[first];
	guint i;

	if (thread->pid < 0)
		return "process unknown";
	if (thread->pid == 0)
		return "idle";
	for (i = first; i < picture->threads->len; i++) {
		const struct threads_row *other = picture->threads->pdata[i];

		if (!is_same_process(thread, other))
			break;
		if (other->tid == other->pid)
			return other->text;
	}
	return thread->text;
}

static void begin_process(struct perfetto *perfetto, guint place)
{
	const struct threads_row *thread =
		perfetto->picture->threads->pdata[place];
	char *host = output_host(thread->boot);
	char *name;

	perfetto->pid = take_id(perfetto, perfetto->pids, thread->pid);
	perfetto->tid = perfetto->pid;
	if (perfetto->pid != thread->pid && thread->pid >= 0)
		name = g_strdup_printf("%s (pid %" PRId64 ")",
			process_name(perfetto->picture, place), thread->pid);
	else
		name = g_strdup(process_name(perfetto->picture, place));
	print_metadata(perfetto, "process_name", "name", name);
	if (host[0])
		print_metadata(perfetto, "process_labels", "labels", host);
	/* Idle time is of least interest. */
	print_order(perfetto, "process_sort_index", thread->pid == 0 ?
		perfetto->picture->threads->len : place);
	g_free(name);
	g_free(host);
}

static void begin_thread(struct perfetto *perfetto,
		const struct threads_row *thread, guint order)
{
	char *name;

	perfetto->tid = take_id(perfetto, perfetto->tids,
		thread->tid > 0 ? thread->tid : -1);
	if (perfetto->tid != thread->tid && thread->tid > 0)
		name = g_strdup_printf("%s (tid %" PRId64 ")", thread->text,
			thread->tid);
	else
		name = g_strdup(thread->text);
	print_metadata(perfetto, "thread_name", "name", name);
	print_order(perfetto, "thread_sort_index", order);
	g_free(name);
}

static int64_t begin_of(const struct picture *picture,
		const struct threads_row *thread, guint index)
{
	return picture_clamp(picture, picture_name(picture, thread,
		index)->since);
}

/* Until the next name; with the last, the thread's end or the picture's. */
static int64_t end_of(const struct picture *picture,
		const struct threads_row *thread, guint index)
{
	const int64_t begin = begin_of(picture, thread, index);
	int64_t end = picture_end(picture, thread);

	if (index + 1 < thread->name_count)
		end = begin_of(picture, thread, index + 1);
	return MAX(end < 0 ? picture->span : end, begin);
}

static void print_rename(struct perfetto *perfetto,
		const struct threads_row *from, const struct threads_row *to,
		int64_t time)
{
	char *name, *old, *new;

	if (row_goes_on(to, from))
		return;
	name = g_strdup_printf("renamed: %s -> %s", from->text, to->text);
	old = quote(from->text);
	new = quote(to->text);
	begin_event(perfetto, "i", "rename", name);
	print_time(perfetto, "ts", time);
	fprintf(perfetto->file, ",\"s\":\"t\",\"args\":{\"from\":%s,\"to\":%s,"
		"\"learned\":\"%s\"}}", old, new,
		report_source_name(to->name.source));
	g_free(old);
	g_free(new);
	g_free(name);
}

static void print_names(struct perfetto *perfetto,
		const struct threads_row *thread)
{
	const struct picture *picture = perfetto->picture;
	guint i;

	for (i = 0; i < thread->name_count; i++) {
		const struct threads_row *name = picture_name(picture, thread,
			i);
		const int64_t begin = begin_of(picture, thread, i);

		begin_event(perfetto, "X", "name", name->text);
		print_time(perfetto, "ts", begin);
		print_time(perfetto, "dur", end_of(picture, thread, i) - begin);
		fprintf(perfetto->file, ",\"args\":{\"learned\":\"%s\","
			"\"events\":%" PRIu64 "}}",
			report_source_name(name->name.source),
			name->counts.events);
		if (i > 0)
			print_rename(perfetto, picture_name(picture, thread,
				i - 1), name, begin);
	}
}

static void print_turn(struct perfetto *perfetto,
		const struct threads_row *thread,
		const struct track_item *item, int64_t begin, int64_t end)
{
	begin_event(perfetto, "X", "sched",
		item->count > 1 ? "running, now and then" : "running");
	print_time(perfetto, "ts", begin);
	print_time(perfetto, "dur", end - begin);
	fprintf(perfetto->file, ",\"args\":{\"turns\":%" PRIu64
		",\"cpu_time_ns\":%" PRIu64 ",\"preempted\":%s}}", item->count,
		threads_boot_duration(thread->boot, item->busy),
		item->preempted ? "true" : "false");
}

static void print_turns(struct perfetto *perfetto,
		const struct threads_row *thread)
{
	const struct picture *picture = perfetto->picture;
	const GArray *turns = thread->lane->turns;
	guint name = 0, i;

	for (i = 0; i < turns->len; i++) {
		const struct track_item *item =
			&g_array_index(turns, struct track_item, i);
		int64_t begin = picture_time(picture, thread->boot,
			item->begin);
		const int64_t end = picture_time(picture, thread->boot,
			item->end);

		while (name + 1 < thread->name_count &&
				begin_of(picture, thread, name + 1) <= begin)
			name++;
		for (; name + 1 < thread->name_count && begin_of(picture,
				thread, name + 1) < end; name++) {
			const int64_t cut = begin_of(picture, thread, name + 1);

			print_turn(perfetto, thread, item, begin, cut);
			begin = cut;
		}
		print_turn(perfetto, thread, item, begin, end);
	}
}

static void print_events(struct perfetto *perfetto,
		const struct threads_row *thread)
{
	const struct picture *picture = perfetto->picture;
	const GArray *events = thread->lane->events;
	guint i;

	for (i = 0; i < events->len; i++) {
		const struct track_item *item =
			&g_array_index(events, struct track_item, i);
		const int64_t begin = picture_time(picture, thread->boot,
			item->begin);
		const int64_t end = picture_time(picture, thread->boot,
			item->end);

		begin_event(perfetto, "i", "events",
			item->count > 1 ? "events" : "event");
		print_time(perfetto, "ts", begin);
		fprintf(perfetto->file, ",\"s\":\"t\",\"args\":{\"events\":%"
			PRIu64 ",\"within_ns\":%" PRId64 "}}", item->count,
			end - begin);
	}
}

static void print_threads(struct perfetto *perfetto)
{
	const GPtrArray *threads = perfetto->picture->threads;
	guint i;

	for (i = 0; i < threads->len; i++) {
		const struct threads_row *thread = threads->pdata[i];

		if (i == 0 || !is_same_process(thread, threads->pdata[i - 1]))
			begin_process(perfetto, i);
		begin_thread(perfetto, thread, i);
		print_names(perfetto, thread);
		if (!thread->lane)
			continue;
		print_turns(perfetto, thread);
		print_events(perfetto, thread);
	}
}

void picture_write_perfetto(const struct picture *picture, FILE *file)
{
	struct perfetto perfetto = {
		.picture = picture,
		.file = file,
		.pids = g_hash_table_new(NULL, NULL),
		.tids = g_hash_table_new(NULL, NULL),
		.made_up = MADE_UP_IDS,
		.is_first = true,
	};
	char *title = quote(picture->params->title);

	fprintf(file, "{\"displayTimeUnit\":\"ns\",\"otherData\":{"
		"\"format\":\"commcache timeline 1\",\"title\":%s", title);
	if (picture->base != THREADS_NO_TIME)
		fprintf(file, ",\"base_ns\":\"%" PRId64 "\"", picture->base);
	fputs("},\"traceEvents\":[", file);
	print_threads(&perfetto);
	fputs("\n]}\n", file);
	g_free(title);
	g_hash_table_destroy(perfetto.tids);
	g_hash_table_destroy(perfetto.pids);
}
