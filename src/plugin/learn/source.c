/* SPDX-License-Identifier: MIT */
#include "learn/kept.h"

#include <string.h>

struct learn *learn_create(const struct learn_options *options)
{
	struct learn *learn = g_new0(struct learn, 1);

	learn->options = options;
	commcache_comm_from_string(&learn->unknown, options->unknown);
	learn->boots = g_ptr_array_new();
	learn->sources = g_ptr_array_new();
	if (learn_begin_pass(learn, LEARN_PASS_ONLY) != STATUS_OK) {
		learn_destroy(learn);
		return NULL;
	}
	return learn;
}

static void destroy_source(struct learn_source *source)
{
	commcache_cpus_destroy(source->cpus);
	learn_recorded_destroy(source->recorded);
	learn_syscalls_destroy(source->syscalls);
	g_hash_table_destroy(source->ending);
	g_hash_table_destroy(source->reused);
	g_hash_table_destroy(source->exchanged);
	g_hash_table_destroy(source->last_calls);
	g_hash_table_destroy(source->renamings);
	g_hash_table_destroy(source->ran);
	learn_processes_destroy(source->processes);
	g_hash_table_destroy(source->seen_on_cpu);
	g_ptr_array_free(source->kept_streams, TRUE);
	g_free(source);
}

void learn_destroy(struct learn *learn)
{
	guint i;

	if (!learn)
		return;
	for (i = 0; i < learn->sources->len; i++)
		destroy_source(learn->sources->pdata[i]);
	g_ptr_array_free(learn->sources, TRUE);
	for (i = 0; i < learn->boots->len; i++)
		learn_boot_destroy(learn->boots->pdata[i]);
	g_ptr_array_free(learn->boots, TRUE);
	commcache_history_destroy(learn->history);
	g_free(learn);
}

struct commcache_history *learn_history(struct learn *learn)
{
	return learn->history;
}

static void reset_source(struct learn_source *source)
{
	commcache_cpus_destroy(source->cpus);
	source->cpus = NULL;
	learn_syscalls_destroy(source->syscalls);
	source->syscalls = learn_syscalls_create();
	g_hash_table_remove_all(source->ending);
	g_hash_table_remove_all(source->reused);
	g_hash_table_remove_all(source->exchanged);
	g_hash_table_remove_all(source->last_calls);
	g_hash_table_remove_all(source->renamings);
	g_hash_table_remove_all(source->ran);
	learn_processes_destroy(source->processes);
	source->processes = learn_processes_create();
	g_hash_table_remove_all(source->seen_on_cpu);
}

static enum status reset(struct learn *learn)
{
	guint i;

	commcache_history_destroy(learn->history);
	learn->history = commcache_history_create();
	if (!learn->history)
		return STATUS_MEMORY_ERROR;
	learn->kept_changes = 0;
	learn->kept_threads = 0;
	for (i = 0; i < learn->boots->len; i++) {
		if (!learn_boot_reset(learn->boots->pdata[i], learn->history,
				learn->pass == LEARN_PASS_ONLY))
			return STATUS_MEMORY_ERROR;
	}
	for (i = 0; i < learn->sources->len; i++)
		reset_source(learn->sources->pdata[i]);
	return STATUS_OK;
}

/* What was not recorded any more, or not yet, of a CPU. */
static enum status add_bound(struct learn_source *source, int64_t cpu)
{
	struct commcache_moment moment;
	struct learn_hole hole;
	bool is_open;

	if (!learn_recorded_state(source->recorded, cpu, &is_open, &hole))
		return STATUS_OK;
	moment = is_open ? commcache_moment(hole.to, 0) :
		learn_recorded_after(hole.from);
	return commcache_cpus_gap(source->cpus, cpu, moment) ==
		COMMCACHE_HISTORY_NO_MEMORY ? STATUS_MEMORY_ERROR : STATUS_OK;
}

static enum status add_bounds(struct learn_source *source)
{
	const int64_t count = learn_recorded_cpu_count(source->recorded);
	enum status status = STATUS_OK;
	int64_t cpu;

	for (cpu = 0; cpu < count && status == STATUS_OK; cpu++)
		status = add_bound(source, cpu);
	return status;
}

