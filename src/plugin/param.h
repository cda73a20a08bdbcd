/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_PARAM_H
#define COMMCACHE_PLUGIN_PARAM_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A component's parameters, checked strictly: one that is not known, or of a
 * wrong type, is an error that names it.
 *
 * Each function that fails appends a cause from the component.
 */

typedef bt_component_class_initialize_method_status param_status;

#define PARAM_OK	BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK
#define PARAM_ERROR	BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR
#define PARAM_MEMORY_ERROR	\
	BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR

struct param;

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

struct param {
	const char *name;
	param_status (*read)(struct param_reader *reader,
			const bt_value *value);
};

/* Reads all of the map `values`, up to the first that fails. */
param_status param_read_all(struct param_reader *reader, const bt_value *values);

/* For functions that read: `expected` is "a string", "letters and digits". */
param_status param_wrong_type(const struct param_reader *reader,
		const char *expected, const bt_value *value);
param_status param_wrong_value(const struct param_reader *reader,
		const char *value, const char *expected);

param_status param_read_bool(const struct param_reader *reader,
		const bt_value *value, bool *out);

/* A string; *out is freed and replaced. */
param_status param_read_string(const struct param_reader *reader,
		const bt_value *value, char **out);

/* One of the NULL-terminated `words`, given as its index. */
param_status param_read_word(const struct param_reader *reader,
		const bt_value *value, const char *const *words, int *out);

/*
 * An array of strings, none of them empty; or one string. *out, NULL-terminated,
 * is freed and replaced.
 */
param_status param_read_strings(const struct param_reader *reader,
		const bt_value *value, char ***out);

#endif /* COMMCACHE_PLUGIN_PARAM_H */
