/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_TIMELINE_TRACK_H
#define COMMCACHE_PLUGIN_TIMELINE_TRACK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * What happened on a line of time: events, or turns on a CPU. Each is kept as it
 * was until there are too many; then those that begin in one cell of time become
 * one. Cells are powers of two wide, so that they can be made wider at any time.
 */

struct track_item {
	int64_t begin;
	int64_t end;
	/* Of the time between, what was really spent; of turns only. */
	uint64_t busy;
	/* How many it stands for: with one, it is exact. */
	uint64_t count;
	/* The last turn ended against the thread's will. */
	bool preempted;
};

/* A track is an array of struct track_item, by their beginning. */
GArray *track_create(void);
void track_destroy(GArray *track);

/* Both: how many items there are more; a cell is 2 to the `shift` wide. */
guint track_add_event(GArray *track, int64_t time, unsigned int shift);
guint track_add_turn(GArray *track, int64_t begin, int64_t end, bool preempted,
		unsigned int shift);

/* Makes its cells that wide. */
void track_widen(GArray *track, unsigned int shift);

#endif /* COMMCACHE_PLUGIN_TIMELINE_TRACK_H */
