/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_COMM_TEXT_H
#define COMMCACHE_PLUGIN_RESOLVE_COMM_TEXT_H

#include <stddef.h>

#include <commcache/cache.h>

/* Each byte of a comm as \xNN, and a NUL. */
#define COMM_TEXT_SIZE	(4 * (COMMCACHE_COMM_LEN - 1) + 1)

/*
 * Writes a comm so that it can go to a terminal and into any trace: control
 * characters and what is not UTF-8 become \xNN for each byte. A thread can
 * call itself what it likes: the backslash of a name that has \xNN in it, letter
 * by letter, becomes \x5c, so that the bytes can be had back. Any other one is
 * left alone. Returns the length; the text ends in a NUL.
 */
size_t comm_text_escape(const struct commcache_comm *comm,
		char text[COMM_TEXT_SIZE]);

/*
 * The same of any text, which holds no NUL. `text` has room for 4 * length + 1
 * bytes.
 */
size_t comm_text_escape_bytes(const char *bytes, size_t length, char *text);

#endif /* COMMCACHE_PLUGIN_RESOLVE_COMM_TEXT_H */
