/* SPDX-License-Identifier: MIT */
#include "ir/output.h"

#include "ir/clock-class.h"
#include "ir/field-class.h"
#include "ir/location.h"
#include "ir/mip.h"

/* Event classes */

static bool copy_event_class_properties(struct mirror *mirror,
		const bt_event_class *in, bt_event_class *out)
{
	const char *name = bt_event_class_get_name(in);
	const char *emf_uri = bt_event_class_get_emf_uri(in);
	bt_event_class_log_level log_level;

	bt_event_class_set_user_attributes(out,
		bt_event_class_borrow_user_attributes_const(in));
	if (bt_event_class_get_log_level(in, &log_level) ==
			BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_event_class_set_log_level(out, log_level);
	return (!name || bt_event_class_set_name(out, name) ==
			BT_EVENT_CLASS_SET_NAME_STATUS_OK) &&
		(!emf_uri || bt_event_class_set_emf_uri(out, emf_uri) ==
			BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK) &&
		mirror->mip->copy_event_class(in, out);
}

static void add_scope(struct mirror_event_class *event_class,
		const struct copy_scope *scope)
{
	event_class->scopes[event_class->scope_count++] = *scope;
}

/* The class is the stream class's: here its copying is only noted. */
static void add_common_context(struct mirror_event_class *event_class)
{
	struct mirror_stream_class *stream_class = event_class->stream_class;

	if (!bt_stream_class_borrow_event_common_context_field_class_const(
			stream_class->out))
		return;
	add_scope(event_class, &(struct copy_scope) {
		.borrow_in =
			bt_stream_class_borrow_event_common_context_field_class_const(
				stream_class->in) ?
			bt_event_borrow_common_context_field_const : NULL,
		.borrow_out = bt_event_borrow_common_context_field,
		.plan = &stream_class->common_context,
		.name = "common context",
	});
}

static enum mirror_status set_specific_context(
		struct field_class_mirror *classes,
		struct mirror_event_class *event_class,
		const bt_field_class *in, bt_event_class *out)
{
	bt_field_class *out_class = NULL;
	enum mirror_status status;

	status = structure_class_mirror_root(classes, MIRROR_SPECIFIC_CONTEXT,
		in, &out_class, &event_class->specific_context);
	if (status == MIRROR_STATUS_OK &&
			bt_event_class_set_specific_context_field_class(out,
				out_class) !=
				BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK)
		status = MIRROR_STATUS_MEMORY_ERROR;
	bt_field_class_put_ref(out_class);
	add_scope(event_class, &(struct copy_scope) {
		.borrow_in = in ?
			bt_event_borrow_specific_context_field_const : NULL,
		.borrow_out = bt_event_borrow_specific_context_field,
		.plan = &event_class->specific_context,
		.name = "specific context",
	});
	return status;
}

static enum mirror_status set_payload(struct field_class_mirror *classes,
		struct mirror_event_class *event_class,
		const bt_field_class *in, bt_event_class *out)
{
	bt_field_class *out_class = NULL;
	enum mirror_status status;

	status = structure_class_mirror_root(classes, MIRROR_PAYLOAD, in,
		&out_class, &event_class->payload);
	if (status == MIRROR_STATUS_OK &&
			bt_event_class_set_payload_field_class(out,
				out_class) !=
				BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK)
		status = MIRROR_STATUS_MEMORY_ERROR;
	bt_field_class_put_ref(out_class);
	add_scope(event_class, &(struct copy_scope) {
		.borrow_in = in ? bt_event_borrow_payload_field_const : NULL,
		.borrow_out = bt_event_borrow_payload_field,
		.plan = &event_class->payload,
		.name = "payload",
	});
	return status;
}

/* A copy of the table, for the classes of one event class. */
static GHashTable *copy_table(GHashTable *table)
{
	GHashTable *copy = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, &key, &value))
		g_hash_table_insert(copy, key, value);
	return copy;
}

