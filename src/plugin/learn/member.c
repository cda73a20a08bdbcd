/* SPDX-License-Identifier: MIT */
#include "member.h"

#include <string.h>

#include "ir/mirror.h"

const bt_field_class *learn_scope_class(const struct learn_classes *classes,
		enum learn_scope scope)
{
	if (scope == LEARN_COMMON_CONTEXT)
		return bt_stream_class_borrow_event_common_context_field_class_const(
			classes->stream_class);
	if (!classes->event_class)
		return NULL;
	return scope == LEARN_SPECIFIC_CONTEXT ?
		bt_event_class_borrow_specific_context_field_class_const(
			classes->event_class) :
		bt_event_class_borrow_payload_field_class_const(
			classes->event_class);
}

static bool is_array(bt_field_class_type type)
{
	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY);
}

static bool is_integer(bt_field_class_type type)
{
	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER);
}

enum learn_reader learn_reader_of(const bt_field_class *field_class)
{
	const bt_field_class_type type = bt_field_class_get_type(field_class);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return LEARN_SIGNED;
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return LEARN_UNSIGNED;
	if (type == BT_FIELD_CLASS_TYPE_STRING)
		return LEARN_TEXT;
	if (is_array(type)) {
		const bt_field_class *element =
			bt_field_class_array_borrow_element_field_class_const(
				field_class);

		if (!is_integer(bt_field_class_get_type(element)))
			return LEARN_ABSENT;
		return bt_field_class_integer_get_field_value_range(element)
			== 8 ? LEARN_CHARACTERS : LEARN_INTEGERS;
	}
	return LEARN_ABSENT;
}

bool learn_class_holds_id(const bt_field_class *field_class)
{
	bt_field_class_integer_preferred_display_base base;
	uint64_t bits;

	if (!is_integer(bt_field_class_get_type(field_class)))
		return false;
	/* Ids are printed in decimal everywhere, pointers hardly anywhere. */
	base = bt_field_class_integer_get_preferred_display_base(field_class);
	if (base != BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_DECIMAL)
		return false;
	/* 64 unsigned bits: clone's child_tid in some versions of LTTng. */
	bits = bt_field_class_integer_get_field_value_range(field_class);
	return bits >= 16 && !(bits == 64 &&
		learn_reader_of(field_class) == LEARN_UNSIGNED);
}

bool learn_class_holds_comm(const bt_field_class *field_class)
{
	const enum learn_reader reader = learn_reader_of(field_class);

	return reader == LEARN_TEXT || reader == LEARN_CHARACTERS;
}

struct learn_ref learn_ref_at(const struct learn_classes *classes,
		enum learn_scope scope, uint64_t index)
{
	const bt_field_class_structure_member *member =
		bt_field_class_structure_borrow_member_by_index_const(
			learn_scope_class(classes, scope), index);
	struct learn_ref ref = {
		.reader = learn_reader_of(
			bt_field_class_structure_member_borrow_field_class_const(
				member)),
		.scope = scope,
		.index = index,
	};

	return ref;
}

static bool find_in(const struct learn_classes *classes, enum learn_scope scope,
		const char *name, struct learn_ref *ref)
{
	const bt_field_class *structure = learn_scope_class(classes, scope);
	uint64_t count, i;

	if (!structure)
		return false;
	count = bt_field_class_structure_get_member_count(structure);
	for (i = 0; i < count && i <= UINT16_MAX; i++) {
		if (strcmp(bt_field_class_structure_member_get_name(
				bt_field_class_structure_borrow_member_by_index_const(
					structure, i)), name) != 0)
			continue;
		*ref = learn_ref_at(classes, scope, i);
		return ref->reader != LEARN_ABSENT;
	}
	return false;
}

struct learn_ref learn_ref_find(const struct learn_classes *classes,
		const char *name)
{
	static const char context[] = "ctx:";
	struct learn_ref ref = { .reader = LEARN_ABSENT };

	if (strncmp(name, context, sizeof(context) - 1) == 0) {
		name += sizeof(context) - 1;
		if (find_in(classes, LEARN_SPECIFIC_CONTEXT, name, &ref) ||
				find_in(classes, LEARN_COMMON_CONTEXT, name,
					&ref))
			return ref;
	} else if (find_in(classes, LEARN_PAYLOAD, name, &ref)) {
		return ref;
	}
	ref.reader = LEARN_ABSENT;
	return ref;
}

unsigned int learn_ref_ids(const struct learn_ref *ref, const bt_event *event,
		int64_t *ids, unsigned int size)
{
	const bt_field *array;
	uint64_t length, i;

	if (ref->reader != LEARN_INTEGERS)
		return 0;
	array = learn_ref_field(ref, event);
	length = bt_field_array_get_length(array);
	if (length > size)
		length = size;
	for (i = 0; i < length; i++) {
		const bt_field *element =
			bt_field_array_borrow_element_field_by_index_const(
				array, i);
		const bt_field_class_type type =
			bt_field_get_class_type(element);

		ids[i] = learn_checked_id(bt_field_class_type_is(type,
				BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ?
			bt_field_integer_signed_get_value(element) :
			(int64_t) bt_field_integer_unsigned_get_value(element));
	}
	return length;
}

bool learn_ref_comm(const struct learn_ref *ref, const bt_event *event,
		struct commcache_comm *comm)
{
	char buffer[COMMCACHE_COMM_LEN];
	const char *text;
	size_t length;

	if (ref->reader != LEARN_TEXT && ref->reader != LEARN_CHARACTERS)
		return false;
	if (!mirror_get_text(learn_ref_field(ref, event), buffer,
			sizeof(buffer), &text, &length))
		return false;
	if (length > COMMCACHE_COMM_LEN - 1)
		length = COMMCACHE_COMM_LEN - 1;
	comm->half[0] = 0;
	comm->half[1] = 0;
	memcpy(comm->str, text, length);
	return true;
}

const char *learn_ref_text(const struct learn_ref *ref, const bt_event *event,
		uint64_t *length)
{
	const bt_field *field;

	if (ref->reader != LEARN_TEXT)
		return NULL;
	field = learn_ref_field(ref, event);
	/* The length, always: see mirror_get_text(). */
	*length = bt_field_string_get_length(field);
	return bt_field_string_get_value(field);
}
