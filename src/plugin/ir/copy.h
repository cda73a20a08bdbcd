/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_COPY_H
#define COMMCACHE_PLUGIN_IR_COPY_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdint.h>

#include "ir/location.h"
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
enum status copy_structure(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out);

/* A field of any class: see copy_any(). */
enum status copy_other(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out);

/*
 * Inline, as what follows: it is most of what an event costs. Most members are
 * integers.
 */
static inline __attribute__((always_inline))
enum status copy_any(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	if (plan->kind == COPY_UNSIGNED) {
		bt_field_integer_unsigned_set_value(out,
			bt_field_integer_unsigned_get_value(in));
		return STATUS_OK;
	}

	if (plan->kind == COPY_SIGNED) {
		bt_field_integer_signed_set_value(out,
			bt_field_integer_signed_get_value(in));
		return STATUS_OK;
	}

	return copy_other(plan, context, in, out);
}

static inline __attribute__((always_inline))
enum status copy_members(const struct copy_plan *plan,
		const struct copy_context *context,
		const bt_field *in, bt_field *out)
{
	const struct copy_plan *member = plan->children;
	const struct copy_plan *members_end = member + plan->child_count;
	const struct copy_slot *slot = plan->slots;
	const struct copy_slot *slots_end = slot + plan->slot_count;

	for (; member != members_end; member++) {
		enum status status = copy_any(member, context,
			bt_field_structure_borrow_member_field_by_index_const(
				in, member->in_index),
			bt_field_structure_borrow_member_field_by_index(
				out, member->out_index));

		if (G_UNLIKELY(status != STATUS_OK)) {
			location_append_member(context->self_iterator, in,
				member->in_index);
			return status;
		}
	}

	for (; slot != slots_end; slot++)
		context->slots[slot->slot] =
			bt_field_structure_borrow_member_field_by_index(out,
				slot->out_index);
	return STATUS_OK;
}

/* All the structures of an event. */
static inline __attribute__((always_inline))
enum status copy_event(const struct copy_scope *scopes,
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
		enum status status = copy_members(scope->plan, context,
			in_field, out_field);

		if (G_UNLIKELY(status != STATUS_OK)) {
			BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
				context->self_iterator, "Cannot copy the %s",
				scope->name);
			return status;
		}
	}

	return STATUS_OK;
}

#endif /* COMMCACHE_PLUGIN_IR_COPY_H */