static enum mirror_status set_event_class_fields(struct mirror *mirror,
		struct mirror_event_class *event_class,
		const struct mirror_request *request, bt_event_class *out)
{
	struct mirror_stream_class *stream_class = event_class->stream_class;
	const bt_field_class *specific =
		bt_event_class_borrow_specific_context_field_class_const(
			event_class->in);
	const bt_field_class *payload =
		bt_event_class_borrow_payload_field_class_const(
			event_class->in);
	struct field_class_mirror classes = {
		.mip = mirror->mip,
		.self_iterator = mirror->self_iterator,
		.trace_class = stream_class->trace_class->out,
		.scopes = {
			[BT_FIELD_PATH_SCOPE_PACKET_CONTEXT] =
				bt_stream_class_borrow_packet_context_field_class_const(
					stream_class->in),
			[BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT] =
				bt_stream_class_borrow_event_common_context_field_class_const(
					stream_class->in),
			[BT_FIELD_PATH_SCOPE_EVENT_SPECIFIC_CONTEXT] = specific,
			[BT_FIELD_PATH_SCOPE_EVENT_PAYLOAD] = payload,
		},
		.made = copy_table(stream_class->field_classes),
		.request = request,
	};
	enum mirror_status status = MIRROR_STATUS_OK;

	add_common_context(event_class);
	if (specific || request_has_root(request, MIRROR_SPECIFIC_CONTEXT))
		status = set_specific_context(&classes, event_class, specific,
			out);
	if (status == MIRROR_STATUS_OK &&
			(payload || request_has_root(request, MIRROR_PAYLOAD)))
		status = set_payload(&classes, event_class, payload, out);
	g_hash_table_destroy(classes.made);
	return status;
}

static enum mirror_status ask_event_class_members(struct mirror *mirror,
		struct mirror_event_class *event_class,
		struct mirror_request *request)
{
	request->roots[MIRROR_SPECIFIC_CONTEXT] =
		bt_event_class_borrow_specific_context_field_class_const(
			event_class->in);
	request->roots[MIRROR_PAYLOAD] =
		bt_event_class_borrow_payload_field_class_const(
			event_class->in);
	request->allowed[MIRROR_SPECIFIC_CONTEXT] = true;
	request->allowed[MIRROR_PAYLOAD] = true;
	if (!mirror->ops->event_class_members)
		return MIRROR_STATUS_OK;
	return mirror->ops->event_class_members(mirror->owner,
		event_class->data, event_class->in, request);
}

static enum mirror_status make_event_class(struct mirror *mirror,
		struct mirror_event_class *event_class)
{
	/* Two members of one event must not share a slot. */
	struct slot_set slots = event_class->stream_class->slots;
	struct mirror_request request;
	enum mirror_status status;

	request_init(&request, &slots);
	status = ask_event_class_members(mirror, event_class, &request);
	if (status != MIRROR_STATUS_OK)
		goto end;
	event_class->out = bt_event_class_create_with_id(
		event_class->stream_class->out,
		bt_event_class_get_id(event_class->in));
	if (!event_class->out || !copy_event_class_properties(mirror,
			event_class->in, event_class->out)) {
		status = MIRROR_STATUS_MEMORY_ERROR;
		goto end;
	}

	status = set_event_class_fields(mirror, event_class, &request,
		event_class->out);

end:
	request_finish(&request);
	if (status != MIRROR_STATUS_OK) {
		mirror->broken = true;
		location_append_event_class(mirror->self_iterator,
			"Cannot mirror", event_class->in);
	}

	return status;
}

static enum mirror_status make_event_classes(struct mirror *mirror,
		struct mirror_stream_class *stream_class)
{
	enum mirror_status status = MIRROR_STATUS_OK;

