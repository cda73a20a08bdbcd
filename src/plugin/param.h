/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_PARAM_H
#define COMMCACHE_PLUGIN_PARAM_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/*
 * A component's parameters, checked strictly: one that is not known, or of a
 * wrong type, is an error that names it.
 *
 * Each function that fails appends a cause from the component.
 */

enum param_type {
	/* bool. */
	PARAM_BOOL,
	/* char *, which is freed and replaced; the path of a file. */
	PARAM_STRING,
	PARAM_PATH,
	/*
	 * unsigned int, or an enum: the index of one of `words`. The command line
	 * makes booleans of an unquoted yes and no.
	 */
	PARAM_WORD,
	/*
	 * char **, NULL-terminated, which is freed and replaced: an array of
	 * strings, none of them empty; or one string.
	 */
	PARAM_STRINGS,
	/* GArray * of int64_t, to which is added: thread ids, or one. */
	PARAM_IDS,
	/* int64_t. */
	PARAM_INTEGER,
};

struct param_reader;

/* A parameter that there is. */
struct param {
	const char *name;
	enum param_type type;
	/* Where its value goes, in the struct of parameters. */
	size_t place;
	/* Of PARAM_WORD; NULL-terminated. */
	const char *const *words;
	/* What is odd about it: looks at the value in its place; NULL: nothing. */
	enum status (*check)(const struct param_reader *reader, void *place);
};

/* While parameters are read. */
struct param_reader {
	/* Weak. */
	bt_self_component *self_component;
	/* What the values go to. Weak. */
	void *params;
	/* There are these. Weak. */
	const struct param *known;
	size_t known_count;
	/* The parameter that is read. */
	const char *name;
};

/* Reads all of the map `values`, up to the first that fails. */
enum status param_read_all(struct param_reader *reader, const bt_value *values);

/* For functions that check: `expected` is "letters and digits". */
enum status param_wrong_value(const struct param_reader *reader,
		const char *value, const char *expected);

#endif /* COMMCACHE_PLUGIN_PARAM_H */
