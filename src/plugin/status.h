/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_STATUS_H
#define COMMCACHE_PLUGIN_STATUS_H

#include <stdbool.h>

/* What became of a call, everywhere in the plugin. */
enum status {
	STATUS_OK,
	/* There is no more. */
	STATUS_END,
	/* Nothing now: the same call later. */
	STATUS_AGAIN,
	/* A cause was appended to the current thread's error. */
	STATUS_ERROR,
	STATUS_MEMORY_ERROR,
	/*
	 * What is read is not what was learned from; no cause was appended yet. Of
	 * learn/ alone: naming_status() makes an error of it.
	 */
	STATUS_REFUSED,
};

static inline bool status_is_failure(enum status status)
{
	return status >= STATUS_ERROR;
}

/*
 * At the edge. libbabeltrace2's statuses are one set of numbers, of which each of
 * its enums names those that a function can have.
 */
int status_to_library(enum status status);
enum status status_of_library(int status);

#endif /* COMMCACHE_PLUGIN_STATUS_H */
