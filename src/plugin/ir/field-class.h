/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_FIELD_CLASS_H
#define COMMCACHE_PLUGIN_IR_FIELD_CLASS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "ir/copy.h"
#include "ir/request.h"

struct mip;

/* What one scope's field classes are mirrored with. */
struct field_class_mirror {
	const struct mip *mip;
	/* Weak; for error causes. */
	bt_self_message_iterator *self_iterator;
	/* Weak; where the output classes are made. */
	bt_trace_class *trace_class;

	/* Weak, by enum bt_field_path_scope: the input's scopes. */
	const bt_field_class *scopes[4];
	/*
	 * Input class to output class, both weak, of all classes mirrored so
	 * far that a field path can lead to. Owned by the caller.
	 */
	GHashTable *made;

	/* Weak: what to add; NULL: nothing. */
	const struct mirror_request *request;
	/* The structure that is being mirrored; its name and slot unused. */
	struct mirror_member here;
	/* Levels of arrays, options, variants above: nothing is added there. */
	unsigned int opaque;
};

/*
 * Each of these mirrors a class and compiles how to copy its fields. On
 * success the caller owns `*out`, which has to be NULL before. On failure it
 * is NULL, and a cause is appended for each member on the way. `*plan`, which
 * has to be all 0 before, has to be cleared in both cases.
 */

enum status field_class_mirror_any(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan);

/* `in` is NULL for a structure that has added members only. */
enum status structure_class_mirror(struct field_class_mirror *mirror,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan);

/*
 * The root structure of a scope, which is NULL if the input has none (and
 * something is to be added).
 */
enum status structure_class_mirror_root(
		struct field_class_mirror *mirror, enum mirror_scope scope,
		const bt_field_class *in, bt_field_class **out,
		struct copy_plan *plan);

#endif /* COMMCACHE_PLUGIN_IR_FIELD_CLASS_H */
