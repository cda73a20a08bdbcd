/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_REQUEST_H
#define COMMCACHE_PLUGIN_IR_REQUEST_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "ir/mirror.h"

/* Which slots are taken. */
struct slot_set {
	uint64_t words[MIRROR_SLOTS_MAX / 64];
};

struct mirror_request {
	/* By enum mirror_scope: weak; NULL where the input has none. */
	const bt_field_class *roots[3];
	/* By enum mirror_scope: members may be added. */
	bool allowed[3];
	/* Owned by this; their names too. */
	GArray *members;
	/* Weak; the owner's slots of this event class or stream class. */
	struct slot_set *slots;
};

void request_init(struct mirror_request *request, struct slot_set *slots);
void request_finish(struct mirror_request *request);

/*
 * The members added to one structure, in the order in which they were added.
 * With MIRROR_AT_END, `index` says nothing. Returns the first one from
 * `*position` on, and moves `*position` beyond it; NULL if there is none.
 */
const struct mirror_member *request_next(const struct mirror_request *request,
		const struct mirror_member *structure, enum mirror_place place,
		uint64_t index, guint *position);

/* Whether anything is added to the root of the scope. */
bool request_has_root(const struct mirror_request *request,
		enum mirror_scope scope);

#endif /* COMMCACHE_PLUGIN_IR_REQUEST_H */
