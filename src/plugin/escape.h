/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_ESCAPE_H
#define COMMCACHE_PLUGIN_ESCAPE_H

#include <stddef.h>

/*
 * Text of strangers (names, hosts, event classes, paths) as it can go to a
 * terminal, into a page and into any trace: each byte becomes \xNN of
 *
 *	what is not UTF-8;
 *	control characters;
 *	characters that show nothing, but order or hide what stands beside
 *	them (bidi and zero-width ones), and separators of lines.
 *
 * The backslash of a text that has \xNN in it, letter by letter, becomes \x5c,
 * so that the bytes can be had back. Any other one is left alone.
 */

/* `out` has room for 4 * length + 1 bytes. Returns the length; ends in a NUL. */
size_t escape_bytes(const char *bytes, size_t length, char *out);

/* To be freed with g_free(). */
char *escape_text(const char *text);

/* To the standard output. */
void escape_print(const char *text);

#endif /* COMMCACHE_PLUGIN_ESCAPE_H */
