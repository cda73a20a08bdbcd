/* SPDX-License-Identifier: MIT */
#include "ir/copy.h"

#include <glib.h>
#include <string.h>

#include "ir/location.h"

void copy_plan_clear(struct copy_plan *plan)
{
	uint32_t i;

	for (i = 0; i < plan->child_count; i++) {
		copy_plan_clear(&plan->children[i]);
	}

	g_free(plan->children);
	g_free(plan->slots);
	*plan = (struct copy_plan) { .kind = plan->kind };
}

static enum mirror_status copy_string(const bt_field *in, bt_field *out)
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
		MIRROR_STATUS_OK : MIRROR_STATUS_MEMORY_ERROR;
}

static enum mirror_status copy_compound(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out);

/* Inline, so that a loop over members has the scalars' code in it. */
static inline __attribute__((always_inline))
enum mirror_status copy_any(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	switch (plan->kind) {
	case COPY_UNSIGNED:
		bt_field_integer_unsigned_set_value(out,
			bt_field_integer_unsigned_get_value(in));
		return MIRROR_STATUS_OK;
	case COPY_SIGNED:
		bt_field_integer_signed_set_value(out,
			bt_field_integer_signed_get_value(in));
		return MIRROR_STATUS_OK;
	case COPY_STRING:
		return copy_string(in, out);
	case COPY_BOOL:
		bt_field_bool_set_value(out, bt_field_bool_get_value(in));
		return MIRROR_STATUS_OK;
	case COPY_BIT_ARRAY:
		bt_field_bit_array_set_value_as_integer(out,
			bt_field_bit_array_get_value_as_integer(in));
		return MIRROR_STATUS_OK;
	case COPY_SINGLE:
		bt_field_real_single_precision_set_value(out,
			bt_field_real_single_precision_get_value(in));
		return MIRROR_STATUS_OK;
	case COPY_DOUBLE:
		bt_field_real_double_precision_set_value(out,
			bt_field_real_double_precision_get_value(in));
		return MIRROR_STATUS_OK;
	default:
		return copy_compound(plan, context, in, out);
	}
}

/* Inline, so that an event is one call. */
static inline __attribute__((always_inline))
enum mirror_status copy_members(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	const struct copy_plan *member = plan->children;
	const struct copy_plan *members_end = member + plan->child_count;
	const struct copy_slot *slot = plan->slots;
	const struct copy_slot *slots_end = slot + plan->slot_count;

	for (; member != members_end; member++) {
		enum mirror_status status = copy_any(member, context,
			bt_field_structure_borrow_member_field_by_index_const(
				in, member->in_index),
			bt_field_structure_borrow_member_field_by_index(
				out, member->out_index));

		if (G_UNLIKELY(status != MIRROR_STATUS_OK)) {
			location_append_member(context->self_iterator, in,
				member->in_index);
			return status;
		}
	}

	for (; slot != slots_end; slot++) {
		context->slots[slot->slot] =
			bt_field_structure_borrow_member_field_by_index(out,
				slot->out_index);
	}

	return MIRROR_STATUS_OK;
}

enum mirror_status copy_structure(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	return copy_members(plan, context, in, out);
}

enum mirror_status copy_event(const struct copy_scope *scopes,
		unsigned int scope_count, const struct copy_context *context,
		const bt_event *in, bt_event *out)
{
	const struct copy_scope *scope = scopes;
	const struct copy_scope *end = scopes + scope_count;

	for (; scope != end; scope++) {
		bt_field *out_field = scope->borrow_out(out);
		/* Without an input, the plan has slots only. */
		const bt_field *in_field = scope->borrow_in ?
			scope->borrow_in(in) : out_field;
		enum mirror_status status = copy_members(scope->plan, context,
			in_field, out_field);

		if (G_UNLIKELY(status != MIRROR_STATUS_OK)) {
			BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
				context->self_iterator, "Cannot copy the %s",
				scope->name);
			return status;
		}
	}

	return MIRROR_STATUS_OK;
}

static enum mirror_status copy_array(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	uint64_t length = bt_field_array_get_length(in);
	enum mirror_status status = MIRROR_STATUS_OK;
	uint64_t i;

	if (plan->kind == COPY_DYNAMIC_ARRAY &&
			bt_field_array_dynamic_set_length(out, length) !=
				BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK) {
		return MIRROR_STATUS_MEMORY_ERROR;
	}

	for (i = 0; i < length && status == MIRROR_STATUS_OK; i++) {
		status = copy_any(plan->children, context,
			bt_field_array_borrow_element_field_by_index_const(in, i),
			bt_field_array_borrow_element_field_by_index(out, i));
	}

	return status;
}

static enum mirror_status copy_option(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	const bt_field *content = bt_field_option_borrow_field_const(in);

	bt_field_option_set_has_field(out, content != NULL);
	return content ? copy_any(plan->children, context, content,
		bt_field_option_borrow_field(out)) : MIRROR_STATUS_OK;
}

static enum mirror_status copy_variant(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	const bt_field *content =
		bt_field_variant_borrow_selected_option_field_const(in);
	uint64_t index;

	if (!content) {
		/* A source that selected nothing: nothing to copy. */
		return MIRROR_STATUS_OK;
	}

	index = bt_field_variant_get_selected_option_index(in);
	(void) bt_field_variant_select_option_by_index(out, index);
	return copy_any(&plan->children[index], context, content,
		bt_field_variant_borrow_selected_option_field(out));
}

#if HAVE_MIP_1
static enum mirror_status copy_blob(const struct copy_plan *plan,
		const bt_field *in, bt_field *out)
{
	const uint64_t length = bt_field_blob_get_length(in);

	if (plan->kind == COPY_DYNAMIC_BLOB &&
			bt_field_blob_dynamic_set_length(out, length) !=
				BT_FIELD_DYNAMIC_BLOB_SET_LENGTH_STATUS_OK) {
		return MIRROR_STATUS_MEMORY_ERROR;
	}

	if (length > 0) {
		memcpy(bt_field_blob_get_data(out),
			bt_field_blob_get_data_const(in), length);
	}

	return MIRROR_STATUS_OK;
}
#endif

static enum mirror_status copy_compound(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	switch (plan->kind) {
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
