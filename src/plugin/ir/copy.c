/* SPDX-License-Identifier: MIT */
#include "ir/copy.h"

#include <glib.h>
#include <string.h>

void copy_plan_clear(struct copy_plan *plan)
{
	uint32_t i;

	for (i = 0; i < plan->child_count; i++)
		copy_plan_clear(&plan->children[i]);
	g_free(plan->children);
	g_free(plan->slots);
	*plan = (struct copy_plan) { .kind = plan->kind };
}

static enum status copy_string(const bt_field *in, bt_field *out)
{
	bt_field_string_append_status status;

	/*
	 * By the length: see mirror_get_text(). The append is what ends the
	 * text with a NUL, also when nothing is appended: clearing alone
	 * leaves an earlier event's text to whoever reads the value.
	 */
	bt_field_string_clear(out);
	status = bt_field_string_append_with_length(out,
		bt_field_string_get_value(in), bt_field_string_get_length(in));
	return status == BT_FIELD_STRING_APPEND_STATUS_OK ?
		STATUS_OK : STATUS_MEMORY_ERROR;
}

enum status copy_structure(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	return copy_members(plan, context, in, out);
}

static enum status copy_array(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	uint64_t length = bt_field_array_get_length(in);
	enum status status = STATUS_OK;
	uint64_t i;

	if (plan->kind == COPY_DYNAMIC_ARRAY &&
			bt_field_array_dynamic_set_length(out, length) !=
				BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return STATUS_MEMORY_ERROR;
	for (i = 0; i < length && status == STATUS_OK; i++)
		status = copy_any(plan->children, context,
			bt_field_array_borrow_element_field_by_index_const(in, i),
			bt_field_array_borrow_element_field_by_index(out, i));
	return status;
}

static enum status copy_option(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	const bt_field *content = bt_field_option_borrow_field_const(in);

	bt_field_option_set_has_field(out, content != NULL);
	return content ? copy_any(plan->children, context, content,
		bt_field_option_borrow_field(out)) : STATUS_OK;
}

static enum status copy_variant(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	const bt_field *content =
		bt_field_variant_borrow_selected_option_field_const(in);
	uint64_t index;

	if (!content) {
		/* A source that selected nothing: nothing to copy. */
		return STATUS_OK;
	}

	index = bt_field_variant_get_selected_option_index(in);
	(void) bt_field_variant_select_option_by_index(out, index);
	return copy_any(&plan->children[index], context, content,
		bt_field_variant_borrow_selected_option_field(out));
}

#if HAVE_MIP_1
static enum status copy_blob(const struct copy_plan *plan,
		const bt_field *in, bt_field *out)
{
	const uint64_t length = bt_field_blob_get_length(in);

	if (plan->kind == COPY_DYNAMIC_BLOB &&
			bt_field_blob_dynamic_set_length(out, length) !=
				BT_FIELD_DYNAMIC_BLOB_SET_LENGTH_STATUS_OK)
		return STATUS_MEMORY_ERROR;
	if (length > 0)
		memcpy(bt_field_blob_get_data(out),
			bt_field_blob_get_data_const(in), length);
	return STATUS_OK;
}
#endif

enum status copy_other(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	switch (plan->kind) {
	case COPY_STRING:
		return copy_string(in, out);
	case COPY_BOOL:
		bt_field_bool_set_value(out, bt_field_bool_get_value(in));
		return STATUS_OK;
	case COPY_BIT_ARRAY:
		bt_field_bit_array_set_value_as_integer(out,
			bt_field_bit_array_get_value_as_integer(in));
		return STATUS_OK;
	case COPY_SINGLE:
		bt_field_real_single_precision_set_value(out,
			bt_field_real_single_precision_get_value(in));
		return STATUS_OK;
	case COPY_DOUBLE:
		bt_field_real_double_precision_set_value(out,
			bt_field_real_double_precision_get_value(in));
		return STATUS_OK;
	case COPY_STRUCTURE:
		return copy_structure(plan, context, in, out);
	case COPY_OPTION:
		return copy_option(plan, context, in, out);
	case COPY_VARIANT:
		return copy_variant(plan, context, in, out);
#if HAVE_MIP_1
	case COPY_STATIC_BLOB:
	case COPY_DYNAMIC_BLOB:
		return copy_blob(plan, in, out);
#endif
	default:
		return copy_array(plan, context, in, out);
	}
}