static bool is_ended(const struct learn_source *source, int64_t cpu)
{
	struct learn_hole hole;
	bool is_open;

	return learn_recorded_state(source->recorded, cpu, &is_open, &hole) &&
		!is_open;
}

/* After the ends of what was recorded, no one knows. */
static enum status rewind_cpus(struct learn_source *source)
{
	const int64_t count = learn_recorded_cpu_count(source->recorded);
	int64_t cpu;

	for (cpu = 0; cpu < count; cpu++) {
		if (is_ended(source, cpu) &&
				add_bound(source, cpu) != STATUS_OK)
			return STATUS_MEMORY_ERROR;
	}
	return commcache_cpus_rewind(source->cpus) < 0 ? STATUS_MEMORY_ERROR :
		STATUS_OK;
}

static enum status begin_pass_of_source(struct learn_source *source,
		enum learn_pass pass)
{
	enum status status = STATUS_OK;

	source->time = TIME_NONE;
	source->order = 0;
	if (pass == LEARN_PASS_SECOND && source->cpus)
		status = rewind_cpus(source);
	source->whole_since = commcache_moment(INT64_MIN, 0);
	learn_recorded_reset(source->recorded);
	return status;
}

enum status learn_begin_pass(struct learn *learn, enum learn_pass pass)
{
	guint i;

	learn->pass = pass == LEARN_PASS_MORE ? LEARN_PASS_FIRST : pass;
	learn->passes++;
	learn->numbers_version++;
	if (pass == LEARN_PASS_MORE)
		return STATUS_OK;
	for (i = 0; i < learn->sources->len; i++) {
		if (begin_pass_of_source(learn->sources->pdata[i], pass) !=
				STATUS_OK)
			return STATUS_MEMORY_ERROR;
	}
	for (i = 0; i < learn->boots->len; i++)
		learn_recorded_reset(((struct learn_boot *)
			learn->boots->pdata[i])->recorded);
	return pass == LEARN_PASS_SECOND ? STATUS_OK : reset(learn);
}

static const char *environment_string(const bt_trace *trace, const char *name)
{
	const bt_value *value =
		bt_trace_borrow_environment_entry_value_by_name_const(trace,
			name);

	return value && bt_value_is_string(value) ?
		bt_value_string_get(value) : NULL;
}

/* LTTng writes numbers as integers, or as strings in some versions. */
static int64_t environment_integer(const bt_trace *trace, const char *name)
{
	const bt_value *value =
		bt_trace_borrow_environment_entry_value_by_name_const(trace,
			name);

	if (!value)
		return 0;
	if (bt_value_is_signed_integer(value))
		return bt_value_integer_signed_get(value);
	if (bt_value_is_string(value))
		return g_ascii_strtoll(bt_value_string_get(value), NULL, 10);
	return 0;
}

/*
 * LTTng's boot id is the machine, whatever a container calls it. The UUID of
 * another tracer's clock can be a part of its configuration.
 */
static bool is_boot(const struct learn_boot *boot, const char *host,
		const uint8_t id[16], bool is_lttng)
{
	return memcmp(boot->id, id, sizeof(boot->id)) == 0 &&
		((is_lttng && boot->is_lttng) ||
		(host && g_strcmp0(boot->host, host) == 0));
}

static struct learn_boot *find_boot(struct learn *learn, const bt_trace *trace,
		const bt_clock_class *clock_class,
		const struct learn_table *table)
{
	const bool is_lttng = table == &learn_lttng_kernel ||
		table == &learn_lttng_ust;
	const char *host = environment_string(trace, "hostname");
	struct learn_boot *boot;
	uint8_t id[16];
	bool is_lone;
	guint i;

	/* perf's word for it. */
	if (!host)
		host = environment_string(trace, "host");
	/* Numbers from 1 on: a boot that none tells has an id, too. */
	is_lone = !learn_boot_id(is_lttng || host ? clock_class : NULL,
		learn->source_count + 1, id);
	for (i = 0; i < learn->boots->len; i++) {
		boot = learn->boots->pdata[i];
		if (is_boot(boot, host, id, is_lttng))
			return boot;
	}
	boot = learn_boot_create(host, id, clock_class);
	boot->is_lone = is_lone;
	boot->is_lttng = is_lttng;
	if (!learn_boot_reset(boot, learn->history,
			learn->pass == LEARN_PASS_ONLY)) {
		learn_boot_destroy(boot);
		return NULL;
	}
	g_ptr_array_add(learn->boots, boot);
	return boot;
}

