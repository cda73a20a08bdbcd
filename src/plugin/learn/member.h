/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_MEMBER_H
#define COMMCACHE_PLUGIN_LEARN_MEMBER_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

#include <commcache/cache.h>
#include <commcache/history.h>

/*
 * Members of an event: found by name once for each event class, then read by
 * index.
 */

enum learn_scope {
	LEARN_COMMON_CONTEXT,
	LEARN_SPECIFIC_CONTEXT,
	LEARN_PAYLOAD,
	LEARN_SCOPES,
};

enum learn_reader {
	LEARN_ABSENT,
	LEARN_SIGNED,
	LEARN_UNSIGNED,
	LEARN_TEXT,
	/* An array of 8-bit integers that is text. */
	LEARN_CHARACTERS,
	/* An array of integers. */
	LEARN_INTEGERS,
};

/* Where a member is, and how it is read. */
struct learn_ref {
	uint8_t reader;
	uint8_t scope;
	uint16_t index;
};

/* An id that is none: no such member, a pointer, a sentinel. */
#define LEARN_NO_ID	(-1)

/* The classes that an event's members are found in. */
struct learn_classes {
	const bt_stream_class *stream_class;
	/* NULL: only what all events of the stream class have. */
	const bt_event_class *event_class;
};

/* The structure of a scope; NULL if there is none. */
const bt_field_class *learn_scope_class(const struct learn_classes *classes,
		enum learn_scope scope);

/*
 * The structure itself, of an event; NULL if there is none. Inline, as what
 * reads a member: several are read of each event.
 */
static inline const bt_field *learn_scope_field(const bt_event *event,
		enum learn_scope scope)
{
	switch (scope) {
	case LEARN_COMMON_CONTEXT:
		return bt_event_borrow_common_context_field_const(event);
	case LEARN_SPECIFIC_CONTEXT:
		return bt_event_borrow_specific_context_field_const(event);
	case LEARN_PAYLOAD:
		return bt_event_borrow_payload_field_const(event);
	default:
		return NULL;
	}
}

/* How a member of this class is read; LEARN_ABSENT: in no way known here. */
enum learn_reader learn_reader_of(const bt_field_class *field_class);

/* Whether members of this class can hold ids: integers, but not pointers. */
bool learn_class_holds_id(const bt_field_class *field_class);

/* Whether members of this class can hold a comm. */
bool learn_class_holds_comm(const bt_field_class *field_class);

/*
 * The member of that name; "ctx:NAME" is looked up in the specific, then in
 * the common context, other names in the payload. reader is LEARN_ABSENT if
 * it is not there or in no form that can be read.
 */
struct learn_ref learn_ref_find(const struct learn_classes *classes,
		const char *name);

/* The member of that index of a scope's structure, which has it. */
struct learn_ref learn_ref_at(const struct learn_classes *classes,
		enum learn_scope scope, uint64_t index);

/* Never called with a reference that is LEARN_ABSENT. */
static inline const bt_field *learn_ref_field(const struct learn_ref *ref,
		const bt_event *event)
{
	return bt_field_structure_borrow_member_field_by_index_const(
		learn_scope_field(event, (enum learn_scope) ref->scope),
		ref->index);
}

/* An integer; false if the member is none. */
static inline bool learn_ref_integer(const struct learn_ref *ref,
		const bt_event *event, int64_t *value)
{
	switch (ref->reader) {
	case LEARN_SIGNED:
		*value = bt_field_integer_signed_get_value(
			learn_ref_field(ref, event));
		return true;
	case LEARN_UNSIGNED:
		*value = (int64_t) bt_field_integer_unsigned_get_value(
			learn_ref_field(ref, event));
		return true;
	default:
		return false;
	}
}

static inline int64_t learn_checked_id(int64_t value)
{
	return value >= 0 && value <= COMMCACHE_HISTORY_TID_MAX ? value : LEARN_NO_ID;
}

/* An id, or LEARN_NO_ID. */
static inline int64_t learn_ref_id(const struct learn_ref *ref,
		const bt_event *event)
{
	int64_t value;

	return learn_ref_integer(ref, event, &value) ?
		learn_checked_id(value) : LEARN_NO_ID;
}

/* The ids of an array: how many were put into `ids`, at most `size`. */
unsigned int learn_ref_ids(const struct learn_ref *ref, const bt_event *event,
		int64_t *ids, unsigned int size);

/* False: no such member. The comm is cut to its length and zero-padded. */
bool learn_ref_comm(const struct learn_ref *ref, const bt_event *event,
		struct commcache_comm *comm);

/*
 * The text of a member, not terminated, valid as long as the event. NULL: no
 * such member, or one that is not a string.
 */
const char *learn_ref_text(const struct learn_ref *ref, const bt_event *event,
		uint64_t *length);

#endif /* COMMCACHE_PLUGIN_LEARN_MEMBER_H */
