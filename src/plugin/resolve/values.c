/* SPDX-License-Identifier: MIT */
/*
 * What the added members hold.
 */
#include "resolve/naming-private.h"

#include <fnmatch.h>
#include <string.h>

#include "history/cursor.h"

/* How often the history's size is looked at, in events. */
#define FORGET_EVERY	65536

bool naming_keeps(const struct naming_config *config, const char *text)
{
	char **pattern;

	if (!config->keep[0])
		return true;
	for (pattern = config->keep; *pattern; pattern++) {
		if (fnmatch(*pattern, text, 0) == 0)
			return true;
	}
	return false;
}

/* In one allocation. NULL: no memory. */
static struct naming_text *make_text(const struct naming *naming,
		const struct commcache_comm *comm)
{
	char buffer[COMM_TEXT_SIZE];
	const size_t length = comm_text_escape(comm, buffer);
	struct naming_text *own = g_try_malloc(sizeof(*own) + length + 1);

	if (!own)
		return NULL;
	own->length = length;
	own->text = memcpy(own + 1, buffer, length + 1);
	own->is_kept = naming_keeps(naming->config, own->text);
	return own;
}

GPtrArray *naming_create_texts(void)
{
	return g_ptr_array_new_with_free_func(g_free);
}

static const struct naming_text *add_text(struct naming *naming,
		const struct commcache_history_name *name)
{
	GPtrArray *texts = naming->texts;

	if (name->id >= texts->len)
		g_ptr_array_set_size(texts, MAX(name->id + 1, 2 * texts->len));
	texts->pdata[name->id] = make_text(naming, name->comm);
	return texts->pdata[name->id];
}

/* Made once for each name, so nearly always there: inline. NULL: no memory. */
static inline const struct naming_text *text_of(struct naming *naming,
		const struct commcache_history_name *name)
{
	const GPtrArray *texts = naming->texts;

	if (name->source == COMMCACHE_HISTORY_UNKNOWN)
		return &naming->unknown;
	if (G_LIKELY(name->id < texts->len && texts->pdata[name->id]))
		return texts->pdata[name->id];
	return add_text(naming, name);
}

/* The event's own procname is its name; false: it has none. */
static bool use_procname(struct naming *naming)
{
	const struct learn_event *seen = &naming->seen;
	struct commcache_comm comm;

	if (!learn_ref_comm(&seen->plan->procname, seen->event, &comm))
		return false;
	naming->own.length = comm_text_escape(&comm, naming->own_text);
	naming->own.text = naming->own_text;
	naming->own.is_kept = naming_keeps(naming->config, naming->own_text);
	naming->text = &naming->own;
	naming->source = COMMCACHE_HISTORY_SEEN;
	return true;
}

static void count_unnamed(struct naming *naming,
		const struct learn_table *table)
{
	if (table == &learn_lttng_ust)
		naming->report.unnamed_ust++;
	else if (table == &learn_lttng_kernel)
		naming->report.unnamed_kernel++;
}

static void count_unknown(struct naming *naming,
		const struct commcache_history_name *name,
		const struct learn_table *table)
{
	naming->report.unknown[name->reason]++;
	count_unnamed(naming, table);
}

static inline void count_name(struct naming *naming,
		const struct commcache_history_name *name,
		const struct learn_table *table)
{
	struct report *report = &naming->report;

	if (G_UNLIKELY(name->source == COMMCACHE_HISTORY_UNKNOWN)) {
		count_unknown(naming, name, table);
		return;
	}
	report->named[name->source]++;
	report->weak += name->weak;
	report->assumed_root += name->assumed_root;
}

/* It is not known which thread ran the event. */
static void count_no_thread(struct naming *naming,
		const struct learn_table *table)
{
	const struct learn_event *seen = &naming->seen;

	if (seen->plan->runner_virtual &&
			learn_ref_id(&seen->plan->runner, seen->event) > 0)
		naming->report.ambiguous++;
	else
		naming->report.no_tid++;
	count_unnamed(naming, table);
}

/* What the thread that ran the event was called. Inline: of each event. */
static inline __attribute__((always_inline))
void name_event(struct naming *naming, const struct learn_table *table)
{
	const struct learn_event *seen = &naming->seen;
	const struct commcache_history_name *name;
	struct commcache_history_name buffer;

	naming->report.events++;
	naming->report.by_cpu += seen->told == LEARN_TOLD_BY_CPU;
	if (seen->plan->procname_exact && use_procname(naming)) {
		naming->report.named[COMMCACHE_HISTORY_SEEN]++;
		return;
	}
	if (seen->told == LEARN_TOLD_NOT) {
		if (use_procname(naming)) {
			naming->report.named[COMMCACHE_HISTORY_SEEN]++;
			naming->report.weak++;
			return;
		}
		naming->text = &naming->unknown;
		naming->source = COMMCACHE_HISTORY_UNKNOWN;
		count_no_thread(naming, table);
		return;
	}
	name = history_resolve(seen->runner, seen->moment, &buffer);
	naming->text = text_of(naming, name);
	naming->source = name->source;
	count_name(naming, name, table);
}

static inline enum status see(struct naming *naming,
		const struct mirror_event *event)
{
	const struct naming_event_class *event_class = event->event_class_data;
	const struct naming_stream *stream = event->stream_data;

	const enum status status = learn_see(stream->learn,
		event_class->plan, event->event, event->clock, event->cycles,
		&naming->seen);

	return G_LIKELY(status == STATUS_OK) ? STATUS_OK :
		naming_status(naming, status);
}

