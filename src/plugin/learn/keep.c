/* SPDX-License-Identifier: MIT */
/*
 * What was learned as bytes, and from bytes.
 */
#include "learn/kept.h"

#include <string.h>

#include "learn/identity.h"
#include "learn/kept-table.h"

static const struct parts_format format = {
	{ 'c', 'o', 'm', 'm', 'l', 'r', 'n', '\n' }, 2
};

/* The parts, in this order; of turns, one for each source that has them. */
#define PART_NAMES	'N'
#define PART_BOOTS	'B'
#define PART_SOURCES	'S'
#define PART_TURNS	'T'

/* Longer than any table's name. */
#define TABLE_NAME_MAX	64

/* Bytes within bytes. */
static bool write_within(const void *bytes, size_t size, void *writer)
{
	parts_write_bytes(writer, bytes, size);
	return true;
}

static int64_t read_within(void *bytes, size_t size, void *data)
{
	struct parts_reader *reader = data;

	parts_read_bytes(reader, bytes, size);
	return parts_is_good(reader) ? (int64_t) size : -1;
}

static void save_renaming(const void *value, struct parts_writer *writer)
{
	const struct learn_renaming *renaming = value;

	parts_write_moment(writer, renaming->moment);
	kept_comm_save(&renaming->old, writer);
	kept_comm_save(&renaming->comm, writer);
	parts_write_number(writer, renaming->is_late);
	parts_write_number(writer, renaming->is_done);
}

static void *load_renaming(struct parts_reader *reader)
{
	struct learn_renaming *renaming = g_new0(struct learn_renaming, 1);

	renaming->moment = parts_read_moment(reader, UINT32_MAX);
	renaming->old = kept_comm_load(reader);
	renaming->comm = kept_comm_load(reader);
	renaming->is_late = parts_read_limited(reader, 1);
	renaming->is_done = parts_read_limited(reader, 1);
	return renaming;
}

static void save_ran(const void *value, struct parts_writer *writer)
{
	const struct learn_ran *ran = value;

	parts_write_moment(writer, ran->last);
}

static void *load_ran(struct parts_reader *reader)
{
	struct learn_ran *ran = g_new0(struct learn_ran, 1);

	ran->last = parts_read_moment(reader, UINT32_MAX);
	return ran;
}

static void save_stream(const struct learn_kept_stream *kept,
		struct parts_writer *writer)
{
	parts_write_number(writer, kept->class_id);
	parts_write_number(writer, kept->id);
	parts_write_number(writer, kept->has_state);
	if (kept->has_state) {
		parts_write_moment(writer, kept->last);
		parts_write_signed(writer, kept->packet_end);
		parts_write_signed(writer, kept->run_tid);
		parts_write_moment(writer, kept->run_since);
	}
	spans_save(&kept->spans, writer);
}

static void load_stream(struct learn_source *source,
		struct parts_reader *reader)
{
	const uint64_t class_id = parts_read_number(reader);
	const uint64_t id = parts_read_number(reader);
	struct learn_kept_stream *kept =
		learn_kept_stream_add(source, class_id, id);

	kept->has_state = parts_read_limited(reader, 1);
	if (kept->has_state) {
		kept->last = parts_read_moment(reader, UINT32_MAX);
		kept->packet_end = parts_read_signed(reader);
		kept->run_tid = parts_read_signed(reader);
		kept->run_since = parts_read_moment(reader, UINT32_MAX);
	}
	spans_load(&kept->spans, reader);
}

static guint boot_place(const struct learn *learn,
		const struct learn_boot *boot)
{
	guint i = 0;

	while (learn->boots->pdata[i] != boot)
		i++;
	return i;
}

/* What its events left that are not answered yet, and what they told. */
static void save_tables(const struct learn_source *source,
		struct parts_writer *writer)
{
	learn_recorded_save(source->recorded, writer);
	learn_syscalls_save(source->syscalls, writer);
	kept_table_save(source->ending, false, writer, kept_moment_save);
	kept_set_save(source->reused, false, writer);
	kept_set_save(source->exchanged, false, writer);
	kept_table_save(source->last_calls, false, writer, kept_moment_save);
	kept_table_save(source->renamings, false, writer, save_renaming);
	kept_table_save(source->ran, false, writer, save_ran);
	learn_processes_save(source->processes, writer);
	kept_ids_save(source->seen_on_cpu, true, writer);
}