	while (status == MIRROR_STATUS_OK && stream_class->made_count <
			stream_class->event_classes->len)
		status = make_event_class(mirror,
			stream_class->event_classes->pdata[
				stream_class->made_count++]);
	return status;
}

/* Stream classes */

static enum mirror_status set_clock_class(struct mirror *mirror,
		struct mirror_stream_class *stream_class)
{
	const bt_clock_class *in =
		bt_stream_class_borrow_default_clock_class_const(
			stream_class->in);

	if (!in)
		return MIRROR_STATUS_OK;
	stream_class->clock_class = clock_class_use(mirror, in);
	if (!stream_class->clock_class ||
			bt_stream_class_set_default_clock_class(
				stream_class->out,
				stream_class->clock_class->out) !=
			BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK)
		return MIRROR_STATUS_MEMORY_ERROR;
	return MIRROR_STATUS_OK;
}

/* The clock class has to be set before. */
static bool copy_stream_class_properties(struct mirror *mirror,
		const bt_stream_class *in, bt_stream_class *out)
{
	const char *name = bt_stream_class_get_name(in);

	bt_stream_class_set_assigns_automatic_stream_id(out, BT_FALSE);
	bt_stream_class_set_assigns_automatic_event_class_id(out, BT_FALSE);
	bt_stream_class_set_user_attributes(out,
		bt_stream_class_borrow_user_attributes_const(in));
	bt_stream_class_set_supports_packets(out,
		bt_stream_class_supports_packets(in),
		bt_stream_class_packets_have_beginning_default_clock_snapshot(
			in),
		bt_stream_class_packets_have_end_default_clock_snapshot(in));
	bt_stream_class_set_supports_discarded_events(out,
		bt_stream_class_supports_discarded_events(in),
		bt_stream_class_discarded_events_have_default_clock_snapshots(
			in));
	bt_stream_class_set_supports_discarded_packets(out,
		bt_stream_class_supports_discarded_packets(in),
		bt_stream_class_discarded_packets_have_default_clock_snapshots(
			in));
	return (!name || bt_stream_class_set_name(out, name) ==
			BT_STREAM_CLASS_SET_NAME_STATUS_OK) &&
		mirror->mip->copy_stream_class(in, out);
}

static enum mirror_status set_packet_context(
		struct field_class_mirror *classes,
		struct mirror_stream_class *stream_class,
		const bt_field_class *in)
{
	bt_field_class *out_class = NULL;
	enum mirror_status status;

	status = field_class_mirror_any(classes, in, &out_class,
		&stream_class->packet_context);
	if (status == MIRROR_STATUS_OK &&
			bt_stream_class_set_packet_context_field_class(
				stream_class->out, out_class) !=
				BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK)
		status = MIRROR_STATUS_MEMORY_ERROR;
	bt_field_class_put_ref(out_class);
	stream_class->has_packet_context = true;
	return status;
}

static enum mirror_status set_common_context(
		struct field_class_mirror *classes,
		struct mirror_stream_class *stream_class,
		const bt_field_class *in)
{
	bt_field_class *out_class = NULL;
	enum mirror_status status;

	status = structure_class_mirror_root(classes, MIRROR_COMMON_CONTEXT,
		in, &out_class, &stream_class->common_context);
	if (status == MIRROR_STATUS_OK &&
			bt_stream_class_set_event_common_context_field_class(
				stream_class->out, out_class) !=
				BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK)
		status = MIRROR_STATUS_MEMORY_ERROR;
	bt_field_class_put_ref(out_class);
	return status;
}

