/* SPDX-License-Identifier: MIT */
#include "ir/request.h"

#include <string.h>

#include "ir/text.h"

static void clear_member(gpointer data)
{
	struct mirror_member *member = data;

	g_free((char *) member->name);
}

void request_init(struct mirror_request *request, struct slot_set *slots)
{
	*request = (struct mirror_request) {
		.members = g_array_new(FALSE, FALSE,
			sizeof(struct mirror_member)),
		.slots = slots,
	};
	g_array_set_clear_func(request->members, clear_member);
}

void request_finish(struct mirror_request *request)
{
	g_array_free(request->members, TRUE);
}

static bool same_structure(const struct mirror_member *a,
		const struct mirror_member *b)
{
	return a->scope == b->scope && a->path_length == b->path_length &&
		memcmp(a->path, b->path,
			a->path_length * sizeof(a->path[0])) == 0;
}

const struct mirror_member *request_next(const struct mirror_request *request,
		const struct mirror_member *structure, enum mirror_place place,
		uint64_t index, guint *position)
{
	while (*position < request->members->len) {
		const struct mirror_member *member = &g_array_index(
			request->members, struct mirror_member, *position);

		(*position)++;
		if (member->place == place &&
				(place == MIRROR_AT_END ||
					member->index == index) &&
				same_structure(member, structure))
			return member;
	}

	return NULL;
}

bool request_has_root(const struct mirror_request *request,
		enum mirror_scope scope)
{
	const struct mirror_member root = { .scope = scope };
	guint position = 0;

	return request_next(request, &root, MIRROR_AT_END, 0, &position);
}

static const bt_field_class *member_class(const bt_field_class *structure,
		uint64_t index)
{
	if (!structure || bt_field_class_get_type(structure) !=
				BT_FIELD_CLASS_TYPE_STRUCTURE ||
			index >= bt_field_class_structure_get_member_count(
				structure))
		return NULL;
	return bt_field_class_structure_member_borrow_field_class_const(
		bt_field_class_structure_borrow_member_by_index_const(
			structure, index));
}

/* The structure a member is to stand in. False: there is none. */
static bool find_structure(const struct mirror_request *request,
		const struct mirror_member *member,
		const bt_field_class **structure)
{
	size_t i;

	if ((unsigned int) member->scope > MIRROR_PAYLOAD ||
			!request->allowed[member->scope] ||
			member->path_length > MIRROR_PATH_MAX)
		return false;
	*structure = request->roots[member->scope];
	for (i = 0; i < member->path_length; i++) {
		*structure = member_class(*structure, member->path[i]);
		if (!*structure || bt_field_class_get_type(*structure) !=
				BT_FIELD_CLASS_TYPE_STRUCTURE)
			return false;
	}

	return true;
}

static bool place_is_good(const struct mirror_request *request,
		const struct mirror_member *member,
		const bt_field_class *structure)
{
	const bt_field_class *there;
	guint position = 0;

	if (member->type == MIRROR_AS_REPLACED &&
			member->place != MIRROR_REPLACE)
		return false;
	switch (member->place) {
	case MIRROR_AT_END:
		return true;
	case MIRROR_AFTER:
		return member_class(structure, member->index) != NULL;
	case MIRROR_REPLACE:
		/*
		 * Text selects nothing and is no length, so that no other
		 * field depends on it.
		 */
		there = member_class(structure, member->index);
		return there && text_is_text_class(there) &&
			!request_next(request, member, MIRROR_REPLACE,
				member->index, &position);
	default:
		return false;
	}
}

/* The name that the member is to have; NULL if it has none. */
static const char *name_of(const struct mirror_member *member,
		const bt_field_class *structure)
{
	if (member->name || member->place != MIRROR_REPLACE)
		return member->name;
	return bt_field_class_structure_member_get_name(
		bt_field_class_structure_borrow_member_by_index_const(
			structure, member->index));
}

static bool name_is_taken(const struct mirror_request *request,
		const struct mirror_member *member,
		const bt_field_class *structure, const char *name)
{
	const bt_field_class_structure_member *there = NULL;
	guint i;

	if (structure)
		there = bt_field_class_structure_borrow_member_by_name_const(
			structure, name);
	if (there && !(member->place == MIRROR_REPLACE && there ==
			bt_field_class_structure_borrow_member_by_index_const(
				structure, member->index)))
		return true;
	for (i = 0; i < request->members->len; i++) {
		const struct mirror_member *other = &g_array_index(
			request->members, struct mirror_member, i);

		if (same_structure(member, other) &&
				strcmp(other->name, name) == 0)
			return true;
	}

	return false;
}

static bool take_slot(struct slot_set *slots, unsigned int slot)
{
	uint64_t bit = UINT64_C(1) << (slot % 64);

	if (slot >= MIRROR_SLOTS_MAX || slots->words[slot / 64] & bit)
		return false;
	slots->words[slot / 64] |= bit;
	return true;
}

/* NULL: no memory. */
static char *copy_name(const char *name)
{
	const size_t size = strlen(name) + 1;
	char *copy = g_try_malloc(size);

	return copy ? memcpy(copy, name, size) : NULL;
}

enum mirror_add_status mirror_add_member(struct mirror_request *request,
		const struct mirror_member *member)
{
	const bt_field_class *structure;
	struct mirror_member added = *member;
	const char *name;

	if (!find_structure(request, member, &structure) ||
			!place_is_good(request, member, structure))
		return MIRROR_ADD_BAD_PLACE;
	name = name_of(member, structure);
	if (!name)
		return MIRROR_ADD_BAD_PLACE;
	if (name_is_taken(request, member, structure, name))
		return MIRROR_ADD_NAME_TAKEN;
	if (!take_slot(request->slots, member->slot))
		return MIRROR_ADD_BAD_PLACE;
	added.name = copy_name(name);
	if (!added.name)
		return MIRROR_ADD_MEMORY_ERROR;
	g_array_append_val(request->members, added);
	return MIRROR_ADD_OK;
}