struct learn_source *learn_source_create(struct learn *learn,
		struct learn_boot *boot, const struct learn_table *table)
{
	struct learn_source *source = g_new0(struct learn_source, 1);

	source->learn = learn;
	source->boot = boot;
	source->table = table;
	source->time = TIME_NONE;
	source->newest_packet = INT64_MIN;
	source->whole_since = commcache_moment(INT64_MIN, 0);
	source->kept_streams =
		g_ptr_array_new_with_free_func(learn_kept_stream_destroy);
	source->recorded = learn_recorded_create();
	source->syscalls = learn_syscalls_create();
	source->ending = g_hash_table_new_full(g_direct_hash, g_direct_equal,
		NULL, g_free);
	source->reused = g_hash_table_new(g_direct_hash, g_direct_equal);
	source->exchanged = g_hash_table_new(g_direct_hash, g_direct_equal);
	source->last_calls = g_hash_table_new_full(g_direct_hash,
		g_direct_equal, NULL, g_free);
	source->renamings = g_hash_table_new_full(g_direct_hash, g_direct_equal,
		NULL, g_free);
	source->ran = g_hash_table_new_full(g_direct_hash, g_direct_equal,
		NULL, g_free);
	source->processes = learn_processes_create();
	source->seen_on_cpu = g_hash_table_new_full(g_int64_hash, g_int64_equal,
		g_free, NULL);
	g_ptr_array_add(learn->sources, source);
	g_ptr_array_add(boot->sources, source);
	return source;
}

void learn_source_attach(struct learn_source *source, const bt_trace *trace,
		const bt_clock_class *clock_class,
		const struct learn_table *table)
{
	source->trace = trace;
	source->table = table;
	source->clock_class = clock_class;
	source->in_nanoseconds = clock_class &&
		bt_clock_class_get_frequency(clock_class) == LEARN_NANOSECONDS;
	if (table->ids_virtual)
		source->only_process = environment_integer(trace, "vpid");
	if (source->learn->options->keeps)
		identity_of_trace(trace, clock_class, source->identity);
}

static struct learn_source *find_or_create(struct learn *learn,
		const bt_trace *trace, const bt_stream_class *stream_class,
		const struct learn_table *table)
{
	const bt_clock_class *clock_class =
		bt_stream_class_borrow_default_clock_class_const(stream_class);
	struct learn_source *source;
	struct learn_boot *boot;
	guint i;

	for (i = 0; i < learn->sources->len; i++) {
		source = learn->sources->pdata[i];
		if (source->trace == trace &&
				source->clock_class == clock_class)
			return source;
	}
	if (learn->is_kept) {
		source = learn_kept_claim(learn, trace, clock_class, table);
		if (source || !learn->goes_on)
			return source;
	}
	boot = find_boot(learn, trace, clock_class, table);
	if (!boot)
		return NULL;
	source = learn_source_create(learn, boot, table);
	learn->source_count++;
	learn_source_attach(source, trace, clock_class, table);
	return source;
}

struct learn_source *learn_source_find(struct learn *learn,
		const bt_trace *trace, const bt_stream_class *stream_class,
		const struct learn_table *table)
{
	struct learn_source *source = find_or_create(learn, trace, stream_class,
		table);

	if (source)
		learn_source_use(source);
	return source;
}

void learn_source_use(struct learn_source *source)
{
	source->users++;
}

/*
 * In one pass, nothing asks what such a source told of its CPUs' threads and
 * numbers: it is over. A second pass does. Names are the history's.
 */
