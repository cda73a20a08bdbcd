/* SPDX-License-Identifier: MIT */
#include "ir/field-class.h"

#include <inttypes.h>

#include "ir/location.h"
#include "ir/mip.h"

/* False: no memory. */
static bool make_children(struct copy_plan *plan, uint64_t count)
{
	plan->children = g_try_new0(struct copy_plan, count);
	if (!plan->children && count > 0)
		return false;
	plan->child_count = count;
	return true;
}

static void set_integer_properties(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class *out)
{
	bt_field_class_integer_set_field_value_range(out,
		bt_field_class_integer_get_field_value_range(in));
	bt_field_class_integer_set_preferred_display_base(out,
		bt_field_class_integer_get_preferred_display_base(in));
	mirror->mip->copy_integer_class(in, out);
}

static enum status add_unsigned_mappings(const bt_field_class *in,
		bt_field_class *out)
{
	uint64_t count = bt_field_class_enumeration_get_mapping_count(in);
	uint64_t i;

	for (i = 0; i < count; i++) {
		const bt_field_class_enumeration_unsigned_mapping *mapping =
			bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(
				in, i);
		bt_field_class_enumeration_add_mapping_status status =
			bt_field_class_enumeration_unsigned_add_mapping(out,
				bt_field_class_enumeration_mapping_get_label(
					bt_field_class_enumeration_unsigned_mapping_as_mapping_const(
						mapping)),
				bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(
					mapping));

		if (status != BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK)
			return STATUS_MEMORY_ERROR;
	}

	return STATUS_OK;
}

static enum status add_signed_mappings(const bt_field_class *in,
		bt_field_class *out)
{
	uint64_t count = bt_field_class_enumeration_get_mapping_count(in);
	uint64_t i;

	for (i = 0; i < count; i++) {
		const bt_field_class_enumeration_signed_mapping *mapping =
			bt_field_class_enumeration_signed_borrow_mapping_by_index_const(
				in, i);
		bt_field_class_enumeration_add_mapping_status status =
			bt_field_class_enumeration_signed_add_mapping(out,
				bt_field_class_enumeration_mapping_get_label(
					bt_field_class_enumeration_signed_mapping_as_mapping_const(
						mapping)),
				bt_field_class_enumeration_signed_mapping_borrow_ranges_const(
					mapping));

		if (status != BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK)
			return STATUS_MEMORY_ERROR;
	}

	return STATUS_OK;
}

/* What only one version of the protocol has. */
static enum status mirror_other(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	enum status status = mirror->mip->make_other(mirror, in, out,
		plan);

	if (status == STATUS_OK && !*out) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			mirror->self_iterator,
			"Unknown type of field class: %" PRIu64,
			(uint64_t) bt_field_class_get_type(in));
		return STATUS_ERROR;
	}

	return status;
}

/* Scalars, strings: what has no class below. */
static enum status mirror_simple(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	bt_trace_class *trace_class = mirror->trace_class;
	bt_field_class_type type = bt_field_class_get_type(in);
	enum status status = STATUS_OK;

	switch (type) {
	case BT_FIELD_CLASS_TYPE_BOOL:
		plan->kind = COPY_BOOL;
		*out = bt_field_class_bool_create(trace_class);
		break;
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
		plan->kind = COPY_BIT_ARRAY;
		*out = bt_field_class_bit_array_create(trace_class,
			bt_field_class_bit_array_get_length(in));
		break;
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
		plan->kind = COPY_UNSIGNED;
		*out = bt_field_class_integer_unsigned_create(trace_class);
		break;
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
		plan->kind = COPY_SIGNED;
		*out = bt_field_class_integer_signed_create(trace_class);
		break;
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		plan->kind = COPY_UNSIGNED;
		*out = bt_field_class_enumeration_unsigned_create(trace_class);
		break;
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		plan->kind = COPY_SIGNED;
		*out = bt_field_class_enumeration_signed_create(trace_class);
		break;
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
		plan->kind = COPY_SINGLE;
		*out = bt_field_class_real_single_precision_create(trace_class);
		break;
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		plan->kind = COPY_DOUBLE;
		*out = bt_field_class_real_double_precision_create(trace_class);
		break;
	case BT_FIELD_CLASS_TYPE_STRING:
		plan->kind = COPY_STRING;
		*out = bt_field_class_string_create(trace_class);
		break;
	default:
		return mirror_other(mirror, in, out, plan);
	}

	if (!*out)
		return STATUS_MEMORY_ERROR;
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER))
		set_integer_properties(mirror, in, *out);
	if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION)
		status = add_unsigned_mappings(in, *out);
	else if (type == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION)
		status = add_signed_mappings(in, *out);
	else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY &&
			!mirror->mip->copy_bit_array_class(in, *out))
		status = STATUS_MEMORY_ERROR;
	return status;
}

/* The one element of an array or an option. The caller owns `*out`. */
static enum status mirror_element(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	enum status status;

	mirror->opaque++;
	if (!make_children(plan, 1))
		return STATUS_MEMORY_ERROR;
	status = field_class_mirror_any(mirror, in, out, plan->children);
	mirror->opaque--;
	return status;
}

