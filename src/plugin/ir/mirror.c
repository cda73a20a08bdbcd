/* SPDX-License-Identifier: MIT */
#include "ir/mirror.h"

#include "ir/copy.h"
#include "ir/location.h"
#include "ir/messages.h"
#include "ir/mip.h"
#include "ir/objects.h"
#include "ir/output.h"

struct mirror *mirror_create(bt_self_message_iterator *self_iterator,
		const struct mirror_ops *ops, void *owner)
{
	struct mirror *mirror = g_new0(struct mirror, 1);

	mirror->self_iterator = self_iterator;
	mirror->mip = self_iterator ? mip_of(self_iterator) : NULL;
	mirror->ops = ops;
	mirror->owner = owner;
	objects_init(mirror);
	return mirror;
}

void mirror_destroy(struct mirror *mirror)
{
	if (mirror) {
		objects_finish(mirror);
		g_free(mirror);
	}
}

/* An event with all that is known of it. */
struct event_view {
	struct mirror_event event;
	/* NULL if the stream class has no packets. */
	const bt_packet *packet;
	struct mirror_stream *stream;
	struct mirror_event_class *event_class;
};

/* They are those of the last event from now on. */
static enum status find_objects(struct mirror *mirror,
		const bt_stream *in_stream, const bt_event_class *in_class)
{
	struct mirror_stream *stream;
	struct mirror_event_class *event_class;
	enum status status;

	while (!(stream = objects_find_cached(mirror->stream_cache,
				in_stream)) ||
			!(event_class = objects_find_cached(
				mirror->event_class_cache, in_class))) {
		/* Not in the caches, or not known at all. */
		status = objects_get_stream(mirror, in_stream, &stream);
		if (status == STATUS_OK)
			status = objects_get_event_class(mirror, in_class,
				stream, &event_class);
		if (status != STATUS_OK)
			return status;
	}

	mirror->last_stream = stream;
	mirror->last_event_class = event_class;
	return STATUS_OK;
}

static inline bool is_last(const struct mirror *mirror,
		const bt_stream *in_stream, const bt_event_class *in_class)
{
	return mirror->last_stream && mirror->last_stream->in == in_stream &&
		mirror->last_event_class->in == in_class;
}

/* Inline: this and what follows is what each event costs. */
static inline __attribute__((always_inline))
enum status view_event(struct mirror *mirror,
		const bt_message *message, struct event_view *view)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_stream *in_stream = bt_event_borrow_stream_const(event);
	const bt_event_class *in_class = bt_event_borrow_class_const(event);
	enum status status = STATUS_OK;
	struct mirror_stream *stream;

	if (!is_last(mirror, in_stream, in_class)) {
		status = find_objects(mirror, in_stream, in_class);
		if (status != STATUS_OK)
			return status;
	}

	stream = mirror->last_stream;
	view->packet = NULL;
	view->stream = stream;
	view->event_class = mirror->last_event_class;
	view->event = (struct mirror_event) {
		.event = event,
		.stream_data = stream->data,
		.stream_class_data = stream->stream_class->data,
		.event_class_data = view->event_class->data,
	};

	if (stream->stream_class->has_packets) {
		view->packet = bt_event_borrow_packet_const(event);
		if (G_UNLIKELY(view->packet != stream->in_packet)) {
			/* A source that skipped the packet's beginning. */
			status = objects_set_packet(mirror, stream,
				view->packet);
		}
	}

	if (stream->stream_class->has_clock) {
		view->event.clock =
			bt_message_event_borrow_default_clock_snapshot_const(
				message);
		view->event.cycles =
			bt_clock_snapshot_get_value(view->event.clock);
	}

	return status;
}

/* What the input's order made already, unless the source skipped it. */
static enum status make_missing(struct mirror *mirror,
		struct event_view *view)
{
	enum status status = STATUS_OK;

