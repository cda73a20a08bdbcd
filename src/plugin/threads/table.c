/* SPDX-License-Identifier: MIT */
#include "threads/output.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "escape.h"
#include "resolve/report.h"

#define NANOSECONDS	1000000000

char *output_host(const struct threads_boot *boot)
{
	return escape_text(boot->host);
}

static char *unknown(void)
{
	return g_strdup("-");
}

static char *show_id(int64_t id)
{
	return id < 0 ? unknown() : g_strdup_printf("%" PRId64, id);
}

/* As babeltrace2 prints it: the time of the day where this runs. */
static char *show_time(int64_t time)
{
	int64_t seconds = time / NANOSECONDS, rest = time % NANOSECONDS;
	char text[sizeof("hh:mm:ss")];
	struct tm broken;
	time_t whole;

	if (time == THREADS_NO_TIME)
		return unknown();
	if (rest < 0) {
		rest += NANOSECONDS;
		seconds--;
	}
	whole = (time_t) seconds;
	if (!localtime_r(&whole, &broken) ||
			strftime(text, sizeof(text), "%H:%M:%S", &broken) == 0)
		return unknown();
	return g_strdup_printf("%s.%09" PRId64, text, rest);
}

/* A word: an awk that reads the table counts them. */
static char *show_host(const struct threads_row *row)
{
	char *host = output_host(row->boot);
	char **words;
	char *shown;

	if (!host[0]) {
		g_free(host);
		return unknown();
	}
	words = g_strsplit(host, " ", -1);
	shown = g_strjoinv("\\x20", words);
	g_strfreev(words);
	g_free(host);
	return shown;
}

static char *show_pid(const struct threads_row *row)
{
	return show_id(row->pid);
}

static char *show_tid(const struct threads_row *row)
{
	return show_id(row->tid);
}

/* Where tids of both kinds stand in one table. */
static char *show_root_pid(const struct threads_row *row)
{
	return row->is_virtual ? unknown() : show_id(row->pid);
}

static char *show_root_tid(const struct threads_row *row)
{
	return row->is_virtual ? unknown() : show_id(row->tid);
}

static char *show_vtid(const struct threads_row *row)
{
	return show_id(row->is_virtual ? row->tid : row->vtid);
}

static char *show_namespace(const struct threads_row *row)
{
	return row->ns_inum == COMMCACHE_HISTORY_NS_UNKNOWN ? unknown() :
		g_strdup_printf("%" PRIu64, row->ns_inum);
}

static char *show_source(const struct threads_row *row)
{
	return g_strdup(report_source_name(row->name.source));
}

static char *show_since(const struct threads_row *row)
{
	return show_time(row->since);
}

static char *show_names(const struct threads_row *row)
{
	return g_strdup_printf("%u", row->name_count);
}

static char *show_events(const struct threads_row *row)
{
	return g_strdup_printf("%" PRIu64, row->counts.events);
}

static char *show_first(const struct threads_row *row)
{
	return show_time(row->counts.first);
}

static char *show_last(const struct threads_row *row)
{
	return show_time(row->counts.last);
}

static char *show_cpu(const struct threads_row *row)
{
	uint64_t time;

	if (!row->counts.has_cycles)
		return unknown();
	time = threads_boot_duration(row->boot, row->counts.cycles);
	return g_strdup_printf("%" PRIu64 ".%09" PRIu64, time / NANOSECONDS,
		time % NANOSECONDS);
}

static char *show_switches(const struct threads_row *row)
{
	return row_tells_switches(row) ?
		g_strdup_printf("%" PRIu64, row->counts.switches) : unknown();
}

static char *show_preemptions(const struct threads_row *row)
{
	return row_tells_preemptions(row) ? g_strdup_printf("%" PRIu64,
		row->counts.preemptions) : unknown();
}

static char *show_name(const struct threads_row *row)
{
	return g_strdup(row->text);
}

struct column {
	const char *heading;
	char *(*show)(const struct threads_row *row);
	bool is_number;
};

#define COLUMNS_MAX	16

struct table {
	struct column columns[COLUMNS_MAX];
	size_t count;
	size_t widths[COLUMNS_MAX];
	/* char *, row by row. */
	GPtrArray *cells;
};

