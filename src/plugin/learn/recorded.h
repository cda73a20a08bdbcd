/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_RECORDED_H
#define COMMCACHE_PLUGIN_LEARN_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include <commcache/history.h>

#include "history/parts.h"

/*
 * What was recorded when, of each CPU: by the packets of those streams that hold
 * its switches. A session that has not begun, is stopped, or has ended records
 * nothing; nor does one whose buffers are full. LTTng's packets follow each other
 * with no time between them, so that a hole between two of them is one of these;
 * or no event came, and none is missing.
 *
 * A source has one for its own switches, a boot one for those of all its
 * sources. Times are raw clock values, told in the order of time.
 */
struct learn_recorded;

/* Nothing was recorded after `from` and before `to`. */
struct learn_hole {
	/* INT64_MIN: since ever. */
	int64_t from;
	int64_t to;
};

/* The first moment after what ended at that time. */
static inline struct commcache_moment learn_recorded_after(int64_t time)
{
	return commcache_moment(time < INT64_MAX ? time + 1 : time, 0);
}

struct learn_recorded *learn_recorded_create(void);
void learn_recorded_destroy(struct learn_recorded *recorded);

/* Begins with nothing: another pass. */
void learn_recorded_reset(struct learn_recorded *recorded);

/*
 * A stream begins to record that CPU, or goes on at that time. True: none did
 * so before, since `hole->from`.
 */
bool learn_recorded_begin(struct learn_recorded *recorded, int64_t cpu,
		int64_t time, struct learn_hole *hole);

/* A stream that did ends there; it, or another, can go on at that very time. */
void learn_recorded_end(struct learn_recorded *recorded, int64_t cpu,
		int64_t time);

/* By what was told so far. A CPU that none told of is taken as recorded. */
bool learn_recorded_has(const struct learn_recorded *recorded, int64_t cpu,
		int64_t time);

/*
 * Whether that CPU is recorded now, `hole->to` being since when; else since
 * when it is not, in `hole->from`. False: none told of it.
 */
bool learn_recorded_state(const struct learn_recorded *recorded, int64_t cpu,
		bool *is_open, struct learn_hole *hole);

/* CPUs told of are less than this. */
int64_t learn_recorded_cpu_count(const struct learn_recorded *recorded);

/* As bytes, and from bytes, into one that was told nothing. */
void learn_recorded_save(const struct learn_recorded *recorded,
		struct parts_writer *writer);
void learn_recorded_load(struct learn_recorded *recorded,
		struct parts_reader *reader);

#endif /* COMMCACHE_PLUGIN_LEARN_RECORDED_H */
