/* SPDX-License-Identifier: MIT */
#include "ir/objects.h"

#include <string.h>

#include "ir/clock-class.h"
#include "ir/location.h"

static void forget_caches(struct mirror *mirror)
{
	memset(mirror->event_class_cache, 0,
		sizeof(mirror->event_class_cache));
	memset(mirror->stream_cache, 0, sizeof(mirror->stream_cache));
	mirror->last_stream = NULL;
	mirror->last_event_class = NULL;
}

/* Going */

static void event_class_destroy(struct mirror *mirror,
		struct mirror_event_class *event_class)
{
	if (mirror->ops->event_class_gone)
		mirror->ops->event_class_gone(mirror->owner,
			event_class->data);
	g_hash_table_remove(mirror->event_classes, event_class->in);
	copy_plan_clear(&event_class->specific_context);
	copy_plan_clear(&event_class->payload);
	bt_event_class_put_ref(event_class->out);
	g_free(event_class);
}

static void stream_class_destroy(struct mirror *mirror,
		struct mirror_stream_class *stream_class)
{
	guint i;

	for (i = 0; i < stream_class->event_classes->len; i++)
		event_class_destroy(mirror,
			stream_class->event_classes->pdata[i]);
	if (mirror->ops->stream_class_gone)
		mirror->ops->stream_class_gone(mirror->owner,
			stream_class->data);
	g_hash_table_remove(mirror->stream_classes, stream_class->in);
	g_ptr_array_free(stream_class->event_classes, TRUE);
	g_hash_table_destroy(stream_class->field_classes);
	copy_plan_clear(&stream_class->packet_context);
	copy_plan_clear(&stream_class->common_context);
	clock_class_release(mirror, stream_class->clock_class);
	bt_stream_class_put_ref(stream_class->out);
	g_free(stream_class);
}

static void trace_class_destroy(gpointer data)
{
	struct mirror_trace_class *trace_class = data;
	guint i;

	forget_caches(trace_class->mirror);
	for (i = 0; i < trace_class->stream_classes->len; i++)
		stream_class_destroy(trace_class->mirror,
			trace_class->stream_classes->pdata[i]);
	g_ptr_array_free(trace_class->stream_classes, TRUE);
	bt_trace_class_put_ref(trace_class->out);
	g_free(trace_class);
}

static void stream_destroy(struct mirror *mirror, struct mirror_stream *stream)
{
	if (mirror->ops->stream_gone)
		mirror->ops->stream_gone(mirror->owner, stream->data);
	g_hash_table_remove(mirror->streams, stream->in);
	bt_packet_put_ref(stream->in_packet);
	bt_packet_put_ref(stream->out_packet);
	bt_stream_put_ref(stream->out);
	g_free(stream);
}

static void trace_destroy(gpointer data)
{
	struct mirror_trace *trace = data;
	struct mirror *mirror = trace->mirror;
	guint i;

	forget_caches(mirror);
	for (i = 0; i < trace->streams->len; i++)
		stream_destroy(mirror, trace->streams->pdata[i]);
	if (mirror->ops->trace_gone)
		mirror->ops->trace_gone(mirror->owner, trace->data);
	g_ptr_array_free(trace->streams, TRUE);
	bt_trace_put_ref(trace->out);
	g_free(trace);
}

static void trace_class_is_gone(const bt_trace_class *in, void *data)
{
	struct mirror *mirror = data;

	g_hash_table_remove(mirror->trace_classes, in);
}

static void trace_is_gone(const bt_trace *in, void *data)
{
	struct mirror *mirror = data;

	g_hash_table_remove(mirror->traces, in);
}

/* Being seen */

static enum status see_event_class(struct mirror *mirror,
		const bt_event_class *in, struct mirror_trace *trace,
		struct mirror_stream_class *stream_class)
{
	struct mirror_event_class *event_class =
		g_new0(struct mirror_event_class, 1);
	enum status status = STATUS_OK;

	if (mirror->ops->event_class_seen)
		status = mirror->ops->event_class_seen(mirror->owner, in,
			trace->data, stream_class->data, &event_class->data);
	if (status != STATUS_OK) {
		g_free(event_class);
		location_append_event_class(mirror->self_iterator,
			"Cannot take in", in);
		return status;
	}

	event_class->in = in;
	event_class->stream_class = stream_class;
	g_ptr_array_add(stream_class->event_classes, event_class);
	g_hash_table_insert(mirror->event_classes, (gpointer) in, event_class);
	return STATUS_OK;
}

/* The event classes that the input has got since. */
static enum status see_event_classes(struct mirror *mirror,
		struct mirror_trace *trace,
		struct mirror_stream_class *stream_class)
{
	uint64_t count = bt_stream_class_get_event_class_count(
		stream_class->in);
	enum status status = STATUS_OK;

	while (status == STATUS_OK &&
			stream_class->event_classes->len < count)
		status = see_event_class(mirror,
			bt_stream_class_borrow_event_class_by_index_const(
				stream_class->in,
				stream_class->event_classes->len),
			trace, stream_class);
	return status;
}

