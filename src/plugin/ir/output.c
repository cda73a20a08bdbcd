/* SPDX-License-Identifier: MIT */
#include "ir/output.h"

#include "ir/clock-class.h"
#include "ir/event-class.h"
#include "ir/field-class.h"
#include "ir/location.h"
#include "ir/mip.h"

static enum status make_event_classes(struct mirror *mirror,
		struct mirror_stream_class *stream_class)
{
	enum status status = STATUS_OK;

	while (status == STATUS_OK && stream_class->made_count <
			stream_class->event_classes->len)
		status = event_class_make(mirror,
			stream_class->event_classes->pdata[
				stream_class->made_count++]);
	return status;
}

/* Stream classes */

static enum status set_clock_class(struct mirror *mirror,
		struct mirror_stream_class *stream_class)
{
	const bt_clock_class *in =
		bt_stream_class_borrow_default_clock_class_const(
			stream_class->in);

	if (!in)
		return STATUS_OK;
	stream_class->clock_class = clock_class_use(mirror, in);
	if (!stream_class->clock_class ||
			bt_stream_class_set_default_clock_class(
				stream_class->out,
				stream_class->clock_class->out) !=
			BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK)
		return STATUS_MEMORY_ERROR;
	return STATUS_OK;
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

static enum status set_packet_context(
		struct field_class_mirror *classes,
		struct mirror_stream_class *stream_class,
		const bt_field_class *in)
{
	bt_field_class *out_class = NULL;
	enum status status;

	status = field_class_mirror_any(classes, in, &out_class,
		&stream_class->packet_context);
	if (status == STATUS_OK &&
			bt_stream_class_set_packet_context_field_class(
				stream_class->out, out_class) !=
				BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK)
		status = STATUS_MEMORY_ERROR;
	bt_field_class_put_ref(out_class);
	stream_class->has_packet_context = true;
	return status;
}

static enum status set_common_context(
		struct field_class_mirror *classes,
		struct mirror_stream_class *stream_class,
		const bt_field_class *in)
{
	bt_field_class *out_class = NULL;
	enum status status;

	status = structure_class_mirror_root(classes, MIRROR_COMMON_CONTEXT,
		in, &out_class, &stream_class->common_context);
	if (status == STATUS_OK &&
			bt_stream_class_set_event_common_context_field_class(
				stream_class->out, out_class) !=
				BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK)
		status = STATUS_MEMORY_ERROR;
	bt_field_class_put_ref(out_class);
	return status;
}

static enum status set_stream_class_fields(struct mirror *mirror,
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
	enum status status = STATUS_OK;

	if (packet)
		status = set_packet_context(&classes, stream_class, packet);
	classes.request = request;
	if (status == STATUS_OK &&
			(common || request_has_root(request,
				MIRROR_COMMON_CONTEXT)))
		status = set_common_context(&classes, stream_class, common);
	return status;
}

static enum status ask_stream_class_members(struct mirror *mirror,
		struct mirror_stream_class *stream_class,
		struct mirror_request *request)
{
	request->roots[MIRROR_COMMON_CONTEXT] =
		bt_stream_class_borrow_event_common_context_field_class_const(
			stream_class->in);
	request->allowed[MIRROR_COMMON_CONTEXT] = true;
	if (!mirror->ops->stream_class_members)
		return STATUS_OK;
	return mirror->ops->stream_class_members(mirror->owner,
		stream_class->data, stream_class->in, request);
}

static enum status make_stream_class(struct mirror *mirror,
		struct mirror_stream_class *stream_class)
{
	struct mirror_request request;
	enum status status;

	request_init(&request, &stream_class->slots);
	status = ask_stream_class_members(mirror, stream_class, &request);
	if (status != STATUS_OK)
		goto end;
	stream_class->out = bt_stream_class_create_with_id(
		stream_class->trace_class->out,
		bt_stream_class_get_id(stream_class->in));
	if (!stream_class->out) {
		status = STATUS_MEMORY_ERROR;
		goto end;
	}