static enum mirror_status set_stream_class_fields(struct mirror *mirror,
		struct mirror_stream_class *stream_class,
		const struct mirror_request *request)
{
	const bt_field_class *packet =
		bt_stream_class_borrow_packet_context_field_class_const(
			stream_class->in);
	const bt_field_class *common =
		bt_stream_class_borrow_event_common_context_field_class_const(
			stream_class->in);
	struct field_class_mirror classes = {
		.mip = mirror->mip,
		.self_iterator = mirror->self_iterator,
		.trace_class = stream_class->trace_class->out,
		.scopes = {
			[BT_FIELD_PATH_SCOPE_PACKET_CONTEXT] = packet,
			[BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT] = common,
		},
		.made = stream_class->field_classes,
	};
	enum mirror_status status = MIRROR_STATUS_OK;

	if (packet)
		status = set_packet_context(&classes, stream_class, packet);
	classes.request = request;
	if (status == MIRROR_STATUS_OK &&
			(common || request_has_root(request,
				MIRROR_COMMON_CONTEXT)))
		status = set_common_context(&classes, stream_class, common);
	return status;
}

static enum mirror_status ask_stream_class_members(struct mirror *mirror,
		struct mirror_stream_class *stream_class,
		struct mirror_request *request)
{
	request->roots[MIRROR_COMMON_CONTEXT] =
		bt_stream_class_borrow_event_common_context_field_class_const(
			stream_class->in);
	request->allowed[MIRROR_COMMON_CONTEXT] = true;
	if (!mirror->ops->stream_class_members)
		return MIRROR_STATUS_OK;
	return mirror->ops->stream_class_members(mirror->owner,
		stream_class->data, stream_class->in, request);
}

static enum mirror_status make_stream_class(struct mirror *mirror,
		struct mirror_stream_class *stream_class)
{
	struct mirror_request request;
	enum mirror_status status;

	request_init(&request, &stream_class->slots);
	status = ask_stream_class_members(mirror, stream_class, &request);
	if (status != MIRROR_STATUS_OK)
		goto end;
	stream_class->out = bt_stream_class_create_with_id(
		stream_class->trace_class->out,
		bt_stream_class_get_id(stream_class->in));
	if (!stream_class->out) {
		status = MIRROR_STATUS_MEMORY_ERROR;
		goto end;
	}

	status = set_clock_class(mirror, stream_class);
	if (status != MIRROR_STATUS_OK)
		goto end;
	if (!copy_stream_class_properties(mirror, stream_class->in,
			stream_class->out)) {
		status = MIRROR_STATUS_MEMORY_ERROR;
		goto end;
	}

	status = set_stream_class_fields(mirror, stream_class, &request);

end:
	request_finish(&request);
	if (status != MIRROR_STATUS_OK) {
		mirror->broken = true;
		location_append_stream_class(mirror->self_iterator,
			"Cannot mirror", stream_class->in);
	}

	return status;
}

/* Traces and streams */

static enum mirror_status make_trace_class(struct mirror *mirror,
		struct mirror_trace_class *trace_class)
{
	if (trace_class->out)
		return MIRROR_STATUS_OK;
	trace_class->out = bt_trace_class_create(
		bt_self_message_iterator_borrow_component(
			mirror->self_iterator));
	if (!trace_class->out)
		return MIRROR_STATUS_MEMORY_ERROR;
	bt_trace_class_set_assigns_automatic_stream_class_id(trace_class->out,
		BT_FALSE);
	bt_trace_class_set_user_attributes(trace_class->out,
		bt_trace_class_borrow_user_attributes_const(trace_class->in));
	return MIRROR_STATUS_OK;
}

static enum mirror_status make_classes(struct mirror *mirror,
		struct mirror_trace_class *trace_class)
{
	GPtrArray *stream_classes = trace_class->stream_classes;
	enum mirror_status status;
	guint i;

	status = make_trace_class(mirror, trace_class);
	for (i = 0; i < stream_classes->len && status == MIRROR_STATUS_OK;
			i++) {
		if (i == trace_class->made_count) {
			trace_class->made_count++;
			status = make_stream_class(mirror,
				stream_classes->pdata[i]);
		}

		if (status == MIRROR_STATUS_OK)
			status = make_event_classes(mirror,
				stream_classes->pdata[i]);
	}

