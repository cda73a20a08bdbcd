/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_MIRROR_H
#define COMMCACHE_PLUGIN_IR_MIRROR_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

/*
 * A mirror makes, of each message of an input, the same message again, with
 * members added to the events. What the members are, where they stand and
 * what they hold is decided by the mirror's owner; the mirror knows nothing
 * of it. Everything else passes unchanged.
 *
 * One mirror serves one message iterator. It is not thread safe (neither is
 * a babeltrace2 graph).
 *
 * What passes: trace and stream classes, traces, streams, packets, event
 * classes with their ids, names, user attributes, environment, log level,
 * EMF URI, clock classes, all field classes and their properties, all
 * messages. The trace's UUID is kept too: the output *is* that trace, and
 * sinks name a trace by it when they warn of discarded events.
 *
 * How it goes
 * -----------
 * 1. The first time an input object is seen, the owner's `*_seen` function
 *    is called with it, once; what it returns in `*data` is handed back on
 *    each later call. Order: trace, stream class, its event classes, stream.
 *    `*_gone` is called once when the object is gone or the mirror destroyed;
 *    not if its `*_seen` failed.
 *    Pointers to input objects stay valid in between; hold no reference on
 *    them, or they never go.
 * 2. mirror_observe() only looks at a message (the first of two passes): no
 *    output is made. It calls `observe` for an event, `message` for others.
 * 3. mirror_message() makes the output. Just before the output class is made,
 *    once for each class, `stream_class_members` and `event_class_members`
 *    are called, in which the owner adds members with mirror_add_member().
 *    This is after the whole first pass where there is one, so that what was
 *    learned can decide it. For each event: `resolve` says whether it passes,
 *    and if so, the event is copied and `fill` sets the added members.
 *
 * Classes and streams can be seen long before their first message: all that
 * a trace has is mirrored when its first stream begins, so that metadata comes
 * out as it went in. Later ones (live) as they come.
 */

struct mirror;

enum mirror_verdict {
	MIRROR_PASS,
	/* This event makes no output. Only events can be dropped. */
	MIRROR_DROP,
};

/* An event as the owner sees it. Valid during the call. */
struct mirror_event {
	const bt_event *event;
	/* NULL if the stream class has no clock. */
	const bt_clock_snapshot *clock;
	/* The raw value of `clock`, in cycles; 0 without a clock. */
	uint64_t cycles;

	/* The owner's data of each. */
	void *stream_data;
	void *stream_class_data;
	void *event_class_data;
};

enum mirror_scope {
	MIRROR_COMMON_CONTEXT,
	MIRROR_SPECIFIC_CONTEXT,
	MIRROR_PAYLOAD,
};

enum mirror_place {
	/* Last in its structure. */
	MIRROR_AT_END,
	/* Right after input member `index`. */
	MIRROR_AFTER,
	/* In place of input member `index`, whose value is not copied. */
	MIRROR_REPLACE,
};

enum mirror_type {
	MIRROR_STRING,
	/* 64-bit integers, in decimal, unless `bits` and `base` say otherwise. */
	MIRROR_SIGNED,
	MIRROR_UNSIGNED,
	/*
	 * The class of the replaced member, with its properties and user
	 * attributes. It has to be text: a string, or a static array of
	 * integers of 8 bits; mirror_set_text() writes both.
	 */
	MIRROR_AS_REPLACED,
};

#define MIRROR_SLOTS_MAX	256
#define MIRROR_PATH_MAX		8

/* A member to add. */
struct mirror_member {
	enum mirror_scope scope;
	/*
	 * The structure it stands in: input member indexes from the scope's
	 * root, through structures only. Length 0 is the root, which need not
	 * exist in the input.
	 */
	uint64_t path[MIRROR_PATH_MAX];
	size_t path_length;

	enum mirror_place place;
	uint64_t index;

	/* Copied. NULL, for MIRROR_REPLACE only: the replaced member's. */
	const char *name;

	enum mirror_type type;
	/* Integers: size of the value range; 0 is 64. */
	unsigned int bits;
	/* Integers: 0 is decimal. */
	bt_field_class_integer_preferred_display_base base;

	/*
	 * Where `fill` finds the output field: slots[slot]. Below
	 * MIRROR_SLOTS_MAX. A stream class's slots and its event classes' are
	 * one space. The owner numbers them; two members of one event must
	 * have two slots.
	 */
	unsigned int slot;
};

enum mirror_add_status {
	MIRROR_ADD_OK = 0,
	/* The structure has, or is to have, a member of that name. Not added. */
	MIRROR_ADD_NAME_TAKEN,
	/*
	 * No such structure or member, a replaced member that is not text or
	 * on which the length or selection of another field depends, a slot
	 * out of range or taken. Not added.
	 */
	MIRROR_ADD_BAD_PLACE,
	MIRROR_ADD_MEMORY_ERROR,
};

/* Collects the members of one output class. Valid during the call. */
struct mirror_request;

/*
 * Adds a member to the class that is about to be made. In
 * `stream_class_members` the scope has to be the common context, in
 * `event_class_members` one of the others. Several members placed after the
 * same input member come out in the order in which they were added.
 *
 * Appends no error cause: what to do about a name that is taken is the
 * owner's to say (another name, MIRROR_REPLACE, or leave it).
 */
