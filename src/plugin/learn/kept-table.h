/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_KEPT_TABLE_H
#define COMMCACHE_PLUGIN_LEARN_KEPT_TABLE_H

#include <glib.h>

#include <commcache/history.h>

#include "history/parts.h"

/*
 * Tables as bytes: by ascending keys, so that equal tables are equal bytes. The
 * keys are ids in pointers, or point to 64 bits (`is_wide`).
 */

/* Keys alone: of a set, or whose values are ids in pointers as well. */
void kept_set_save(GHashTable *set, bool is_wide, struct parts_writer *writer);
void kept_ids_save(GHashTable *table, bool is_wide,
		struct parts_writer *writer);

/* A table's keys and what each is given. */
void kept_table_save(GHashTable *table, bool is_wide,
		struct parts_writer *writer, void (*save)(const void *value,
			struct parts_writer *writer));

/* Into a table that owns its keys, if `is_wide`, and its values, if it has any. */
void kept_set_load(GHashTable *set, bool is_wide, struct parts_reader *reader);
void kept_ids_load(GHashTable *table, bool is_wide,
		struct parts_reader *reader);

/* `load` gives a value that the table then owns; NULL: what came is no good. */
void kept_table_load(GHashTable *table, bool is_wide,
		struct parts_reader *reader,
		void *(*load)(struct parts_reader *reader));

/* Of tables of moments: each in memory of its own. */
void kept_moment_save(const void *moment, struct parts_writer *writer);
void *kept_moment_load(struct parts_reader *reader);

void kept_comm_save(const struct commcache_comm *comm,
		struct parts_writer *writer);
struct commcache_comm kept_comm_load(struct parts_reader *reader);

#endif /* COMMCACHE_PLUGIN_LEARN_KEPT_TABLE_H */