static enum status see_stream_class(struct mirror *mirror,
		const bt_stream_class *in, struct mirror_trace *trace)
{
	struct mirror_stream_class *stream_class =
		g_new0(struct mirror_stream_class, 1);
	enum status status = STATUS_OK;

	if (mirror->ops->stream_class_seen)
		status = mirror->ops->stream_class_seen(mirror->owner, in,
			trace->data, &stream_class->data);
	if (status != STATUS_OK) {
		g_free(stream_class);
		location_append_stream_class(mirror->self_iterator,
			"Cannot take in", in);
		return status;
	}

	stream_class->in = in;
	stream_class->trace_class = trace->trace_class;
	stream_class->event_classes = g_ptr_array_new();
	stream_class->field_classes = g_hash_table_new(NULL, NULL);
	stream_class->has_clock =
		bt_stream_class_borrow_default_clock_class_const(in) != NULL;
	stream_class->has_packets = bt_stream_class_supports_packets(in);
	g_ptr_array_add(trace->trace_class->stream_classes, stream_class);
	g_hash_table_insert(mirror->stream_classes, (gpointer) in,
		stream_class);
	return STATUS_OK;
}

/* All the classes that the input has got since, in their order. */
static enum status see_classes(struct mirror *mirror,
		struct mirror_trace *trace)
{
	GPtrArray *stream_classes = trace->trace_class->stream_classes;
	uint64_t count = bt_trace_class_get_stream_class_count(
		trace->trace_class->in);
	enum status status = STATUS_OK;
	uint64_t i;

	for (i = 0; i < count && status == STATUS_OK; i++) {
		if (i == stream_classes->len)
			status = see_stream_class(mirror,
				bt_trace_class_borrow_stream_class_by_index_const(
					trace->trace_class->in, i), trace);
		if (status == STATUS_OK)
			status = see_event_classes(mirror, trace,
				stream_classes->pdata[i]);
	}

	return status;
}

static struct mirror_trace_class *get_trace_class(struct mirror *mirror,
		const bt_trace_class *in)
{
	struct mirror_trace_class *trace_class =
		g_hash_table_lookup(mirror->trace_classes, in);
	bt_listener_id listener;

	if (trace_class)
		return trace_class;
	trace_class = g_new0(struct mirror_trace_class, 1);
	if (bt_trace_class_add_destruction_listener(in,
			trace_class_is_gone, mirror, &listener) !=
			BT_TRACE_CLASS_ADD_LISTENER_STATUS_OK) {
		g_free(trace_class);
		return NULL;
	}

	trace_class->mirror = mirror;
	trace_class->in = in;
	trace_class->listener = listener;
	trace_class->stream_classes = g_ptr_array_new();
	g_hash_table_insert(mirror->trace_classes, (gpointer) in, trace_class);
	return trace_class;
}

static enum status see_trace(struct mirror *mirror, const bt_trace *in,
		struct mirror_trace **out)
{
	struct mirror_trace_class *trace_class = get_trace_class(mirror,
		bt_trace_borrow_class_const(in));
	struct mirror_trace *trace = g_new0(struct mirror_trace, 1);
	enum status status = STATUS_OK;

	if (!trace_class) {
		status = STATUS_MEMORY_ERROR;
		goto error;
	}

	if (mirror->ops->trace_seen)
		status = mirror->ops->trace_seen(mirror->owner, in,
			&trace->data);
	if (status != STATUS_OK)
		goto error;
	if (bt_trace_add_destruction_listener(in, trace_is_gone, mirror,
			&trace->listener) != BT_TRACE_ADD_LISTENER_STATUS_OK) {
		if (mirror->ops->trace_gone)
			mirror->ops->trace_gone(mirror->owner, trace->data);
		status = STATUS_MEMORY_ERROR;
		goto error;
	}

	trace->mirror = mirror;
	trace->in = in;
	trace->trace_class = trace_class;
	trace->streams = g_ptr_array_new();
	g_hash_table_insert(mirror->traces, (gpointer) in, trace);
	*out = trace;
	return STATUS_OK;

error:
	g_free(trace);
	return status;
}

static enum status see_stream(struct mirror *mirror,
		const bt_stream *in, struct mirror_trace *trace)
{
	struct mirror_stream_class *stream_class = g_hash_table_lookup(
		mirror->stream_classes, bt_stream_borrow_class_const(in));
	struct mirror_stream *stream = g_new0(struct mirror_stream, 1);
	enum status status = STATUS_OK;

	if (mirror->ops->stream_seen)
		status = mirror->ops->stream_seen(mirror->owner, in,
			trace->data, stream_class->data, &stream->data);
	if (status != STATUS_OK) {
		g_free(stream);
		location_append_stream(mirror->self_iterator,
			"Cannot take in", in);
		return status;
	}

	stream->in = in;
	stream->trace = trace;
	stream->stream_class = stream_class;
	g_ptr_array_add(trace->streams, stream);
	g_hash_table_insert(mirror->streams, (gpointer) in, stream);
	return STATUS_OK;
}

