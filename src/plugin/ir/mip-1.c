/* SPDX-License-Identifier: MIT */
/*
 * Version 1: namespaces and UIDs, which are texts, more properties, BLOBs, and
 * links that name the other field by its location.
 */
#include "ir/mip.h"

static bool copy_clock_identity(const bt_clock_class *in, bt_clock_class *out)
{
	const char *ns = bt_clock_class_get_namespace(in);
	const char *uid = bt_clock_class_get_uid(in);

	return (!ns || bt_clock_class_set_namespace(out, ns) ==
			BT_CLOCK_CLASS_SET_NAMESPACE_STATUS_OK) &&
		(!uid || bt_clock_class_set_uid(out, uid) ==
			BT_CLOCK_CLASS_SET_UID_STATUS_OK);
}

static bool copy_clock_origin(const bt_clock_class *in, bt_clock_class *out)
{
	if (!bt_clock_class_origin_is_known(in)) {
		bt_clock_class_set_origin_unknown(out);
		return true;
	}

	if (bt_clock_class_origin_is_unix_epoch(in)) {
		bt_clock_class_set_origin_unix_epoch(out);
		return true;
	}

	return bt_clock_class_set_origin(out,
			bt_clock_class_get_origin_namespace(in),
			bt_clock_class_get_origin_name(in),
			bt_clock_class_get_origin_uid(in)) ==
		BT_CLOCK_CLASS_SET_ORIGIN_STATUS_OK;
}