static inline enum status learn_event(struct naming *naming,
		const struct mirror_event *event)
{
	enum status status = see(naming, event);

	if (status != STATUS_OK)
		return status;
	return learn_take(&naming->seen) == STATUS_OK ? STATUS_OK :
		STATUS_MEMORY_ERROR;
}

static enum status tell_listener(struct naming *naming,
		const struct mirror_event *event)
{
	const struct naming_stream_class *stream_class =
		event->stream_class_data;
	enum status status = see(naming, event);

	if (status != STATUS_OK)
		return status;
	name_event(naming, stream_class->table);
	if (!naming->text)
		return STATUS_MEMORY_ERROR;
	return naming->listener->event(naming->listener->data, event,
		&naming->seen);
}

enum status naming_observe(void *owner, const struct mirror_event *event)
{
	struct naming *naming = owner;

	return naming->pass == NAMING_PASS_RESOLVE ?
		tell_listener(naming, event) : learn_event(naming, event);
}

/* What an endless stream leaves behind. */
static void forget(struct naming *naming)
{
	if (naming->until_forget-- > 0)
		return;
	naming->until_forget = FORGET_EVERY;
	if (learn_forget(naming->learn))
		g_ptr_array_set_size(naming->texts, 0);
}

static inline enum status set_text(bt_field *field,
		const struct naming_text *text)
{
	return text ? mirror_set_text(field, text->text, text->length) :
		STATUS_MEMORY_ERROR;
}

static struct commcache_history_thread *find_thread(
		const struct learn_event *seen, struct naming_id *id,
		struct commcache_history_domain *domain, int64_t tid)
{
	struct commcache_history_thread *thread = learn_find_thread(seen,
		&id->id);

	/* 0 is each CPU's idle thread. */
	if (thread && tid > 0) {
		id->numbers_version = seen->numbers_version;
		id->domain = domain;
		id->tid = tid;
		id->thread = thread;
	}
	return thread;
}

/* The thread that the id means: as a rule that of the event before. */
static inline struct commcache_history_thread *thread_of(
		const struct learn_event *seen, struct naming_id *id)
{
	struct commcache_history_domain *domain = id->id.is_virtual ?
		seen->virtual_domain : seen->root;
	const int64_t tid = learn_ref_id(&id->id.ref, seen->event);

	return G_LIKELY(tid == id->tid && domain == id->domain &&
			seen->numbers_version == id->numbers_version) ?
		id->thread : find_thread(seen, id, domain, tid);
}

static inline __attribute__((always_inline))
enum status fill_ids(struct naming *naming, GArray *ids,
		bt_field *const *slots)
{
	const struct learn_event *seen = &naming->seen;
	enum status status = STATUS_OK;
	struct commcache_history_name buffer;
	guint i;

	for (i = 0; i < ids->len && status == STATUS_OK; i++) {
		struct naming_id *id =
			&g_array_index(ids, struct naming_id, i);

		status = set_text(slots[id->slot], text_of(naming,
			history_resolve(thread_of(seen, id), seen->moment,
				&buffer)));
	}
	return status;
}

/* Who ran the event, and what that thread was called. */
static inline __attribute__((always_inline))
enum status resolve(struct naming *naming,
		const struct mirror_event *event)
{
	const struct naming_stream_class *stream_class =
		event->stream_class_data;
	enum status status;

	if (naming->pass == NAMING_PASS_BOTH) {
		forget(naming);
		status = learn_event(naming, event);
	} else {
		status = see(naming, event);
	}
	if (status != STATUS_OK)
		return status;
	name_event(naming, stream_class->table);
	return naming->text ? STATUS_OK : STATUS_MEMORY_ERROR;
}

enum status naming_resolve(void *owner, const struct mirror_event *event,
		enum mirror_verdict *verdict)
{
	struct naming *naming = owner;
	const enum status status = resolve(naming, event);

	if (status != STATUS_OK)
		return status;
	*verdict = naming->text->is_kept ? MIRROR_PASS : MIRROR_DROP;
	naming->report.dropped += !naming->text->is_kept;
	return STATUS_OK;
}

/* What few ask for. */
static enum status fill_more(const struct naming *naming,
		const struct naming_stream_class *stream_class,
		bt_field *const *slots)
{
	const char *source = report_source_name(naming->source);

	if (stream_class->has_tid)
		bt_field_integer_signed_set_value(slots[NAMING_SLOT_TID],
			naming->seen.runner_tid);
	return stream_class->has_source ? mirror_set_text(
		slots[NAMING_SLOT_SOURCE], source, strlen(source)) :
		STATUS_OK;
}

static inline __attribute__((always_inline))
enum status fill(struct naming *naming, const struct mirror_event *event,
		bt_field *const *slots)
{
	const struct naming_stream_class *stream_class =
		event->stream_class_data;
	const struct naming_event_class *event_class = event->event_class_data;
	enum status status = STATUS_OK;

	if (stream_class->has_comm)
		status = set_text(slots[NAMING_SLOT_COMM], naming->text);
	if (status == STATUS_OK &&
			(stream_class->has_tid || stream_class->has_source))
		status = fill_more(naming, stream_class, slots);
	if (status == STATUS_OK && stream_class->ids->len > 0)
		status = fill_ids(naming, stream_class->ids, slots);
	if (status == STATUS_OK && event_class->ids->len > 0)
		status = fill_ids(naming, event_class->ids, slots);
	return status;
}

enum status naming_fill(void *owner, const struct mirror_event *event,
		bt_field *const *slots)
{
	return fill(owner, event, slots);
}

enum status naming_resolve_and_fill(void *owner,
		const struct mirror_event *event, bt_field *const *slots)
{
	const enum status status = resolve(owner, event);

	return status == STATUS_OK ? fill(owner, event, slots) : status;
}