	return status;
}

static bool copy_environment(const bt_trace *in, bt_trace *out)
{
	uint64_t count = bt_trace_get_environment_entry_count(in);
	uint64_t i;

	for (i = 0; i < count; i++) {
		const char *name;
		const bt_value *value;
		bt_trace_set_environment_entry_status status;

		bt_trace_borrow_environment_entry_by_index_const(in, i, &name,
			&value);
		if (bt_value_is_signed_integer(value))
			status = bt_trace_set_environment_entry_integer(out,
				name, bt_value_integer_signed_get(value));
		else
			status = bt_trace_set_environment_entry_string(out,
				name, bt_value_string_get(value));
		if (status != BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK)
			return false;
	}

	return true;
}

static enum mirror_status make_trace(struct mirror *mirror,
		struct mirror_trace *trace)
{
	const char *name = bt_trace_get_name(trace->in);
	enum mirror_status status;

	status = make_classes(mirror, trace->trace_class);
	if (status != MIRROR_STATUS_OK || trace->out)
		return status;
	trace->out = bt_trace_create(trace->trace_class->out);
	if (!trace->out || (name && bt_trace_set_name(trace->out, name) !=
				BT_TRACE_SET_NAME_STATUS_OK) ||
			!copy_environment(trace->in, trace->out) ||
			!mirror->mip->copy_trace(trace->in, trace->out)) {
		mirror->broken = true;
		return MIRROR_STATUS_MEMORY_ERROR;
	}

	bt_trace_set_user_attributes(trace->out,
		bt_trace_borrow_user_attributes_const(trace->in));
	return MIRROR_STATUS_OK;
}

static enum mirror_status make_stream(struct mirror *mirror,
		struct mirror_stream *stream)
{
	const char *name = bt_stream_get_name(stream->in);

	stream->out = bt_stream_create_with_id(stream->stream_class->out,
		stream->trace->out, bt_stream_get_id(stream->in));
	if (!stream->out || (name && bt_stream_set_name(stream->out, name) !=
			BT_STREAM_SET_NAME_STATUS_OK)) {
		mirror->broken = true;
		location_append_stream(mirror->self_iterator, "Cannot mirror",
			stream->in);
		return MIRROR_STATUS_MEMORY_ERROR;
	}

	bt_stream_set_user_attributes(stream->out,
		bt_stream_borrow_user_attributes_const(stream->in));
	return MIRROR_STATUS_OK;
}

enum mirror_status output_make_trace(struct mirror *mirror,
		struct mirror_trace *trace)
{
	enum mirror_status status;

	status = make_trace(mirror, trace);
	while (status == MIRROR_STATUS_OK &&
			trace->made_count < trace->streams->len)
		status = make_stream(mirror,
			trace->streams->pdata[trace->made_count++]);
	if (status != MIRROR_STATUS_OK)
		location_append_trace(mirror->self_iterator, "Cannot mirror",
			trace->in);
	return status;
}

enum mirror_status output_make_event_class(struct mirror *mirror,
		struct mirror_event_class *event_class)
{
	return make_classes(mirror, event_class->stream_class->trace_class);
}

enum mirror_status output_make_packet(struct mirror *mirror,
		struct mirror_stream *stream)
{
	enum mirror_status status = MIRROR_STATUS_OK;

	stream->out_packet = bt_packet_create(stream->out);
	if (!stream->out_packet)
		status = MIRROR_STATUS_MEMORY_ERROR;
	else if (stream->stream_class->has_packet_context)
		status = copy_structure(&stream->stream_class->packet_context,
			&mirror->copy_context,
			bt_packet_borrow_context_field_const(stream->in_packet),
			bt_packet_borrow_context_field(stream->out_packet));
	if (status != MIRROR_STATUS_OK)
		location_append_stream(mirror->self_iterator,
			"Cannot mirror a packet", stream->in);
	return status;
}