static void load_tables(struct learn_source *source,
		struct parts_reader *reader)
{
	learn_recorded_load(source->recorded, reader);
	learn_syscalls_load(source->syscalls, reader);
	kept_table_load(source->ending, false, reader, kept_moment_load);
	kept_set_load(source->reused, false, reader);
	kept_set_load(source->exchanged, false, reader);
	kept_table_load(source->last_calls, false, reader, kept_moment_load);
	kept_table_load(source->renamings, false, reader, load_renaming);
	kept_table_load(source->ran, false, reader, load_ran);
	learn_processes_load(source->processes, reader);
	kept_ids_load(source->seen_on_cpu, true, reader);
}

static void save_source(const struct learn_source *source,
		struct parts_writer *writer)
{
	guint i;

	parts_write_bytes(writer, source->identity, IDENTITY_SIZE);
	parts_write_signed(writer, source->newest_packet);
	parts_write_number(writer, boot_place(source->learn, source->boot));
	parts_write_text(writer, source->table->name);
	parts_write_signed(writer, source->time);
	parts_write_number(writer, source->order);
	parts_write_number(writer, source->tells_cpus);
	parts_write_number(writer, source->asks_cpus);
	parts_write_moment(writer, source->whole_since);
	parts_write_number(writer, (uint64_t) source->cpu_limit);
	parts_write_number(writer, source->cpus != NULL);
	save_tables(source, writer);
	parts_write_number(writer, source->kept_streams->len);
	for (i = 0; i < source->kept_streams->len; i++)
		save_stream(source->kept_streams->pdata[i], writer);
}

/* NULL: it is no good. `*has_turns`: they follow. */
static struct learn_source *load_source(struct learn *learn,
		struct parts_reader *reader, bool *has_turns)
{
	uint8_t identity[IDENTITY_SIZE];
	struct learn_source *source;
	const struct learn_table *table;
	uint64_t place, count;
	int64_t newest_packet;
	char *name;

	parts_read_bytes(reader, identity, sizeof(identity));
	newest_packet = parts_read_signed(reader);
	place = parts_read_limited(reader, learn->boots->len > 0 ?
		learn->boots->len - 1 : 0);
	name = parts_read_text(reader, TABLE_NAME_MAX);
	table = name ? learn_table_find(name) : NULL;
	free(name);
	if (!table || place >= learn->boots->len)
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	if (!parts_is_good(reader))
		return NULL;
	source = learn_source_create(learn, learn->boots->pdata[place], table);
	memcpy(source->identity, identity, sizeof(identity));
	source->newest_packet = newest_packet;
	source->time = parts_read_signed(reader);
	source->order = (uint32_t) parts_read_limited(reader, UINT32_MAX);
	source->tells_cpus = parts_read_limited(reader, 1);
	source->asks_cpus = parts_read_limited(reader, 1);
	source->whole_since = parts_read_moment(reader, UINT32_MAX);
	source->cpu_limit = (int64_t) parts_read_limited(reader,
		COMMCACHE_HISTORY_CPU_MAX + 1);
	*has_turns = parts_read_limited(reader, 1);
	load_tables(source, reader);
	count = parts_read_limited(reader, G_MAXINT);
	for (; count > 0 && parts_is_good(reader); count--)
		load_stream(source, reader);
	return source;
}

static void load_names(struct learn *learn, struct parts_reader *reader)
{
	const struct commcache_store_input input = { read_within, reader };
	enum commcache_store_status status;

	parts_read_part(reader, PART_NAMES);
	commcache_history_destroy(learn->history);
	status = commcache_history_load(&input, &learn->history);
	if (status != COMMCACHE_STORE_OK)
		parts_fail(reader, status);
}

static void load_boots(struct learn *learn, struct parts_reader *reader)
{
	struct learn_boot *boot;
	uint64_t count;

	parts_read_part(reader, PART_BOOTS);
	learn->source_count = parts_read_number(reader);
	count = parts_read_limited(reader, G_MAXINT);
	for (; count > 0 && parts_is_good(reader); count--) {
		boot = learn_boot_load(learn->history, reader);
		if (boot)
			g_ptr_array_add(learn->boots, boot);
	}
}

