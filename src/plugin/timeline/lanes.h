/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_TIMELINE_LANES_H
#define COMMCACHE_PLUGIN_TIMELINE_LANES_H

#include <glib.h>

#include "threads/thread.h"
#include "timeline/track.h"

/*
 * What each thread did when. Memory is bounded, however long the trace: with too
 * many items, all lanes' cells are made wider.
 */

struct lane {
	/* Owned by this. */
	GArray *turns;
	GArray *events;
};

struct lanes {
	/* struct lane, owned by this. */
	GPtrArray *all;
	/* A cell is 2 to this wide; 0: all is exact. */
	unsigned int shift;
	guint items;
	guint items_max;
	struct threads_watcher watcher;
};

struct lanes *lanes_create(guint items_max);
void lanes_destroy(struct lanes *lanes);

/* Wider cells, so that there are fewer items, by a quarter at least. */
void lanes_widen(struct lanes *lanes);

#endif /* COMMCACHE_PLUGIN_TIMELINE_LANES_H */
