/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_CLOCK_CLASS_H
#define COMMCACHE_PLUGIN_IR_CLOCK_CLASS_H

#include "ir/objects.h"

/*
 * A clock class and its mirror. One output clock class for each input clock
 * class, whichever traces and messages use it: what is downstream sees two
 * streams on one clock exactly where they were.
 */
struct mirror_clock_class {
	/* Owned by this: clock classes have no destruction listener. */
	const bt_clock_class *in;
	/* Owned by this. */
	bt_clock_class *out;
	/* Stream classes, and messages that are being made. */
	unsigned int user_count;
	/* Its place among those that no one uses; `data` is this. */
	GList idle;
};

GHashTable *clock_class_table_create(void);
void clock_class_table_destroy(struct mirror *mirror);

/*
 * The mirror of `in`, made if there is none, with one user more. NULL, with
 * a cause appended: memory is short.
 */
struct mirror_clock_class *clock_class_use(struct mirror *mirror,
		const bt_clock_class *in);

/*
 * One user less. NULL is fine. What no one uses stays a while: a clock class
 * without an identity equals itself only, so that all inactivity messages on
 * it, those before its first stream and after its last one too, have to be on
 * one.
 */
void clock_class_release(struct mirror *mirror,
		struct mirror_clock_class *clock_class);

#endif /* COMMCACHE_PLUGIN_IR_CLOCK_CLASS_H */
