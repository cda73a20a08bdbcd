/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_TIMELINE_PACKED_H
#define COMMCACHE_PLUGIN_TIMELINE_PACKED_H

#include <glib.h>
#include <stdint.h>

/*
 * Numbers packed for a page: seven bits a byte, the lowest first, the eighth set
 * where more follow (as LEB128 has it); then all of it in base64.
 */
void packed_add(GByteArray *packed, uint64_t number);

/* Appends a JSON string, and empties it. */
void packed_flush(GByteArray *packed, GString *json);

#endif /* COMMCACHE_PLUGIN_TIMELINE_PACKED_H */
