/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_COMM_TEXT_H
#define COMMCACHE_PLUGIN_RESOLVE_COMM_TEXT_H

#include <stddef.h>

#include <commcache/cache.h>

/* Each byte of a comm as \xNN, and a NUL. */
#define COMM_TEXT_SIZE	(4 * (COMMCACHE_COMM_LEN - 1) + 1)

/* As of escape.h. Returns the length; the text ends in a NUL. */
size_t comm_text_escape(const struct commcache_comm *comm,
		char text[COMM_TEXT_SIZE]);

#endif /* COMMCACHE_PLUGIN_RESOLVE_COMM_TEXT_H */
