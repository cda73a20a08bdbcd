/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_PAIR_H
#define COMMCACHE_PLUGIN_LEARN_PAIR_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The general pair rule: in any event of any tracer, `comm` beside `tid` or
 * `pid`, and `X_comm` beside `X_tid` or `X_pid`, name that thread. What the
 * rule does not hold for stands in the tracer's table: a comm that a row
 * claims is not paired.
 */

/*
 * The index of the id that the text member `comm_index` of the structure
 * names; false if there is none.
 */
bool learn_pair_find(const bt_field_class *structure, uint64_t comm_index,
		uint64_t *id_index);

/* Whether a member of that name is called as ids are. */
bool learn_name_is_id(const char *name);

#endif /* COMMCACHE_PLUGIN_LEARN_PAIR_H */
