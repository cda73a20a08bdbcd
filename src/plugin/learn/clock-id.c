/* SPDX-License-Identifier: MIT */
#include "learn/clock-id.h"

#include <glib.h>
#include <string.h>

static bool parse_uuid(const char *text, uint8_t uuid[16])
{
	unsigned int digits = 0;

	if (!g_uuid_string_is_valid(text))
		return false;
	for (; *text; text++) {
		if (*text == '-')
			continue;
		uuid[digits / 2] = (uint8_t) (uuid[digits / 2] << 4 |
			g_ascii_xdigit_value(*text));
		digits++;
	}
	return true;
}

static bool is_of_mip_0(const bt_clock_class *clock_class)
{
#if HAVE_MIP_1
	return bt_clock_class_get_graph_mip_version(clock_class) == 0;
#else
	(void) clock_class;
	return true;
#endif
}

const char *clock_id_uid(const bt_clock_class *clock_class)
{
#if HAVE_MIP_1
	if (!is_of_mip_0(clock_class))
		return bt_clock_class_get_uid(clock_class);
#else
	(void) clock_class;
#endif
	return NULL;
}

bool clock_id_uuid(const bt_clock_class *clock_class, uint8_t uuid[16])
{
	const char *uid;
	bt_uuid own;

	if (!is_of_mip_0(clock_class)) {
		uid = clock_id_uid(clock_class);
		return uid && parse_uuid(uid, uuid);
	}
	own = bt_clock_class_get_uuid(clock_class);
	if (own)
		memcpy(uuid, own, 16);
	return own;
}

/* With the NUL at its end: "ab" and "c" are not "a" and "bc". */
static void add_text(GChecksum *digest, const char *text)
{
	text = text ? text : "";
	g_checksum_update(digest, (const guchar *) text, strlen(text) + 1);
}

static void digest_identity(const bt_clock_class *clock_class,
		uint8_t bytes[16])
{
	GChecksum *digest = g_checksum_new(G_CHECKSUM_SHA256);
	uint8_t all[32];
	gsize size = sizeof(all);

#if HAVE_MIP_1
	add_text(digest, bt_clock_class_get_namespace(clock_class));
#endif
	add_text(digest, bt_clock_class_get_name(clock_class));
	add_text(digest, clock_id_uid(clock_class));
	g_checksum_get_digest(digest, all, &size);
	g_checksum_free(digest);
	memcpy(bytes, all, 16);
}

bool clock_id_bytes(const bt_clock_class *clock_class, uint8_t bytes[16])
{
	if (clock_id_uuid(clock_class, bytes))
		return true;
	if (!clock_id_uid(clock_class))
		return false;
	digest_identity(clock_class, bytes);
	return true;
}
