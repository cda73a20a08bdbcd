/* SPDX-License-Identifier: MIT */
#include "resolve/naming-private.h"

#include <string.h>

#include "resolve/seed.h"

static struct naming *create(const struct naming_config *config,
		bt_self_component *self_component)
{
	struct naming *naming = g_new0(struct naming, 1);

	naming->config = config;
	naming->self_component = self_component;
	naming->learn_options.infer_current = config->infer_current;
	naming->learn_options.keeps = config->keeps;
	naming->learn_options.unknown = config->unknown;
	naming->seeded = g_ptr_array_new();
	naming->folders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
		NULL);
	naming->texts = naming_create_texts();
	naming->unknown.text = g_strdup(config->unknown);
	naming->unknown.length = strlen(config->unknown);
	naming->unknown.is_kept = naming_keeps(config, config->unknown);
	naming->learn = learn_create(&naming->learn_options);
	if (!naming->learn)
		goto error;
	return naming;

error:
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(self_component,
		"No memory for names");
	naming_destroy(naming);
	return NULL;
}

struct naming *naming_create(const struct naming_config *config,
		bt_self_message_iterator *self_iterator)
{
	struct naming *naming = create(config,
		bt_self_message_iterator_borrow_component(self_iterator));

	if (naming)
		naming->self_iterator = self_iterator;
	return naming;
}

struct naming *naming_create_for_sink(const struct naming_config *config,
		bt_self_component *self_component,
		const struct naming_listener *listener)
{
	struct naming *naming = create(config, self_component);

	if (naming)
		naming->listener = listener;
	return naming;
}

struct commcache_history *naming_history(struct naming *naming)
{
	return learn_history(naming->learn);
}

void naming_destroy(struct naming *naming)
{
	if (!naming)
		return;
	learn_destroy(naming->learn);
	g_ptr_array_free(naming->texts, TRUE);
	g_ptr_array_free(naming->seeded, TRUE);
	g_hash_table_destroy(naming->folders);
	g_free(naming->unknown.text);
	g_free(naming);
}

bool naming_needs_two_passes(const struct naming *naming)
{
	return naming->some_tell && naming->some_ask;
}

static enum status seed_one(const struct naming *naming,
		const struct learn_source *source)
{
	return seed_apply(naming->config->seed, learn_source_host(source),
		learn_source_root(source)) == COMMCACHE_HISTORY_NO_MEMORY ?
		STATUS_MEMORY_ERROR : STATUS_OK;
}

/* Would the same names of the file be those of both? */
static bool shares_names(const struct naming *naming,
		const struct learn_source *one, const struct learn_source *two)
{
	const char *host = learn_source_host(one);

	return !seed_tells_hosts(naming->config->seed) ||
		(host && g_strcmp0(host, learn_source_host(two)) == 0);
}

enum status naming_seed_source(struct naming *naming,
		struct learn_source *source)
{
	struct commcache_history_domain *root = learn_source_root(source);
	guint i;

	if (!naming->config->seed)
		return STATUS_OK;
	for (i = 0; i < naming->seeded->len; i++) {
		if (learn_source_root(naming->seeded->pdata[i]) == root)
			return STATUS_OK;
	}
	for (i = 0; i < naming->seeded->len; i++) {
		if (!shares_names(naming, naming->seeded->pdata[i], source))
			continue;
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			naming->self_component,
			"Parameter `names-from`: its names are those of one "
			"host, and the traces are of several (or of several "
			"boots of one): put a line [HOSTNAME] before those of "
			"each host, or read each one's traces by themselves");
		return STATUS_ERROR;
	}
	learn_source_use(source);
	g_ptr_array_add(naming->seeded, source);
	return seed_one(naming, source);
}

/* All that was learned is gone, the file's names too. */
static enum status seed_again(struct naming *naming)
{
	guint i;

	if (!naming->config->seed)
		return STATUS_OK;
	for (i = 0; i < naming->seeded->len; i++) {
		if (seed_one(naming, naming->seeded->pdata[i]) != STATUS_OK)
			return STATUS_MEMORY_ERROR;
	}
	return STATUS_OK;
}