static void load_turns(struct learn_source *source, struct parts_reader *reader)
{
	const struct commcache_store_input input = { read_within, reader };
	enum commcache_store_status status;

	parts_read_part(reader, PART_TURNS);
	status = commcache_cpus_load(&input, &source->cpus);
	if (status != COMMCACHE_STORE_OK)
		parts_fail(reader, status);
	source->cpus_mode = COMMCACHE_CPUS_RECORD;
}

static void load_sources(struct learn *learn, struct parts_reader *reader)
{
	GPtrArray *with_turns = g_ptr_array_new();
	struct learn_source *source;
	bool has_turns = false;
	uint64_t count;
	guint i;

	parts_read_part(reader, PART_SOURCES);
	count = parts_read_limited(reader, G_MAXINT);
	for (; count > 0 && parts_is_good(reader); count--) {
		source = load_source(learn, reader, &has_turns);
		if (source && has_turns)
			g_ptr_array_add(with_turns, source);
	}
	for (i = 0; i < with_turns->len && parts_is_good(reader); i++)
		load_turns(with_turns->pdata[i], reader);
	g_ptr_array_free(with_turns, TRUE);
	parts_read_end(reader);
}

/* What look-ahead would not have: it answers as look-ahead does. */
static void drop_unasked(struct learn *learn)
{
	guint i;

	for (i = 0; i < learn->sources->len; i++) {
		struct learn_source *source = learn->sources->pdata[i];

		if (learn_source_is_asked(source))
			continue;
		commcache_cpus_destroy(source->cpus);
		source->cpus = NULL;
	}
}

enum commcache_store_status learn_load(struct learn *learn,
		const struct commcache_store_input *input, bool goes_on)
{
	struct parts_reader *reader = parts_read_begin(input, &format);
	enum commcache_store_status status;

	if (!reader)
		return COMMCACHE_STORE_NO_MEMORY;
	learn->pass = LEARN_PASS_FIRST;
	load_names(learn, reader);
	if (parts_is_good(reader))
		load_boots(learn, reader);
	if (parts_is_good(reader))
		load_sources(learn, reader);
	status = reader->status;
	free(reader);
	learn->is_kept = true;
	learn->goes_on = goes_on;
	if (status == COMMCACHE_STORE_OK && !goes_on)
		drop_unasked(learn);
	return status;
}

static enum commcache_store_status save_names(const struct learn *learn,
		struct parts_writer *writer)
{
	const struct commcache_store_output output = { write_within, writer };

	parts_write_part(writer, PART_NAMES);
	return commcache_history_save(learn->history, &output);
}

static enum commcache_store_status save_turns(const struct learn_source *source,
		struct parts_writer *writer)
{
	const struct commcache_store_output output = { write_within, writer };

	if (!source->cpus)
		return COMMCACHE_STORE_OK;
	parts_write_part(writer, PART_TURNS);
	return commcache_cpus_save(source->cpus, &output);
}

static void save_told(const struct learn *learn, struct parts_writer *writer)
{
	guint i;

	parts_write_part(writer, PART_BOOTS);
	parts_write_number(writer, learn->source_count);
	parts_write_number(writer, learn->boots->len);
	for (i = 0; i < learn->boots->len; i++)
		learn_boot_save(learn->boots->pdata[i], writer);
	parts_write_part(writer, PART_SOURCES);
	parts_write_number(writer, learn->sources->len);
	for (i = 0; i < learn->sources->len; i++)
		save_source(learn->sources->pdata[i], writer);
}

enum commcache_store_status learn_save(const struct learn *learn,
		const struct commcache_store_output *output)
{
	struct parts_writer *writer;
	enum commcache_store_status status, written;
	guint i;

	if (learn->pass != LEARN_PASS_FIRST)
		return COMMCACHE_STORE_FAILED;
	writer = parts_write_begin(output, &format);
	if (!writer)
		return COMMCACHE_STORE_NO_MEMORY;
	status = save_names(learn, writer);
	save_told(learn, writer);
	for (i = 0; i < learn->sources->len && status == COMMCACHE_STORE_OK;
			i++)
		status = save_turns(learn->sources->pdata[i], writer);
	written = parts_write_end(writer);
	return status == COMMCACHE_STORE_OK ? written : status;
}
