/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_LOCATION_H
#define COMMCACHE_PLUGIN_IR_LOCATION_H

#include <babeltrace2/babeltrace.h>
#include <stdint.h>

/*
 * Error causes that say where in a trace something failed. Names of traces
 * come from strangers: their control bytes are escaped.
 *
 * Each appends one cause to the current thread's error, from the iterator;
 * where that is NULL (a mirror that only observes), from the plugin.
 * `what` is the beginning of a sentence: "Cannot copy the payload".
 */

void location_append(bt_self_message_iterator *self_iterator,
		const char *format, ...) __attribute__((format(printf, 2, 3)));

void location_append_trace(bt_self_message_iterator *self_iterator,
		const char *what, const bt_trace *trace);

void location_append_stream_class(bt_self_message_iterator *self_iterator,
		const char *what, const bt_stream_class *stream_class);

void location_append_event_class(bt_self_message_iterator *self_iterator,
		const char *what, const bt_event_class *event_class);

void location_append_stream(bt_self_message_iterator *self_iterator,
		const char *what, const bt_stream *stream);

void location_append_event(bt_self_message_iterator *self_iterator,
		const char *what, const bt_event *event);

/* A member of the structure field `structure`, while it is copied. */
void location_append_member(bt_self_message_iterator *self_iterator,
		const bt_field *structure, uint64_t index);

/* A member, or an option of a variant, while its class is mirrored. */
void location_append_member_class(bt_self_message_iterator *self_iterator,
		const char *name);

#endif /* COMMCACHE_PLUGIN_IR_LOCATION_H */