	status = set_clock_class(mirror, stream_class);
	if (status != STATUS_OK)
		goto end;
	if (!copy_stream_class_properties(mirror, stream_class->in,
			stream_class->out)) {
		status = STATUS_MEMORY_ERROR;
		goto end;
	}

	status = set_stream_class_fields(mirror, stream_class, &request);

end:
	request_finish(&request);
	if (status != STATUS_OK) {
		mirror->broken = true;
		location_append_stream_class(mirror->self_iterator,
			"Cannot mirror", stream_class->in);
	}

	return status;
}

/* Traces and streams */

static enum status make_trace_class(struct mirror *mirror,
		struct mirror_trace_class *trace_class)
{
	if (trace_class->out)
		return STATUS_OK;
	trace_class->out = bt_trace_class_create(
		bt_self_message_iterator_borrow_component(
			mirror->self_iterator));
	if (!trace_class->out)
		return STATUS_MEMORY_ERROR;
	bt_trace_class_set_assigns_automatic_stream_class_id(trace_class->out,
		BT_FALSE);
	bt_trace_class_set_user_attributes(trace_class->out,
		bt_trace_class_borrow_user_attributes_const(trace_class->in));
	return STATUS_OK;
}

static enum status make_classes(struct mirror *mirror,
		struct mirror_trace_class *trace_class)
{
	GPtrArray *stream_classes = trace_class->stream_classes;
	enum status status;
	guint i;

	status = make_trace_class(mirror, trace_class);
	for (i = 0; i < stream_classes->len && status == STATUS_OK;
			i++) {
		if (i == trace_class->made_count) {
			trace_class->made_count++;
			status = make_stream_class(mirror,
				stream_classes->pdata[i]);
		}

		if (status == STATUS_OK)
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

static enum status make_trace(struct mirror *mirror,
		struct mirror_trace *trace)
{
	const char *name = bt_trace_get_name(trace->in);
	enum status status;

	status = make_classes(mirror, trace->trace_class);
	if (status != STATUS_OK || trace->out)
		return status;
	trace->out = bt_trace_create(trace->trace_class->out);
	if (!trace->out || (name && bt_trace_set_name(trace->out, name) !=
				BT_TRACE_SET_NAME_STATUS_OK) ||
			!copy_environment(trace->in, trace->out) ||
			!mirror->mip->copy_trace(trace->in, trace->out)) {
		mirror->broken = true;
		return STATUS_MEMORY_ERROR;
	}

	bt_trace_set_user_attributes(trace->out,
		bt_trace_borrow_user_attributes_const(trace->in));
	return STATUS_OK;
}

static enum status make_stream(struct mirror *mirror,
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
		return STATUS_MEMORY_ERROR;
	}

	bt_stream_set_user_attributes(stream->out,
		bt_stream_borrow_user_attributes_const(stream->in));
	return STATUS_OK;
}

enum status output_make_trace(struct mirror *mirror,
		struct mirror_trace *trace)
{
	enum status status;

	status = make_trace(mirror, trace);
	while (status == STATUS_OK &&
			trace->made_count < trace->streams->len)
		status = make_stream(mirror,
			trace->streams->pdata[trace->made_count++]);
	if (status != STATUS_OK)
		location_append_trace(mirror->self_iterator, "Cannot mirror",
			trace->in);
	return status;
}

enum status output_make_event_class(struct mirror *mirror,
		struct mirror_event_class *event_class)
{
	return make_classes(mirror, event_class->stream_class->trace_class);
}

enum status output_make_packet(struct mirror *mirror,
		struct mirror_stream *stream)
{
	enum status status = STATUS_OK;

	stream->out_packet = bt_packet_create(stream->out);
	if (!stream->out_packet)
		status = STATUS_MEMORY_ERROR;
	else if (stream->stream_class->has_packet_context)
		status = copy_structure(&stream->stream_class->packet_context,
			&mirror->copy_context,
			bt_packet_borrow_context_field_const(stream->in_packet),
			bt_packet_borrow_context_field(stream->out_packet));
	if (status != STATUS_OK)
		location_append_stream(mirror->self_iterator,
			"Cannot mirror a packet", stream->in);
	return status;
}