	if (!view->stream->out)
		status = output_make_trace(mirror, view->stream->trace);
	if (status == STATUS_OK && !view->event_class->out)
		status = output_make_event_class(mirror, view->event_class);
	if (status == STATUS_OK && view->packet &&
			!view->stream->out_packet)
		status = output_make_packet(mirror, view->stream);
	return status;
}

static inline bt_message *create_event_message(struct mirror *mirror,
		const struct event_view *view)
{
	const struct mirror_event *event = &view->event;
	const bt_event_class *out_class = view->event_class->out;

	if (view->packet)
		return event->clock ?
			bt_message_event_create_with_packet_and_default_clock_snapshot(
				mirror->self_iterator, out_class,
				view->stream->out_packet, event->cycles) :
			bt_message_event_create_with_packet(
				mirror->self_iterator, out_class,
				view->stream->out_packet);
	return event->clock ?
		bt_message_event_create_with_default_clock_snapshot(
			mirror->self_iterator, out_class, view->stream->out,
			event->cycles) :
		bt_message_event_create(mirror->self_iterator, out_class,
			view->stream->out);
}

static inline enum status make_event(struct mirror *mirror,
		struct event_view *view, const bt_message **output)
{
	bt_message *out;
	enum status status;

	if (G_UNLIKELY(!view->stream->out || !view->event_class->out ||
			(view->packet && !view->stream->out_packet))) {
		status = make_missing(mirror, view);
		if (status != STATUS_OK)
			return status;
	}

	out = create_event_message(mirror, view);
	if (!out)
		return STATUS_MEMORY_ERROR;
	status = copy_event(view->event_class->scopes,
		view->event_class->scope_count, &mirror->copy_context,
		view->event.event, bt_message_event_borrow_event(out));
	if (status == STATUS_OK && mirror->ops->fill)
		status = mirror->ops->fill(mirror->owner, &view->event,
			mirror->slots);
	if (G_UNLIKELY(status != STATUS_OK)) {
		bt_message_put_ref(out);
		return status;
	}

	*output = out;
	return STATUS_OK;
}

static enum status handle_event(struct mirror *mirror,
		const bt_message *message, const bt_message **output)
{
	enum mirror_verdict verdict = MIRROR_PASS;
	struct event_view view;
	enum status status;

	status = view_event(mirror, message, &view);
	if (status == STATUS_OK && mirror->ops->resolve)
		status = mirror->ops->resolve(mirror->owner, &view.event,
			&verdict);
	if (status == STATUS_OK && verdict == MIRROR_PASS)
		status = make_event(mirror, &view, output);
	if (G_UNLIKELY(status != STATUS_OK))
		location_append_event(mirror->self_iterator, "Cannot handle",
			bt_message_event_borrow_event_const(message));
	return status;
}

static enum status observe_event(struct mirror *mirror,
		const bt_message *message)
{
	struct event_view view;
	enum status status;

	status = view_event(mirror, message, &view);
	if (status == STATUS_OK && mirror->ops->observe)
		status = mirror->ops->observe(mirror->owner, &view.event);
	if (G_UNLIKELY(status != STATUS_OK))
		location_append_event(mirror->self_iterator, "Cannot take in",
			bt_message_event_borrow_event_const(message));
	return status;
}

enum status mirror_observe(struct mirror *mirror,
		const bt_message *message)
{
	return bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT ?
		observe_event(mirror, message) :
		messages_handle(mirror, message, NULL);
}

enum status mirror_message(struct mirror *mirror,
		const bt_message *message, const bt_message **output)
{
	*output = NULL;
	if (G_UNLIKELY(mirror->broken)) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			mirror->self_iterator,
			"An earlier failure left classes half made");
		return STATUS_ERROR;
	}

	return bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT ?
		handle_event(mirror, message, output) :
		messages_handle(mirror, message, output);
}

void mirror_rewind(struct mirror *mirror)
{
	objects_forget_packets(mirror);
}