static void add_column(struct table *table, const char *heading,
		char *(*show)(const struct threads_row *row), bool is_number)
{
	table->columns[table->count++] = (struct column) {
		heading, show, is_number
	};
}

/* What the rows have to tell. */
struct contents {
	bool virtual_ids;
	bool root_ids;
	bool inner_namespaces;
	bool switches;
	bool preemptions;
};

static struct contents look_at(const GArray *rows)
{
	struct contents contents = { 0 };
	guint i;

	for (i = 0; i < rows->len; i++) {
		const struct threads_row *row =
			&g_array_index(rows, struct threads_row, i);

		contents.virtual_ids |= row->is_virtual;
		contents.root_ids |= !row->is_virtual && row->tid > 0;
		contents.inner_namespaces |=
			row->ns_inum != COMMCACHE_HISTORY_NS_UNKNOWN &&
			row->ns_inum != COMMCACHE_HISTORY_NS_ROOT;
		contents.switches |= row_tells_switches(row);
		contents.preemptions |= row_tells_preemptions(row);
	}
	return contents;
}

static void add_id_columns(struct table *table, const struct contents *contents)
{
	if (contents->virtual_ids && contents->root_ids) {
		add_column(table, "PID", show_root_pid, true);
		add_column(table, "TID", show_root_tid, true);
	} else if (contents->virtual_ids) {
		add_column(table, "VPID", show_pid, true);
		add_column(table, "VTID", show_tid, true);
	} else {
		add_column(table, "PID", show_pid, true);
		add_column(table, "TID", show_tid, true);
	}
	if (contents->inner_namespaces)
		add_column(table, "PID-NS", show_namespace, true);
	if (contents->root_ids && (contents->inner_namespaces ||
			contents->virtual_ids))
		add_column(table, "VTID", show_vtid, true);
}

static void add_columns(struct table *table, const struct contents *contents,
		bool totals)
{
	add_column(table, "HOST", show_host, false);
	add_id_columns(table, contents);
	if (totals)
		add_column(table, "NAMES", show_names, true);
	else
		add_column(table, "LEARNED", show_source, false);
	add_column(table, "SINCE", show_since, false);
	add_column(table, "EVENTS", show_events, true);
	add_column(table, "FIRST", show_first, false);
	add_column(table, "LAST", show_last, false);
	if (contents->switches) {
		add_column(table, "CPU-TIME", show_cpu, true);
		add_column(table, "SWITCHES", show_switches, true);
	}
	if (contents->preemptions)
		add_column(table, "PREEMPTED", show_preemptions, true);
	add_column(table, "NAME", show_name, false);
}

static void fill(struct table *table, const GArray *rows)
{
	guint i;
	size_t j;

	for (j = 0; j < table->count; j++)
		table->widths[j] = strlen(table->columns[j].heading);
	for (i = 0; i < rows->len; i++) {
		const struct threads_row *row =
			&g_array_index(rows, struct threads_row, i);

		for (j = 0; j < table->count; j++) {
			char *cell = table->columns[j].show(row);
			const size_t width = (size_t) g_utf8_strlen(cell, -1);

			g_ptr_array_add(table->cells, cell);
			table->widths[j] = MAX(table->widths[j], width);
		}
	}
}

static void print_cell(const struct table *table, size_t column,
		const char *text, FILE *file)
{
	const int padding = (int) (table->widths[column] -
		(size_t) g_utf8_strlen(text, -1));

	/* Nothing behind the last one. */
	if (column + 1 == table->count)
		fprintf(file, "%s\n", text);
	else if (table->columns[column].is_number)
		fprintf(file, "%*s%s  ", padding, "", text);
	else
		fprintf(file, "%s%*s  ", text, padding, "");
}

void output_text(struct rows *rows, FILE *file)
{
	const GArray *sorted = rows_sorted(rows);
	const struct contents contents = look_at(sorted);
	struct table table = {
		.cells = g_ptr_array_new_with_free_func(g_free),
	};
	guint i;

	add_columns(&table, &contents, rows->params->totals);
	fill(&table, sorted);
	for (i = 0; i < table.count; i++)
		print_cell(&table, i, table.columns[i].heading, file);
	for (i = 0; i < table.cells->len; i++)
		print_cell(&table, i % table.count, table.cells->pdata[i],
			file);
	g_ptr_array_free(table.cells, TRUE);
}
