/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_OUT_FILE_H
#define COMMCACHE_PLUGIN_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * A file that is there whole or not at all: written beside its place, under
 * another name, and moved there at the end. What is no ordinary file (a pipe, a
 * device) is written to as it is.
 */
struct out_file {
	/* Owned by this, but for the standard output. */
	FILE *file;
	/* Weak; NULL: the standard output. */
	const char *path;
	/* Owned by this; NULL: it is written to in place. */
	char *temporary;
	/* It has not that name yet, nor another. */
	bool is_nameless;
};

/* `path` has to outlive it; NULL: the standard output. False: see errno. */
bool out_file_open(struct out_file *out, const char *path);

/* Ends it either way. False: something could not be written, see errno. */
bool out_file_finish(struct out_file *out);

/* What was written is of no use: nothing is left of it. */
void out_file_drop(struct out_file *out);

#endif /* COMMCACHE_PLUGIN_OUT_FILE_H */