enum status naming_begin_pass(struct naming *naming,
		enum naming_pass pass)
{
	static const enum learn_pass passes[] = {
		[NAMING_PASS_LEARN] = LEARN_PASS_FIRST,
		[NAMING_PASS_RESOLVE] = LEARN_PASS_SECOND,
		[NAMING_PASS_BOTH] = LEARN_PASS_ONLY,
	};
	enum learn_pass own = passes[pass];
	enum status status = naming_load(naming);

	if (status != STATUS_OK)
		return status;
	if (pass == NAMING_PASS_LEARN && naming->config->goes_on)
		own = LEARN_PASS_MORE;
	naming->pass = pass;
	naming->until_forget = 0;
	memset(&naming->report, 0, sizeof(naming->report));
	if (learn_begin_pass(naming->learn, own) != STATUS_OK)
		return STATUS_MEMORY_ERROR;
	if (pass == NAMING_PASS_RESOLVE)
		return STATUS_OK;
	g_ptr_array_set_size(naming->texts, 0);
	return seed_again(naming);
}

void naming_report(struct naming *naming)
{
	report_print(&naming->report,
		bt_self_component_as_component(naming->self_component));
}

/* Of its own trace: traces of one class can be of several hosts. */
static enum status find_source(struct naming *naming,
		const bt_stream *stream,
		const struct naming_stream_class *stream_class,
		struct learn_source **source)
{
	enum status status;

	*source = learn_source_find(naming->learn,
		bt_stream_borrow_trace_const(stream),
		stream_class->stream_class, stream_class->table);
	if (!*source)
		return naming_status(naming, STATUS_REFUSED);
	learn_source_copy_plans(*source, stream_class->source);
	status = naming_seed_source(naming, *source);
	if (status != STATUS_OK)
		learn_source_put(*source);
	return status;
}

static enum status stream_seen(void *owner, const bt_stream *stream,
		void *trace_data, void *stream_class_data, void **data)
{
	struct naming_stream_class *stream_class = stream_class_data;
	struct naming_stream *own = g_new0(struct naming_stream, 1);
	struct learn_source *source;
	enum status status;

	status = find_source(owner, stream, stream_class, &source);
	if (status != STATUS_OK) {
		g_free(own);
		return status;
	}
	(void) trace_data;
	own->stream_class = stream_class;
	own->learn = learn_stream_create(source,
		&stream_class->holds_switches);
	/* The stream uses it now. */
	learn_source_put(source);
	status = naming_check_stream(owner, stream, own->learn);
	if (status != STATUS_OK) {
		learn_stream_destroy(own->learn);
		g_free(own);
		return status;
	}
	*data = own;
	return STATUS_OK;
}

static void stream_gone(void *owner, void *data)
{
	struct naming_stream *stream = data;

	(void) owner;
	learn_stream_destroy(stream->learn);
	g_free(stream);
}