/* The trace, and all the classes and streams that it has got since. */
static enum status see_all(struct mirror *mirror,
		const bt_trace *in_trace)
{
	struct mirror_trace *trace =
		g_hash_table_lookup(mirror->traces, in_trace);
	uint64_t count = bt_trace_get_stream_count(in_trace);
	enum status status = STATUS_OK;

	if (!trace)
		status = see_trace(mirror, in_trace, &trace);
	if (status == STATUS_OK)
		status = see_classes(mirror, trace);
	while (status == STATUS_OK && trace->streams->len < count)
		status = see_stream(mirror,
			bt_trace_borrow_stream_by_index_const(in_trace,
				trace->streams->len), trace);
	return status;
}

enum status objects_get_stream(struct mirror *mirror,
		const bt_stream *in, struct mirror_stream **stream)
{
	enum status status = STATUS_OK;

	*stream = g_hash_table_lookup(mirror->streams, in);
	if (!*stream) {
		status = see_all(mirror, bt_stream_borrow_trace_const(in));
		*stream = g_hash_table_lookup(mirror->streams, in);
	}

	if (status != STATUS_OK) {
		location_append_stream(mirror->self_iterator,
			"While taking in the trace", in);
		return status;
	}

	*objects_cache_entry(mirror->stream_cache, in) =
		(struct object_cache_entry) { in, *stream };
	return STATUS_OK;
}

enum status objects_get_event_class(struct mirror *mirror,
		const bt_event_class *in, struct mirror_stream *stream,
		struct mirror_event_class **event_class)
{
	enum status status = STATUS_OK;

	*event_class = g_hash_table_lookup(mirror->event_classes, in);
	if (!*event_class) {
		/* The class is newer than the stream's beginning (live). */
		status = see_classes(mirror, stream->trace);
		*event_class = g_hash_table_lookup(mirror->event_classes, in);
	}

	if (status != STATUS_OK)
		return status;
	*objects_cache_entry(mirror->event_class_cache, in) =
		(struct object_cache_entry) { in, *event_class };
	return STATUS_OK;
}

enum status objects_set_packet(struct mirror *mirror,
		struct mirror_stream *stream, const bt_packet *packet)
{
	const bt_packet *old_in = stream->in_packet;
	const bt_packet *old_out = stream->out_packet;

	stream->in_packet = packet;
	stream->out_packet = NULL;
	bt_packet_get_ref(packet);
	bt_packet_put_ref(old_out);
	/* The message that is handled keeps the trace, and so `stream`. */
	bt_packet_put_ref(old_in);
	if (!packet)
		return STATUS_OK;
	return mirror->ops->packet_begins ?
		mirror->ops->packet_begins(mirror->owner, stream->data,
			packet) : STATUS_OK;
}

void objects_forget_packets(struct mirror *mirror)
{
	GPtrArray *packets = g_ptr_array_new_with_free_func(
		(GDestroyNotify) bt_packet_put_ref);
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, mirror->streams);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct mirror_stream *stream = value;

		g_ptr_array_add(packets, (gpointer) stream->in_packet);
		g_ptr_array_add(packets, stream->out_packet);
		stream->in_packet = NULL;
		stream->out_packet = NULL;
	}

	/*
	 * Only now: the last reference on a packet can be the last one on its
	 * trace, whose listener changes the table.
	 */
	g_ptr_array_free(packets, TRUE);
}

void objects_init(struct mirror *mirror)
{
	mirror->traces = g_hash_table_new_full(NULL, NULL, NULL,
		trace_destroy);
	mirror->trace_classes = g_hash_table_new_full(NULL, NULL, NULL,
		trace_class_destroy);
	mirror->streams = g_hash_table_new(NULL, NULL);
	mirror->stream_classes = g_hash_table_new(NULL, NULL);
	mirror->event_classes = g_hash_table_new(NULL, NULL);
	mirror->clock_classes = clock_class_table_create();
	g_queue_init(&mirror->idle_clock_classes);
	mirror->copy_context = (struct copy_context) {
		.self_iterator = mirror->self_iterator,
		.slots = mirror->slots,
	};
}

static void stop_listening(struct mirror *mirror)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, mirror->traces);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct mirror_trace *trace = value;

		(void) bt_trace_remove_destruction_listener(trace->in,
			trace->listener);
	}

	g_hash_table_iter_init(&iter, mirror->trace_classes);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct mirror_trace_class *trace_class = value;

		(void) bt_trace_class_remove_destruction_listener(
			trace_class->in, trace_class->listener);
	}
}

void objects_finish(struct mirror *mirror)
{
	stop_listening(mirror);
	g_hash_table_destroy(mirror->traces);
	g_hash_table_destroy(mirror->trace_classes);
	g_hash_table_destroy(mirror->streams);
	g_hash_table_destroy(mirror->stream_classes);
	g_hash_table_destroy(mirror->event_classes);
	clock_class_table_destroy(mirror);
}
