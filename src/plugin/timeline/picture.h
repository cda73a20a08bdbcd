/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_TIMELINE_PICTURE_H
#define COMMCACHE_PLUGIN_TIMELINE_PICTURE_H

#include <stdio.h>

#include "threads/rows.h"
#include "timeline/lanes.h"
#include "timeline/params.h"

/*
 * What is to be drawn, whatever draws it: threads in the order of their
 * processes, on one line of time in nanoseconds that begins with the first thing
 * that is known to have happened.
 */
struct picture {
	/* Weak. */
	const struct rows *rows;
	struct lanes *lanes;
	const struct timeline_params *params;
	/* Weak struct threads_row, of `rows->threads`. Owned by this. */
	GPtrArray *threads;
	/* From the origin; THREADS_NO_TIME: nothing has a time. */
	int64_t base;
	/* From there to the last. */
	int64_t span;
};

/* All have to outlive it. */
void picture_init(struct picture *picture, const struct rows *rows,
		struct lanes *lanes, const struct timeline_params *params);
void picture_finish(struct picture *picture);

/* Nanoseconds since the picture's beginning, of a time of that boot. */
int64_t picture_time(const struct picture *picture,
		const struct threads_boot *boot, int64_t time);

/* The same of nanoseconds from the origin; never outside of the picture. */
int64_t picture_clamp(const struct picture *picture, int64_t nanoseconds);

/* A thread's name number `index`. */
const struct threads_row *picture_name(const struct picture *picture,
		const struct threads_row *thread, guint index);

/* When the thread is first known to be, and when it ended; -1: not told. */
int64_t picture_begin(const struct picture *picture,
		const struct threads_row *thread);
int64_t picture_end(const struct picture *picture,
		const struct threads_row *thread);

/* One self-contained page. Makes the lanes' cells so wide that it fits. */
void picture_write_page(struct picture *picture, FILE *file);

/* Chrome's JSON trace format, which Perfetto opens. */
void picture_write_perfetto(const struct picture *picture, FILE *file);

#endif /* COMMCACHE_PLUGIN_TIMELINE_PICTURE_H */
