/* SPDX-License-Identifier: MIT */
#include "ir/messages.h"

#include "ir/clock-class.h"
#include "ir/location.h"
#include "ir/output.h"

/* Makes the output message; NULL: no memory. */
typedef bt_message *(*make_func)(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *in);

static bt_message *make_stream_beginning(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *in)
{
	const bt_clock_snapshot *clock;
	bt_message *out = bt_message_stream_beginning_create(
		mirror->self_iterator, stream->out);

	if (out && stream->stream_class->has_clock &&
			bt_message_stream_beginning_borrow_default_clock_snapshot_const(
				in, &clock) ==
			BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN)
		bt_message_stream_beginning_set_default_clock_snapshot(out,
			bt_clock_snapshot_get_value(clock));
	return out;
}

static bt_message *make_stream_end(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *in)
{
	const bt_clock_snapshot *clock;
	bt_message *out = bt_message_stream_end_create(mirror->self_iterator,
		stream->out);

	if (out && stream->stream_class->has_clock &&
			bt_message_stream_end_borrow_default_clock_snapshot_const(
				in, &clock) ==
			BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN)
		bt_message_stream_end_set_default_clock_snapshot(out,
			bt_clock_snapshot_get_value(clock));
	return out;
}

static bt_message *make_packet_beginning(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *in)
{
	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(
			stream->stream_class->in))
		return bt_message_packet_beginning_create(
			mirror->self_iterator, stream->out_packet);
	return bt_message_packet_beginning_create_with_default_clock_snapshot(
		mirror->self_iterator, stream->out_packet,
		bt_clock_snapshot_get_value(
			bt_message_packet_beginning_borrow_default_clock_snapshot_const(
				in)));
}

static bt_message *make_packet_end(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *in)
{
	if (!bt_stream_class_packets_have_end_default_clock_snapshot(
			stream->stream_class->in))
		return bt_message_packet_end_create(mirror->self_iterator,
			stream->out_packet);
	return bt_message_packet_end_create_with_default_clock_snapshot(
		mirror->self_iterator, stream->out_packet,
		bt_clock_snapshot_get_value(
			bt_message_packet_end_borrow_default_clock_snapshot_const(
				in)));
}

static bt_message *make_discarded_events(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *in)
{
	bt_message *out;
	uint64_t count;

	if (bt_stream_class_discarded_events_have_default_clock_snapshots(
			stream->stream_class->in))
		out = bt_message_discarded_events_create_with_default_clock_snapshots(
			mirror->self_iterator, stream->out,
			bt_clock_snapshot_get_value(
				bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
					in)),
			bt_clock_snapshot_get_value(
				bt_message_discarded_events_borrow_end_default_clock_snapshot_const(
					in)));
	else
		out = bt_message_discarded_events_create(
			mirror->self_iterator, stream->out);
	if (out && bt_message_discarded_events_get_count(in, &count) ==
			BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_message_discarded_events_set_count(out, count);
	return out;
}

static bt_message *make_discarded_packets(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *in)
{
	bt_message *out;
	uint64_t count;

	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(
			stream->stream_class->in))
		out = bt_message_discarded_packets_create_with_default_clock_snapshots(
			mirror->self_iterator, stream->out,
			bt_clock_snapshot_get_value(
				bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
					in)),
			bt_clock_snapshot_get_value(
				bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(
					in)));
	else
		out = bt_message_discarded_packets_create(
			mirror->self_iterator, stream->out);
	if (out && bt_message_discarded_packets_get_count(in, &count) ==
			BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_message_discarded_packets_set_count(out, count);
	return out;
}

static bt_message *make_inactivity(struct mirror *mirror,
		const bt_message *in)
{
	const bt_clock_snapshot *clock =
		bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(
			in);
	struct mirror_clock_class *clock_class = clock_class_use(mirror,
		bt_clock_snapshot_borrow_clock_class_const(clock));
	bt_message *out;

	if (!clock_class)
		return NULL;
	out = bt_message_message_iterator_inactivity_create(
		mirror->self_iterator, clock_class->out,
		bt_clock_snapshot_get_value(clock));
	clock_class_release(mirror, clock_class);
	return out;
}

