/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_COPY_H
#define COMMCACHE_PLUGIN_IR_COPY_H

#include <babeltrace2/babeltrace.h>
#include <stdint.h>

#include "ir/mirror.h"

/*
 * How to copy the fields of one class, compiled once when the class is
 * mirrored: no name is looked at and nothing is allocated for each event.
 */

enum copy_kind {
	COPY_UNSIGNED,
	COPY_SIGNED,
	COPY_STRING,
	COPY_BOOL,
	COPY_BIT_ARRAY,
	COPY_SINGLE,
	COPY_DOUBLE,
	COPY_STRUCTURE,
	COPY_STATIC_ARRAY,
	COPY_DYNAMIC_ARRAY,
	COPY_OPTION,
	COPY_VARIANT,
	COPY_STATIC_BLOB,
	COPY_DYNAMIC_BLOB,
};

/* A member that the owner fills. */
struct copy_slot {
	uint32_t out_index;
	uint32_t slot;
};

struct copy_plan {
	enum copy_kind kind;

	/* Members of a structure: where they stand in the parent. */
	uint32_t in_index;
	uint32_t out_index;

	/*
	 * Structure: its copied members. Array and option: the one element.
	 * Variant: the options, by index. Owned by this.
	 */
	struct copy_plan *children;
	uint32_t child_count;

	/* Structure: the added members. Owned by this. */
	struct copy_slot *slots;
	uint32_t slot_count;
};

struct copy_context {
	/* Weak; for error causes. */
	bt_self_message_iterator *self_iterator;
	/* Weak, owned by the mirror. */
	bt_field **slots;
};

/* One structure of an event, which its class has in the output. */
struct copy_scope {
	/* NULL: the input has no such structure, only added members. */
	const bt_field *(*borrow_in)(const bt_event *event);
	bt_field *(*borrow_out)(bt_event *event);
	/* Weak, in the event class or its stream class. */
	const struct copy_plan *plan;
	/* For error causes. */
	const char *name;
};

/* Frees what the plan holds, not the plan itself. */
void copy_plan_clear(struct copy_plan *plan);

/*
 * Copies the structure `in` to `out`, whose classes are those for which the
 * plan was compiled, and notes the added members' fields in the context's
 * slots. On error, appends a cause for each member on the way.
 */
enum mirror_status copy_structure(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out);

/* The same of all the structures of an event. */
enum mirror_status copy_event(const struct copy_scope *scopes,
		unsigned int scope_count, const struct copy_context *context,
		const bt_event *in, bt_event *out);

#endif /* COMMCACHE_PLUGIN_IR_COPY_H */
