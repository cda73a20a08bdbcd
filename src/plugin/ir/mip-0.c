/* SPDX-License-Identifier: MIT */
/*
 * Version 0: UUIDs, and links to other field classes, which a path leads to.
 */
#include "ir/mip.h"

static bool copy_clock_class(const bt_clock_class *in, bt_clock_class *out)
{
	bt_clock_class_set_precision(out, bt_clock_class_get_precision(in));
	bt_clock_class_set_origin_is_unix_epoch(out,
		bt_clock_class_origin_is_unix_epoch(in));
	if (bt_clock_class_get_uuid(in))
		bt_clock_class_set_uuid(out, bt_clock_class_get_uuid(in));
	return true;
}

static bool copy_trace(const bt_trace *in, bt_trace *out)
{
	if (bt_trace_get_uuid(in))
		bt_trace_set_uuid(out, bt_trace_get_uuid(in));
	return true;
}

static bool copy_stream_class(const bt_stream_class *in, bt_stream_class *out)
{
	(void) in;
	(void) out;
	return true;
}

static bool copy_event_class(const bt_event_class *in, bt_event_class *out)
{
	(void) in;
	(void) out;
	return true;
}

static void copy_integer_class(const bt_field_class *in, bt_field_class *out)
{
	(void) in;
	(void) out;
}

static bool copy_bit_array_class(const bt_field_class *in, bt_field_class *out)
{
	(void) in;
	(void) out;
	return true;
}

/* One step of a path; NULL: it leads nowhere. */
static const bt_field_class *follow(const bt_field_class *in,
		const bt_field_path_item *item)
{
	bt_field_class_type type = bt_field_class_get_type(in);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		return bt_field_class_array_borrow_element_field_class_const(
			in);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
		return bt_field_class_option_borrow_field_class_const(in);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
		return bt_field_class_variant_option_borrow_field_class_const(
			bt_field_class_variant_borrow_option_by_index_const(in,
				bt_field_path_item_index_get_index(item)));
	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		return bt_field_class_structure_member_borrow_field_class_const(
			bt_field_class_structure_borrow_member_by_index_const(
				in, bt_field_path_item_index_get_index(item)));
	return NULL;
}

/* The output class of the input class to which a field path leads. */
static bt_field_class *find_made(struct field_class_mirror *mirror,
		const bt_field_path *path)
{
	const bt_field_class *in =
		mirror->scopes[bt_field_path_get_root_scope(path)];
	uint64_t count = bt_field_path_get_item_count(path);
	uint64_t i;
	bt_field_class *out;

	for (i = 0; i < count && in; i++)
		in = follow(in,
			bt_field_path_borrow_item_by_index_const(path, i));
	out = in ? g_hash_table_lookup(mirror->made, in) : NULL;
	if (!out)
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			mirror->self_iterator,
			"The field on which the length or the selection depends "
			"is not before it");
	return out;
}

static enum status made(const bt_field_class *out)
{
	return out ? STATUS_OK : STATUS_MEMORY_ERROR;
}

static enum status make_dynamic_array(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class *element,
		bt_field_class **out)
{
	bt_field_class *length = NULL;

	if (bt_field_class_get_type(in) ==
			BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD) {
		length = find_made(mirror,
			bt_field_class_array_dynamic_with_length_field_borrow_length_field_path_const(
				in));
		if (!length)
			return STATUS_ERROR;
	}

	*out = bt_field_class_array_dynamic_create(mirror->trace_class,
		element, length);
	return made(*out);
}

static bt_field_class *create_option(bt_trace_class *trace_class,
		const bt_field_class *in, bt_field_class *content,
		bt_field_class *selector)
{
	switch (bt_field_class_get_type(in)) {
	case BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD:
		return bt_field_class_option_with_selector_field_bool_create(
			trace_class, content, selector);
	case BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD:
		return bt_field_class_option_with_selector_field_integer_unsigned_create(
			trace_class, content, selector,
			bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
				in));
	default:
		return bt_field_class_option_with_selector_field_integer_signed_create(
			trace_class, content, selector,
			bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(
				in));
	}
}

static enum status make_option(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class *content,
		bt_field_class **out)
{
	bt_field_class *selector;

	if (!bt_field_class_type_is(bt_field_class_get_type(in),
			BT_FIELD_CLASS_TYPE_OPTION_WITH_SELECTOR_FIELD)) {
		*out = bt_field_class_option_without_selector_create(
			mirror->trace_class, content);
		return made(*out);
	}

	selector = find_made(mirror,
		bt_field_class_option_with_selector_field_borrow_selector_field_path_const(
			in));
	if (!selector)
		return STATUS_ERROR;
	*out = create_option(mirror->trace_class, in, content, selector);
	return made(*out);
}

static enum status make_variant(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out)
{
	bt_field_class *selector = NULL;

	if (bt_field_class_type_is(bt_field_class_get_type(in),
			BT_FIELD_CLASS_TYPE_VARIANT_WITH_SELECTOR_FIELD)) {
		selector = find_made(mirror,
			bt_field_class_variant_with_selector_field_borrow_selector_field_path_const(
				in));
		if (!selector)
			return STATUS_ERROR;
	}

	*out = bt_field_class_variant_create(mirror->trace_class, selector);
	return made(*out);
}

static enum status make_other(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	(void) mirror;
	(void) in;
	(void) out;
	(void) plan;
	return STATUS_OK;
}

const struct mip mip_0 = {
	.copy_clock_class = copy_clock_class,
	.copy_trace = copy_trace,
	.copy_stream_class = copy_stream_class,
	.copy_event_class = copy_event_class,
	.copy_integer_class = copy_integer_class,
	.copy_bit_array_class = copy_bit_array_class,
	.make_dynamic_array = make_dynamic_array,
	.make_option = make_option,
	.make_variant = make_variant,
	.make_other = make_other,
};
