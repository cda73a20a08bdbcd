/* SPDX-License-Identifier: MIT */
#include "ir/location.h"

#include <glib.h>
#include <inttypes.h>
#include <stdarg.h>

/* To be freed with g_free(). */
static char *printable(const char *name)
{
	return name ? g_strescape(name, "\"") : g_strdup("(no name)");
}

void location_append(bt_self_message_iterator *self_iterator, const char *format,
		...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (self_iterator)
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			self_iterator, "%s", text);
	else
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_UNKNOWN("commcache",
			"%s", text);
	g_free(text);
}

void location_append_trace(bt_self_message_iterator *self_iterator,
		const char *what, const bt_trace *trace)
{
	char *name = printable(bt_trace_get_name(trace));

	location_append(self_iterator, "%s: trace `%s`", what, name);
	g_free(name);
}

void location_append_stream_class(bt_self_message_iterator *self_iterator,
		const char *what, const bt_stream_class *stream_class)
{
	char *name = printable(bt_stream_class_get_name(stream_class));

	location_append(self_iterator, "%s: stream class `%s` (id %" PRIu64 ")",
		what, name, bt_stream_class_get_id(stream_class));
	g_free(name);
}

void location_append_event_class(bt_self_message_iterator *self_iterator,
		const char *what, const bt_event_class *event_class)
{
	char *name = printable(bt_event_class_get_name(event_class));
	const bt_stream_class *stream_class =
		bt_event_class_borrow_stream_class_const(event_class);

	location_append(self_iterator, "%s: event class `%s` (id %" PRIu64 ") of "
		"stream class %" PRIu64, what, name,
		bt_event_class_get_id(event_class),
		bt_stream_class_get_id(stream_class));
	g_free(name);
}

void location_append_stream(bt_self_message_iterator *self_iterator,
		const char *what, const bt_stream *stream)
{
	char *name = printable(bt_stream_get_name(stream));
	char *trace_name = printable(
		bt_trace_get_name(bt_stream_borrow_trace_const(stream)));

	location_append(self_iterator, "%s: stream `%s` (id %" PRIu64 ") of trace "
		"`%s`", what, name, bt_stream_get_id(stream), trace_name);
	g_free(name);
	g_free(trace_name);
}

void location_append_event(bt_self_message_iterator *self_iterator,
		const char *what, const bt_event *event)
{
	location_append_event_class(self_iterator, what,
		bt_event_borrow_class_const(event));
	location_append_stream(self_iterator, "While handling an event",
		bt_event_borrow_stream_const(event));
}

void location_append_member_class(bt_self_message_iterator *self_iterator,
		const char *name)
{
	char *shown = printable(name);

	location_append(self_iterator, "Cannot mirror the class of member `%s`",
		shown);
	g_free(shown);
}

void location_append_member(bt_self_message_iterator *self_iterator,
		const bt_field *structure, uint64_t index)
{
	const bt_field_class_structure_member *member =
		bt_field_class_structure_borrow_member_by_index_const(
			bt_field_borrow_class_const(structure), index);
	char *name = printable(
		bt_field_class_structure_member_get_name(member));

	location_append(self_iterator, "Cannot copy member `%s`", name);
	g_free(name);
}
