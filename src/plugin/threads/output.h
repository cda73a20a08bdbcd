/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_OUTPUT_H
#define COMMCACHE_PLUGIN_THREADS_OUTPUT_H

#include <stdio.h>

#include "threads/rows.h"

/*
 * Both write plain text that a terminal can bear: hosts and names come from
 * strangers. Whether it could be written is for the caller to ask the file.
 */

/*
 * A table: one line of headings, and one for each row. Words in columns of spaces,
 * `-` for what is not known; the name is last, for it can hold anything.
 */
void output_text(struct rows *rows, FILE *file);

/* One JSON document: doc/threads.md. */
void output_json(struct rows *rows, FILE *file);

/* A host as it is shown; to be freed with g_free(). */
char *output_host(const struct threads_boot *boot);

#endif /* COMMCACHE_PLUGIN_THREADS_OUTPUT_H */
