/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_REFUSED_H
#define COMMCACHE_TESTS_REFUSED_H

#include <stdint.h>

#include <babeltrace2/babeltrace.h>

#include "ir/mirror.h"

/* The place of the member of that name; -1: there is none. */
int64_t member_index(const bt_field_class *structure, const char *name);

/* Asks for what has to be refused, and has to leave nothing behind, or aborts. */
void ask_refused(struct mirror_request *request,
		const bt_field_class *structure);

#endif /* COMMCACHE_TESTS_REFUSED_H */
