/* SPDX-License-Identifier: MIT */
#include "test-refused.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t member_index(const bt_field_class *structure, const char *name)
{
	uint64_t count = structure ?
		bt_field_class_structure_get_member_count(structure) : 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		if (strcmp(name, bt_field_class_structure_member_get_name(
				bt_field_class_structure_borrow_member_by_index_const(
					structure, i))) == 0)
			return i;
	}

	return -1;
}

static void expect(enum mirror_add_status wanted, enum mirror_add_status got,
		const char *what)
{
	if (wanted != got) {
		fprintf(stderr, "commcachetest: %s: status %d, not %d\n", what,
			got, wanted);
		abort();
	}
}

/* In any class; the first lacks a name. */
static const struct {
	const char *what;
	struct mirror_member member;
} refused[] = {
	{ "no name", { .scope = MIRROR_PAYLOAD, .slot = 99 } },
	{ "a slot out of range", { .scope = MIRROR_PAYLOAD,
		.slot = MIRROR_SLOTS_MAX } },
	{ "the common context of an event class",
		{ .scope = MIRROR_COMMON_CONTEXT, .slot = 99 } },
	{ "after no member", { .scope = MIRROR_PAYLOAD, .slot = 99,
		.place = MIRROR_AFTER, .index = 1000 } },
	{ "in place of no member", { .scope = MIRROR_PAYLOAD, .slot = 99,
		.place = MIRROR_REPLACE, .index = 1000 } },
	{ "as replaced with nothing replaced", { .scope = MIRROR_PAYLOAD,
		.slot = 99, .type = MIRROR_AS_REPLACED } },
	{ "a path to nowhere", { .scope = MIRROR_PAYLOAD, .slot = 99,
		.path_length = 1, .path = { 1000 } } },
	{ "a path too long", { .scope = MIRROR_PAYLOAD, .slot = 99,
		.path_length = MIRROR_PATH_MAX + 1 } },
};

void ask_refused(struct mirror_request *request,
		const bt_field_class *structure)
{
	struct mirror_member member;
	int64_t index;
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(refused); i++) {
		member = refused[i].member;
		member.name = i > 0 ? "zz_refused" : NULL;
		expect(MIRROR_ADD_BAD_PLACE, mirror_add_member(request, &member),
			refused[i].what);
	}
	index = member_index(structure, "number");
	if (index < 0)
		return;
	member = (struct mirror_member) { .scope = MIRROR_PAYLOAD, .slot = 99,
		.type = MIRROR_STRING, .name = "number" };
	expect(MIRROR_ADD_NAME_TAKEN, mirror_add_member(request, &member),
		"a name that is there");
	member.name = "zz_refused";
	member.place = MIRROR_REPLACE;
	member.index = index;
	expect(MIRROR_ADD_BAD_PLACE, mirror_add_member(request, &member),
		"in place of a number");
	member.place = MIRROR_AFTER;
	member.path_length = 1;
	member.path[0] = index;
	expect(MIRROR_ADD_BAD_PLACE, mirror_add_member(request, &member),
		"in a number");
	member.path_length = 0;
	member.place = MIRROR_AT_END;
	expect(MIRROR_ADD_OK, mirror_add_member(request, &member), "at last");
	expect(MIRROR_ADD_NAME_TAKEN, mirror_add_member(request, &member),
		"a name that was added");
	member.name = "zz_other";
	expect(MIRROR_ADD_BAD_PLACE, mirror_add_member(request, &member),
		"a slot that is taken");
}