static int64_t cpu_of(const bt_packet *packet, int64_t index)
{
	const bt_field *context = bt_packet_borrow_context_field_const(packet);
	const bt_field *field;

	if (!context || index < 0)
		return -1;
	field = bt_field_structure_borrow_member_field_by_index_const(context,
		index);
	if (bt_field_class_type_is(bt_field_get_class_type(field),
			BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return (int64_t) bt_field_integer_unsigned_get_value(field);
	return bt_field_integer_signed_get_value(field);
}

static enum status mirror_status(enum status status)
{
	return status == STATUS_OK ? STATUS_OK :
		STATUS_MEMORY_ERROR;
}

static bool has_listener(const struct naming *naming)
{
	return naming->listener && naming->pass == NAMING_PASS_RESOLVE;
}

static void tell_hole(const struct naming *naming,
		const struct naming_stream *stream)
{
	struct learn_hole hole;

	if (has_listener(naming) && learn_stream_take_hole(stream->learn,
			&hole))
		naming->listener->hole(naming->listener->data, stream->learn,
			&hole);
}

static enum status packet_begins(const struct naming *naming,
		const struct naming_stream *stream, const bt_message *message)
{
	const struct naming_stream_class *stream_class = stream->stream_class;
	const bool has_clock =
		bt_stream_class_packets_have_beginning_default_clock_snapshot(
			stream_class->stream_class);
	uint64_t cycles = 0;
	enum status status;

	if (has_clock)
		cycles = bt_clock_snapshot_get_value(
			bt_message_packet_beginning_borrow_default_clock_snapshot_const(
				message));
	status = learn_stream_begin_packet(stream->learn, cpu_of(
			bt_message_packet_beginning_borrow_packet_const(
				message), stream_class->cpu_index),
		has_clock, cycles);
	tell_hole(naming, stream);
	return mirror_status(status);
}

static void tell_gap(const struct naming *naming,
		const struct naming_stream *stream)
{
	if (has_listener(naming))
		naming->listener->gap(naming->listener->data, stream->learn);
}

static enum status gap(const struct naming *naming,
		struct naming_stream *stream)
{
	tell_gap(naming, stream);
	return mirror_status(learn_stream_gap(stream->learn));
}

/*
 * LTTng counts discarded events in the packet that was full, so that their
 * message comes before that packet.
 */
static enum status discarded_events(const struct naming *naming,
		struct naming_stream *stream)
{
	if (!bt_stream_class_supports_packets(
			stream->stream_class->stream_class))
		return gap(naming, stream);
	stream->is_lossy = true;
	learn_stream_lose(stream->learn);
	return STATUS_OK;
}

static enum status lossy_packet_ends(const struct naming *naming,
		struct naming_stream *stream, bool has_clock, uint64_t cycles)
{
	stream->is_lossy = false;
	tell_gap(naming, stream);
	return mirror_status(learn_stream_end_lossy_packet(stream->learn,
		has_clock, cycles));
}

static enum status packet_ends(const struct naming *naming,
		struct naming_stream *stream, const bt_message *message)
{
	const bool has_clock =
		bt_stream_class_packets_have_end_default_clock_snapshot(
			stream->stream_class->stream_class);
	enum status status = STATUS_OK;
	uint64_t cycles = 0;

	if (has_clock)
		cycles = bt_clock_snapshot_get_value(
			bt_message_packet_end_borrow_default_clock_snapshot_const(
				message));
	if (stream->is_lossy)
		status = lossy_packet_ends(naming, stream, has_clock, cycles);
	learn_stream_end_packet(stream->learn, has_clock, cycles);
	return status;
}

static enum status other_message(void *owner, const bt_message *message,
		void *stream_data)
{
	const struct naming *naming = owner;
	const struct naming_stream *stream = stream_data;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return packet_begins(naming, stream, message);
	case BT_MESSAGE_TYPE_STREAM_END:
		learn_stream_end(stream->learn);
		return STATUS_OK;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return discarded_events(naming, stream_data);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return gap(naming, stream_data);
	case BT_MESSAGE_TYPE_PACKET_END:
		return packet_ends(naming, stream_data, message);
	default:
		return STATUS_OK;
	}
}

static const struct mirror_ops all_ops = {
	.trace_seen = naming_trace_seen,
	.trace_gone = naming_trace_gone,
	.stream_class_seen = naming_stream_class_seen,
	.stream_class_gone = naming_stream_class_gone,
	.event_class_seen = naming_event_class_seen,
	.event_class_gone = naming_event_class_gone,
	.stream_seen = stream_seen,
	.stream_gone = stream_gone,
	.stream_class_members = naming_stream_class_members,
	.event_class_members = naming_event_class_members,
	.observe = naming_observe,
	.message = other_message,
	.resolve = naming_resolve,
	.fill = naming_fill,
};

const struct mirror_ops *naming_ops(struct naming *naming)
{
	naming->ops = all_ops;
	if (!naming->config->keep[0]) {
		/* None is dropped: one call for each event. */
		naming->ops.resolve = NULL;
		naming->ops.fill = naming_resolve_and_fill;
	}
	return &naming->ops;
}
