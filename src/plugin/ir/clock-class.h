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
	/* Stream classes. At 0 it goes. */
	unsigned int user_count;
};

GHashTable *clock_class_table_create(void);

/*
 * The mirror of `in`, made if there is none, with one user more. NULL, with
 * a cause appended: memory is short.
 */
struct mirror_clock_class *clock_class_use(struct mirror *mirror,
		const bt_clock_class *in);

/* One user less. NULL is fine. */
void clock_class_release(struct mirror *mirror,
		struct mirror_clock_class *clock_class);

#endif /* COMMCACHE_PLUGIN_IR_CLOCK_CLASS_H */