static const bt_packet *packet_of(const bt_message *message)
{
	return bt_message_get_type(message) ==
			BT_MESSAGE_TYPE_PACKET_BEGINNING ?
		bt_message_packet_beginning_borrow_packet_const(message) :
		bt_message_packet_end_borrow_packet_const(message);
}

static const bt_stream *stream_of(const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return bt_message_stream_beginning_borrow_stream_const(
			message);
	case BT_MESSAGE_TYPE_STREAM_END:
		return bt_message_stream_end_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return bt_message_discarded_events_borrow_stream_const(
			message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return bt_message_discarded_packets_borrow_stream_const(
			message);
	default:
		return bt_packet_borrow_stream_const(packet_of(message));
	}
}

static make_func make_func_of(const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return make_stream_beginning;
	case BT_MESSAGE_TYPE_STREAM_END:
		return make_stream_end;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return make_discarded_events;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return make_discarded_packets;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return make_packet_beginning;
	default:
		return make_packet_end;
	}
}

static enum status tell_owner(struct mirror *mirror,
		const bt_message *message, void *stream_data)
{
	return mirror->ops->message ? mirror->ops->message(mirror->owner,
		message, stream_data) : STATUS_OK;
}

static enum status handle_inactivity(struct mirror *mirror,
		const bt_message *message, const bt_message **output)
{
	enum status status = tell_owner(mirror, message, NULL);

	if (status != STATUS_OK || !output)
		return status;
	*output = make_inactivity(mirror, message);
	return *output ? STATUS_OK : STATUS_MEMORY_ERROR;
}

/* The current packet, before the message is handled. */
static enum status enter_packet(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *message,
		const bt_message **output)
{
	bt_message_type type = bt_message_get_type(message);
	enum status status = STATUS_OK;

	if (type != BT_MESSAGE_TYPE_PACKET_BEGINNING &&
			type != BT_MESSAGE_TYPE_PACKET_END)
		return STATUS_OK;
	if (type == BT_MESSAGE_TYPE_PACKET_BEGINNING ||
			stream->in_packet != packet_of(message))
		status = objects_set_packet(mirror, stream,
			packet_of(message));
	if (status == STATUS_OK && output && !stream->out_packet)
		status = output_make_packet(mirror, stream);
	return status;
}

static enum status handle_of_stream(struct mirror *mirror,
		struct mirror_stream *stream, const bt_message *message,
		const bt_message **output)
{
	bt_message_type type = bt_message_get_type(message);
	enum status status = STATUS_OK;

	if (output && (!stream->out ||
			type == BT_MESSAGE_TYPE_STREAM_BEGINNING))
		status = output_make_trace(mirror, stream->trace);
	if (status == STATUS_OK)
		status = enter_packet(mirror, stream, message, output);
	if (status == STATUS_OK)
		status = tell_owner(mirror, message, stream->data);
	if (status == STATUS_OK && output) {
		*output = make_func_of(message)(mirror, stream, message);
		status = *output ? STATUS_OK :
			STATUS_MEMORY_ERROR;
	}

	if (status == STATUS_OK &&
			type == BT_MESSAGE_TYPE_PACKET_END)
		status = objects_set_packet(mirror, stream, NULL);
	return status;
}

enum status messages_handle(struct mirror *mirror,
		const bt_message *message, const bt_message **output)
{
	struct mirror_stream *stream;
	enum status status;

	if (bt_message_get_type(message) ==
			BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY)
		return handle_inactivity(mirror, message, output);
	status = objects_get_stream(mirror, stream_of(message), &stream);
	if (status != STATUS_OK)
		return status;
	status = handle_of_stream(mirror, stream, message, output);
	if (status != STATUS_OK)
		location_append_stream(mirror->self_iterator,
			"While handling a message", stream->in);
	return status;
}
