/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_LIVES_H
#define COMMCACHE_PLUGIN_LEARN_LIVES_H

#include <stdint.h>

#include <glib.h>

#include <commcache/history.h>

#include "history/parts.h"

/*
 * A number's lives by time, each in one namespace: arrays of struct learn_life, in
 * the order in which they begin, never empty once they are looked at.
 */
struct learn_life {
	int64_t begin;
	/* COMMCACHE_HISTORY_NS_ROOT where no inner one was told. */
	uint64_t inode;
};

/* To be freed by learn_lives_destroy(). */
GArray *learn_lives_create(void);
void learn_lives_destroy(void *lives);

/* NULL: none. */
struct learn_life *learn_lives_last(const GArray *lives);

/* The namespace at that moment: before the first life, that of it. */
uint64_t learn_lives_namespace(const GArray *lives,
		struct commcache_moment moment);

/* As bytes, and from bytes; NULL: no lives, or what came is no good. */
void learn_lives_save(const void *lives, struct parts_writer *writer);
void *learn_lives_load(struct parts_reader *reader);

#endif /* COMMCACHE_PLUGIN_LEARN_LIVES_H */