static enum status mirror_array(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	bt_field_class *element = NULL;
	enum status status;

	status = mirror_element(mirror,
		bt_field_class_array_borrow_element_field_class_const(in),
		&element, plan);
	if (status != STATUS_OK)
		return status;
	if (bt_field_class_get_type(in) == BT_FIELD_CLASS_TYPE_STATIC_ARRAY) {
		plan->kind = COPY_STATIC_ARRAY;
		*out = bt_field_class_array_static_create(mirror->trace_class,
			element, bt_field_class_array_static_get_length(in));
		status = *out ? STATUS_OK : STATUS_MEMORY_ERROR;
	} else {
		plan->kind = COPY_DYNAMIC_ARRAY;
		status = mirror->mip->make_dynamic_array(mirror, in, element,
			out);
	}

	bt_field_class_put_ref(element);
	return status;
}

static enum status mirror_option(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	bt_field_class *content = NULL;
	enum status status;

	plan->kind = COPY_OPTION;
	status = mirror_element(mirror,
		bt_field_class_option_borrow_field_class_const(in), &content,
		plan);
	if (status != STATUS_OK)
		return status;
	status = mirror->mip->make_option(mirror, in, content, out);
	if (status == STATUS_OK && bt_field_class_get_type(in) ==
			BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD)
		bt_field_class_option_with_selector_field_bool_set_selector_is_reversed(
			*out,
			bt_field_class_option_with_selector_field_bool_selector_is_reversed(
				in));
	bt_field_class_put_ref(content);
	return status;
}

/* Appends option `index` of variant `in`, of class `content`, to `out`. */
static int append_variant_option(const bt_field_class *in, uint64_t index,
		bt_field_class *out, bt_field_class *content)
{
	const char *name = bt_field_class_variant_option_get_name(
		bt_field_class_variant_borrow_option_by_index_const(in, index));

	switch (bt_field_class_get_type(in)) {
	case BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD:
		return bt_field_class_variant_with_selector_field_integer_unsigned_append_option(
			out, name, content,
			bt_field_class_variant_with_selector_field_integer_unsigned_option_borrow_ranges_const(
				bt_field_class_variant_with_selector_field_integer_unsigned_borrow_option_by_index_const(
					in, index)));
	case BT_FIELD_CLASS_TYPE_VARIANT_WITH_SIGNED_INTEGER_SELECTOR_FIELD:
		return bt_field_class_variant_with_selector_field_integer_signed_append_option(
			out, name, content,
			bt_field_class_variant_with_selector_field_integer_signed_option_borrow_ranges_const(
				bt_field_class_variant_with_selector_field_integer_signed_borrow_option_by_index_const(
					in, index)));
	default:
		return bt_field_class_variant_without_selector_append_option(
			out, name, content);
	}
}

static enum status mirror_variant_option(
		struct field_class_mirror *mirror, const bt_field_class *in,
		uint64_t index, bt_field_class *out, struct copy_plan *plan)
{
	const bt_field_class_variant_option *option =
		bt_field_class_variant_borrow_option_by_index_const(in, index);
	bt_field_class *content = NULL;
	enum status status;

	status = field_class_mirror_any(mirror,
		bt_field_class_variant_option_borrow_field_class_const(option),
		&content, &plan->children[index]);
	if (status != STATUS_OK)
		goto end;
	if (append_variant_option(in, index, out, content) != 0) {
		status = STATUS_MEMORY_ERROR;
		goto end;
	}

	bt_field_class_variant_option_set_user_attributes(
		bt_field_class_variant_borrow_option_by_index(out, index),
		bt_field_class_variant_option_borrow_user_attributes_const(
			option));

end:
	if (status != STATUS_OK)
		location_append_member_class(mirror->self_iterator,
			bt_field_class_variant_option_get_name(option));
	bt_field_class_put_ref(content);
	return status;
}

static enum status mirror_variant(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	uint64_t count = bt_field_class_variant_get_option_count(in);
	enum status status;
	uint64_t i;

	plan->kind = COPY_VARIANT;
	status = mirror->mip->make_variant(mirror, in, out);
	if (status != STATUS_OK)
		return status;
	if (!make_children(plan, count))
		return STATUS_MEMORY_ERROR;
	mirror->opaque++;
	for (i = 0; i < count && status == STATUS_OK; i++)
		status = mirror_variant_option(mirror, in, i, *out, plan);
	mirror->opaque--;
	return status;
}

enum status field_class_mirror_any(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	bt_field_class_type type = bt_field_class_get_type(in);
	enum status status;

	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		status = structure_class_mirror(mirror, in, out, plan);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		status = mirror_array(mirror, in, out, plan);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
		status = mirror_option(mirror, in, out, plan);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
		status = mirror_variant(mirror, in, out, plan);
	else
		status = mirror_simple(mirror, in, out, plan);
	if (status != STATUS_OK) {
		BT_FIELD_CLASS_PUT_REF_AND_RESET(*out);
		return status;
	}

	bt_field_class_set_user_attributes(*out,
		bt_field_class_borrow_user_attributes_const(in));
	g_hash_table_insert(mirror->made, (gpointer) in, *out);
	return STATUS_OK;
}