static bool copy_clock_class(const bt_clock_class *in, bt_clock_class *out)
{
	uint64_t cycles;

	if (bt_clock_class_get_opt_precision(in, &cycles) ==
			BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_clock_class_set_precision(out, cycles);
	if (bt_clock_class_get_accuracy(in, &cycles) ==
			BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_clock_class_set_accuracy(out, cycles);
	return copy_clock_origin(in, out) && copy_clock_identity(in, out);
}

static bool copy_trace(const bt_trace *in, bt_trace *out)
{
	const char *ns = bt_trace_get_namespace(in);
	const char *uid = bt_trace_get_uid(in);

	return (!ns || bt_trace_set_namespace(out, ns) ==
			BT_TRACE_SET_NAMESPACE_STATUS_OK) &&
		(!uid || bt_trace_set_uid(out, uid) ==
			BT_TRACE_SET_UID_STATUS_OK);
}

static bool copy_stream_class(const bt_stream_class *in, bt_stream_class *out)
{
	const char *ns = bt_stream_class_get_namespace(in);
	const char *uid = bt_stream_class_get_uid(in);

	return (!ns || bt_stream_class_set_namespace(out, ns) ==
			BT_STREAM_CLASS_SET_NAMESPACE_STATUS_OK) &&
		(!uid || bt_stream_class_set_uid(out, uid) ==
			BT_STREAM_CLASS_SET_UID_STATUS_OK);
}

static bool copy_event_class(const bt_event_class *in, bt_event_class *out)
{
	const char *ns = bt_event_class_get_namespace(in);
	const char *uid = bt_event_class_get_uid(in);

	return (!ns || bt_event_class_set_namespace(out, ns) ==
			BT_EVENT_CLASS_SET_NAMESPACE_STATUS_OK) &&
		(!uid || bt_event_class_set_uid(out, uid) ==
			BT_EVENT_CLASS_SET_UID_STATUS_OK);
}

static void copy_integer_class(const bt_field_class *in, bt_field_class *out)
{
	bt_field_class_integer_set_field_value_hints(out,
		bt_field_class_integer_get_field_value_hints(in));
}

static bool copy_bit_array_class(const bt_field_class *in, bt_field_class *out)
{
	uint64_t count = bt_field_class_bit_array_get_flag_count(in);
	uint64_t i;

	for (i = 0; i < count; i++) {
		const bt_field_class_bit_array_flag *flag =
			bt_field_class_bit_array_borrow_flag_by_index_const(in,
				i);

		if (bt_field_class_bit_array_add_flag(out,
				bt_field_class_bit_array_flag_get_label(flag),
				bt_field_class_bit_array_flag_borrow_index_ranges_const(
					flag)) !=
				BT_FIELD_CLASS_BIT_ARRAY_ADD_FLAG_STATUS_OK)
			return false;
	}

	return true;
}

/*
 * The same location in the output, where each member has its name; the caller
 * owns it. NULL: no memory.
 */
static bt_field_location *copy_location(struct field_class_mirror *mirror,
		const bt_field_location *in)
{
	uint64_t count = bt_field_location_get_item_count(in);
	const char **items = g_try_new(const char *, count);
	bt_field_location *out = NULL;
	uint64_t i;

	if (items) {
		for (i = 0; i < count; i++)
			items[i] = bt_field_location_get_item_by_index(in, i);
		out = bt_field_location_create(mirror->trace_class,
			bt_field_location_get_root_scope(in), items, count);
	}

	g_free(items);
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
	bt_field_location *length;

	if (bt_field_class_get_type(in) !=
			BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD) {
		*out = bt_field_class_array_dynamic_without_length_field_location_create(
			mirror->trace_class, element);
		return made(*out);
	}

	length = copy_location(mirror,
		bt_field_class_array_dynamic_with_length_field_borrow_length_field_location_const(
			in));
	if (length)
		*out = bt_field_class_array_dynamic_with_length_field_location_create(
			mirror->trace_class, element, length);
	bt_field_location_put_ref(length);
	return made(*out);
}

static bt_field_class *create_option(bt_trace_class *trace_class,
		const bt_field_class *in, bt_field_class *content,
		const bt_field_location *selector)
{
	switch (bt_field_class_get_type(in)) {
	case BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD:
		return bt_field_class_option_with_selector_field_location_bool_create(
			trace_class, content, selector);
	case BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD:
		return bt_field_class_option_with_selector_field_location_integer_unsigned_create(
			trace_class, content, selector,
			bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
				in));
	default:
		return bt_field_class_option_with_selector_field_location_integer_signed_create(
			trace_class, content, selector,
			bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(
				in));
	}
}

static enum status make_option(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class *content,
		bt_field_class **out)
{
	bt_field_location *selector;

	if (!bt_field_class_type_is(bt_field_class_get_type(in),
			BT_FIELD_CLASS_TYPE_OPTION_WITH_SELECTOR_FIELD)) {
		*out = bt_field_class_option_without_selector_field_location_create(
			mirror->trace_class, content);
		return made(*out);
	}

	selector = copy_location(mirror,
		bt_field_class_option_with_selector_field_borrow_selector_field_location_const(
			in));
	if (selector)
		*out = create_option(mirror->trace_class, in, content,
			selector);
	bt_field_location_put_ref(selector);
	return made(*out);
}

static enum status make_variant(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out)
{
	bt_field_class_type type = bt_field_class_get_type(in);
	bt_field_location *selector;

	if (!bt_field_class_type_is(type,
			BT_FIELD_CLASS_TYPE_VARIANT_WITH_SELECTOR_FIELD)) {
		*out = bt_field_class_variant_without_selector_field_location_create(
			mirror->trace_class);
		return made(*out);
	}

	selector = copy_location(mirror,
		bt_field_class_variant_with_selector_field_borrow_selector_field_location_const(
			in));
	if (selector)
		*out = type ==
				BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD ?
			bt_field_class_variant_with_selector_field_location_integer_unsigned_create(
				mirror->trace_class, selector) :
			bt_field_class_variant_with_selector_field_location_integer_signed_create(
				mirror->trace_class, selector);
	bt_field_location_put_ref(selector);
	return made(*out);
}

static bt_field_class *create_linked_blob(struct field_class_mirror *mirror,
		const bt_field_class *in)
{
	bt_field_location *length = copy_location(mirror,
		bt_field_class_blob_dynamic_with_length_field_borrow_length_field_location_const(
			in));
	bt_field_class *out = NULL;

	if (length)
		out = bt_field_class_blob_dynamic_with_length_field_location_create(
			mirror->trace_class, length);
	bt_field_location_put_ref(length);
	return out;
}

static enum status make_other(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	const char *media_type;

	switch (bt_field_class_get_type(in)) {
	case BT_FIELD_CLASS_TYPE_STATIC_BLOB:
		plan->kind = COPY_STATIC_BLOB;
		*out = bt_field_class_blob_static_create(mirror->trace_class,
			bt_field_class_blob_static_get_length(in));
		break;
	case BT_FIELD_CLASS_TYPE_DYNAMIC_BLOB_WITHOUT_LENGTH_FIELD:
		plan->kind = COPY_DYNAMIC_BLOB;
		*out = bt_field_class_blob_dynamic_without_length_field_location_create(
			mirror->trace_class);
		break;
	case BT_FIELD_CLASS_TYPE_DYNAMIC_BLOB_WITH_LENGTH_FIELD:
		plan->kind = COPY_DYNAMIC_BLOB;
		*out = create_linked_blob(mirror, in);
		break;
	default:
		return STATUS_OK;
	}

	media_type = bt_field_class_blob_get_media_type(in);
	if (*out && media_type && bt_field_class_blob_set_media_type(*out,
			media_type) !=
			BT_FIELD_CLASS_BLOB_SET_MEDIA_TYPE_STATUS_OK)
		BT_FIELD_CLASS_PUT_REF_AND_RESET(*out);
	return made(*out);
}

const struct mip mip_1 = {
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
