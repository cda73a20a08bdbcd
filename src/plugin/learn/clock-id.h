/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_CLOCK_ID_H
#define COMMCACHE_PLUGIN_LEARN_CLOCK_ID_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * By what a clock class tells where its values can be compared: by a UUID in
 * CTF 1.8 (version 0 of babeltrace2's message interchange protocol), by a UID, a
 * text, in CTF 2 (version 1). LTTng writes the boot's id in both: a UID that is
 * a UUID's text is that UUID.
 */

/* False: it tells none. */
bool clock_id_uuid(const bt_clock_class *clock_class, uint8_t uuid[16]);

/*
 * The UID, UUID or not, valid as long as the clock class; NULL: it has none, or
 * can have none.
 */
const char *clock_id_uid(const bt_clock_class *clock_class);

/*
 * 16 bytes that are equal where the ids are: the UUID; of another UID, which is
 * unique only within the clock class's namespace and name, a digest of the
 * three. False: it tells none.
 */
bool clock_id_bytes(const bt_clock_class *clock_class, uint8_t bytes[16]);

#endif /* COMMCACHE_PLUGIN_LEARN_CLOCK_ID_H */
