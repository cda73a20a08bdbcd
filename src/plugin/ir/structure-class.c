/* SPDX-License-Identifier: MIT */
#include "ir/field-class.h"

#include "ir/location.h"

static enum status append_member(bt_field_class *structure,
		const char *name, bt_field_class *member_class,
		const bt_value *user_attributes)
{
	uint64_t index = bt_field_class_structure_get_member_count(structure);

	if (bt_field_class_structure_append_member(structure, name,
			member_class) !=
			BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK)
		return STATUS_MEMORY_ERROR;
	if (user_attributes)
		bt_field_class_structure_member_set_user_attributes(
			bt_field_class_structure_borrow_member_by_index(
				structure, index),
			user_attributes);
	return STATUS_OK;
}

static enum status create_added_class(struct field_class_mirror *mirror,
		const struct mirror_member *added,
		const bt_field_class *replaced, bt_field_class **out)
{
	struct copy_plan unused = { 0 };
	enum status status;

	if (added->type == MIRROR_AS_REPLACED) {
		/* The owner sets it: its plan is of no use. */
		status = field_class_mirror_any(mirror, replaced, out, &unused);
		copy_plan_clear(&unused);
		return status;
	}

	if (added->type == MIRROR_STRING)
		*out = bt_field_class_string_create(mirror->trace_class);
	else if (added->type == MIRROR_SIGNED)
		*out = bt_field_class_integer_signed_create(
			mirror->trace_class);
	else
		*out = bt_field_class_integer_unsigned_create(
			mirror->trace_class);
	if (!*out)
		return STATUS_MEMORY_ERROR;
	if (added->type != MIRROR_STRING && added->bits != 0)
		bt_field_class_integer_set_field_value_range(*out, added->bits);
	if (added->type != MIRROR_STRING && added->base != 0)
		bt_field_class_integer_set_preferred_display_base(*out,
			added->base);
	return STATUS_OK;
}

/* `replaced` is NULL if none is. */
static enum status append_added(struct field_class_mirror *mirror,
		const struct mirror_member *added,
		const bt_field_class_structure_member *replaced,
		bt_field_class *out, struct copy_plan *plan)
{
	bt_field_class *member_class = NULL;
	enum status status;

	plan->slots[plan->slot_count] = (struct copy_slot) {
		.out_index = bt_field_class_structure_get_member_count(out),
		.slot = added->slot,
	};
	status = create_added_class(mirror, added, replaced ?
		bt_field_class_structure_member_borrow_field_class_const(
			replaced) : NULL, &member_class);
	if (status == STATUS_OK)
		status = append_member(out, added->name, member_class,
			added->type == MIRROR_AS_REPLACED ?
			bt_field_class_structure_member_borrow_user_attributes_const(
				replaced) : NULL);
	bt_field_class_put_ref(member_class);
	if (status != STATUS_OK) {
		location_append_member_class(mirror->self_iterator,
			added->name);
		return status;
	}

	plan->slot_count++;
	return STATUS_OK;
}

static enum status append_all_added(struct field_class_mirror *mirror,
		enum mirror_place place, uint64_t index, bt_field_class *out,
		struct copy_plan *plan)
{
	const struct mirror_member *added;
	enum status status = STATUS_OK;
	guint position = 0;

	if (!mirror->request || mirror->opaque)
		return STATUS_OK;
	while (status == STATUS_OK && (added = request_next(
			mirror->request, &mirror->here, place, index,
			&position)))
		status = append_added(mirror, added, NULL, out, plan);
	return status;
}

static const struct mirror_member *find_replacing(
		const struct field_class_mirror *mirror, uint64_t index)
{
	guint position = 0;

	if (!mirror->request || mirror->opaque)
		return NULL;
	return request_next(mirror->request, &mirror->here, MIRROR_REPLACE,
		index, &position);
}

static enum status append_copied(struct field_class_mirror *mirror,
		const bt_field_class_structure_member *in_member,
		uint64_t index, bt_field_class *out, struct copy_plan *plan)
{
	const char *name = bt_field_class_structure_member_get_name(in_member);
	struct copy_plan *child = &plan->children[plan->child_count++];
	/* Deeper than a path can be, nothing is added. */
	bool too_deep = mirror->here.path_length == MIRROR_PATH_MAX;
	bt_field_class *member_class = NULL;
	enum status status;

	child->in_index = index;
	child->out_index = bt_field_class_structure_get_member_count(out);
	if (too_deep)
		mirror->opaque++;
	else
		mirror->here.path[mirror->here.path_length++] = index;
	status = field_class_mirror_any(mirror,
		bt_field_class_structure_member_borrow_field_class_const(
			in_member), &member_class, child);
	if (too_deep)
		mirror->opaque--;
	else
		mirror->here.path_length--;
	if (status == STATUS_OK)
		status = append_member(out, name, member_class,
			bt_field_class_structure_member_borrow_user_attributes_const(
				in_member));
	if (status != STATUS_OK)
		location_append_member_class(mirror->self_iterator, name);
	bt_field_class_put_ref(member_class);
	return status;
}

/* `in` is NULL if there is none. */
static enum status append_members(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class *out,
		struct copy_plan *plan)
{
	uint64_t count = in ?
		bt_field_class_structure_get_member_count(in) : 0;
	guint slot_count = mirror->request ? mirror->request->members->len : 0;
	enum status status;
	uint64_t i;

	plan->children = g_try_new0(struct copy_plan, count);
	plan->slots = g_try_new0(struct copy_slot, slot_count);
	if ((!plan->children && count > 0) ||
			(!plan->slots && slot_count > 0))
		return STATUS_MEMORY_ERROR;
	for (i = 0; i < count; i++) {
		const bt_field_class_structure_member *in_member =
			bt_field_class_structure_borrow_member_by_index_const(
				in, i);
		const struct mirror_member *replacing =
			find_replacing(mirror, i);

		status = replacing ?
			append_added(mirror, replacing, in_member, out, plan) :
			append_copied(mirror, in_member, i, out, plan);
		if (status == STATUS_OK)
			status = append_all_added(mirror, MIRROR_AFTER, i, out,
				plan);
		if (status != STATUS_OK)
			return status;
	}

	return append_all_added(mirror, MIRROR_AT_END, 0, out, plan);
}

enum status structure_class_mirror(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	enum status status;

	plan->kind = COPY_STRUCTURE;
	*out = bt_field_class_structure_create(mirror->trace_class);
	if (!*out)
		return STATUS_MEMORY_ERROR;
	status = append_members(mirror, in, *out, plan);
	if (status != STATUS_OK)
		BT_FIELD_CLASS_PUT_REF_AND_RESET(*out);
	return status;
}

enum status structure_class_mirror_root(
		struct field_class_mirror *mirror, enum mirror_scope scope,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan)
{
	mirror->here = (struct mirror_member) { .scope = scope };
	return in ? field_class_mirror_any(mirror, in, out, plan) :
		structure_class_mirror(mirror, NULL, out, plan);
}