enum mirror_add_status mirror_add_member(struct mirror_request *request,
		const struct mirror_member *member);

/*
 * The owner. Each function may be NULL, except where an output is asked of
 * it (`fill` if it ever adds a member). A function that returns other than
 * STATUS_OK stops the iterator with that status; STATUS_ERROR
 * only after it appended a cause.
 */
struct mirror_ops {
	enum status (*trace_seen)(void *owner, const bt_trace *trace,
			void **data);
	void (*trace_gone)(void *owner, void *data);

	/*
	 * `trace_data`: of the trace in which the class was first seen. (A
	 * babeltrace2 trace class can have several traces; in CTF it has one.)
	 */
	enum status (*stream_class_seen)(void *owner,
			const bt_stream_class *stream_class, void *trace_data,
			void **data);
	void (*stream_class_gone)(void *owner, void *data);

	enum status (*event_class_seen)(void *owner,
			const bt_event_class *event_class, void *trace_data,
			void *stream_class_data, void **data);
	void (*event_class_gone)(void *owner, void *data);

	enum status (*stream_seen)(void *owner, const bt_stream *stream,
			void *trace_data, void *stream_class_data, void **data);
	void (*stream_gone)(void *owner, void *data);

	/* A packet becomes its stream's current one, in either pass. */
	enum status (*packet_begins)(void *owner, void *stream_data,
			const bt_packet *packet);

	enum status (*stream_class_members)(void *owner,
			void *stream_class_data,
			const bt_stream_class *stream_class,
			struct mirror_request *request);
	enum status (*event_class_members)(void *owner,
			void *event_class_data,
			const bt_event_class *event_class,
			struct mirror_request *request);

	/* An event, in mirror_observe(). */
	enum status (*observe)(void *owner,
			const struct mirror_event *event);

	/*
	 * Any other message, in mirror_observe() and in mirror_message(),
	 * before its output is made. `stream_data` is NULL for
	 * BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY. A packet beginning
	 * comes after its `packet_begins`.
	 */
	enum status (*message)(void *owner, const bt_message *message,
			void *stream_data);

	/*
	 * An event, in mirror_message(), before any output is made of it. NULL:
	 * all pass.
	 */
	enum status (*resolve)(void *owner,
			const struct mirror_event *event,
			enum mirror_verdict *verdict);

	/*
	 * Sets the added members of an event that passes, after its `resolve`
	 * if there is one. `slots[n]` is the output field of the member with slot n:
	 * never NULL for a slot of this event's stream class and event class,
	 * undefined for others. Each has to be set: they are used again and
	 * hold an earlier event's value.
	 */
	enum status (*fill)(void *owner, const struct mirror_event *event,
			bt_field *const *slots);
};

/*
 * Creates the mirror of `self_iterator`, which it keeps (weak); NULL for one
 * that only observes (a sink's), to which mirror_message() must not be given.
 * `ops` and `owner` (which may be NULL) have to outlive it. Returns NULL, with a
 * cause appended, if memory is short.
 */
struct mirror *mirror_create(bt_self_message_iterator *self_iterator,
		const struct mirror_ops *ops, void *owner);

/* Calls `*_gone` for all that is left. NULL is fine. */
void mirror_destroy(struct mirror *mirror);

/* Looks at a message; makes no output, keeps no reference to the message. */
enum status mirror_observe(struct mirror *mirror,
		const bt_message *message);

/*
 * Makes the output message of `message` in `*output`, which the caller then
 * owns; NULL if the owner dropped it. Keeps no reference to `message`.
 */
enum status mirror_message(struct mirror *mirror,
		const bt_message *message, const bt_message **output);

/*
 * Forgets where the streams are: their current packets. To be called when
 * the input goes back to its beginning. Classes, traces and streams stay
 * mapped, so that what is downstream meets the same objects again, as it
 * would with src.ctf.fs.
 */
void mirror_rewind(struct mirror *mirror);

/* The same as the next one, of a static array of 8-bit integers. */
void mirror_set_array(bt_field *field, const char *text, size_t length);

/*
 * Sets a text field: a string, or a static array of 8-bit integers, whose
 * rest is set to 0 and which cuts what is too long so that its last element
 * is 0. `text` need not end in a NUL.
 */
static inline enum status mirror_set_text(bt_field *field,
		const char *text, size_t length)
{
	if (bt_field_get_class_type(field) != BT_FIELD_CLASS_TYPE_STRING) {
		mirror_set_array(field, text, length);
		return STATUS_OK;
	}

	bt_field_string_clear(field);
	return bt_field_string_append_with_length(field, text, length) ==
			BT_FIELD_STRING_APPEND_STATUS_OK ?
		STATUS_OK : STATUS_MEMORY_ERROR;
}

/*
 * Gets the text of a string or of an array of 8-bit integers, be its length
 * fixed or not: points `*text` into the field, or into `buffer` in the latter case, and sets
 * `*length` (up to the first NUL or the end of the buffer). The text is not
 * terminated. False: the field is not text.
 *
 * Goes by bt_field_string_get_length(): bt_field_string_get_value() of an
 * empty text array is an earlier event's text in babeltrace2 2.0.4.
 */
bool mirror_get_text(const bt_field *field, char *buffer, size_t size,
		const char **text, size_t *length);

#endif /* COMMCACHE_PLUGIN_IR_MIRROR_H */