static void drop_if_over(struct learn_source *source)
{
	struct learn *learn = source->learn;

	if (source->trace || source->users > 0 || learn->pass != LEARN_PASS_ONLY)
		return;
	source->boot->was_asked |= source->asks_cpus && !source->tells_cpus;
	g_ptr_array_remove_fast(source->boot->sources, source);
	g_ptr_array_remove_fast(learn->sources, source);
	destroy_source(source);
}

void learn_source_put(struct learn_source *source)
{
	source->users--;
	drop_if_over(source);
}

void learn_source_copy_plans(struct learn_source *source,
		const struct learn_source *other)
{
	source->tells_cpus |= other->tells_cpus;
	source->calls |= other->calls;
	source->asks_cpus |= other->asks_cpus;
	source->boot->has_switches |= source->tells_cpus;
}

void learn_source_gone(struct learn *learn, const bt_trace *trace)
{
	guint i = learn->sources->len;

	while (i-- > 0) {
		struct learn_source *source = learn->sources->pdata[i];

		if (source->trace == trace) {
			source->trace = NULL;
			drop_if_over(source);
		}
	}
}

void learn_source_plan(struct learn_source *source,
		const struct learn_plan *plan)
{
	if (plan->moves_cpu) {
		source->tells_cpus = true;
		source->boot->has_switches = true;
	}
	learn_whole_plan(source, plan);
	source->learn->numbers_version++;
	if (plan->runner.reader == LEARN_ABSENT || plan->runner_virtual)
		source->asks_cpus = true;
}

static bool is_asked_by_others(const struct learn_source *source)
{
	const GPtrArray *sources = source->boot->sources;
	guint i;

	/* Whoever comes next is to find the switches since then. */
	if (source->boot->was_asked)
		return true;
	for (i = 0; i < sources->len; i++) {
		const struct learn_source *other = sources->pdata[i];

		if (other->asks_cpus && other != source)
			return true;
	}
	return false;
}

bool learn_source_is_asked(const struct learn_source *source)
{
	return source->asks_cpus || is_asked_by_others(source);
}

static void create_cpus(struct learn_source *source,
		enum commcache_cpus_mode mode)
{
	source->cpus = commcache_cpus_create(mode);
	source->cpus_mode = mode;
	if (source->cpus && add_bounds(source) != STATUS_OK) {
		commcache_cpus_destroy(source->cpus);
		source->cpus = NULL;
	}
}

struct commcache_cpus *learn_source_cpus(struct learn_source *source)
{
	const bool others = source->learn->options->keeps ||
		is_asked_by_others(source);
	enum commcache_cpus_mode mode;

	if (!source->learn->options->infer_current ||
			!(source->asks_cpus || others))
		return NULL;
	if (others)
		mode = COMMCACHE_CPUS_RECORD;
	else
		mode = source->learn->pass == LEARN_PASS_ONLY ?
			COMMCACHE_CPUS_ONE_PASS : COMMCACHE_CPUS_LOOKAHEAD;
	/* A trace that asks came later, in a live input. */
	if (source->cpus && mode == COMMCACHE_CPUS_RECORD &&
			source->cpus_mode != mode) {
		commcache_cpus_destroy(source->cpus);
		source->cpus = NULL;
	}
	if (!source->cpus)
		create_cpus(source, mode);
	return source->cpus;
}

bool learn_source_asks(const struct learn_source *source)
{
	return source->asks_cpus;
}

bool learn_source_has_switches(const struct learn_source *source)
{
	return source->boot->has_switches;
}

const char *learn_source_host(const struct learn_source *source)
{
	return source->boot->host;
}

struct commcache_history_domain *learn_source_root(
		const struct learn_source *source)
{
	return source->boot->root;
}

struct commcache_history_thread *learn_find_thread(
		const struct learn_event *seen, const struct learn_id *id)
{
	const int64_t tid = learn_ref_id(&id->ref, seen->event);

	/* An id of 0 is none, but for the idle thread's own. */
	if (tid == LEARN_NO_ID || (tid == 0 && seen->runner_tid != 0))
		return NULL;
	if (id->is_virtual && !seen->virtual_domain)
		return NULL;
	return commcache_history_find_thread(id->is_virtual ?
			seen->virtual_domain : seen->stream->source->boot->root,
		tid, seen->cpu);
}
