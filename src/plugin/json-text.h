/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_JSON_TEXT_H
#define COMMCACHE_PLUGIN_JSON_TEXT_H

#include <glib.h>

/*
 * Appends a JSON string. The text holds no control bytes and is UTF-8: see
 * resolve/comm-text.h. It can stand in a script element of a page as well: no
 * `<`, with which that would end, is left as it is.
 */
void json_text_append(GString *json, const char *text);

#endif /* COMMCACHE_PLUGIN_JSON_TEXT_H */
