/* SPDX-License-Identifier: MIT */
#include "learn/identity.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "learn/clock-id.h"

/* With the NUL at its end: "ab" and "c" are not "a" and "bc". */
static void add_text(GChecksum *digest, const char *text)
{
	text = text ? text : "";
	g_checksum_update(digest, (const guchar *) text, strlen(text) + 1);
}

static void add_number(GChecksum *digest, uint64_t number)
{
	char text[24];

	(void) g_snprintf(text, sizeof(text), "%" PRIu64, number);
	add_text(digest, text);
}

static void add_environment(GChecksum *digest, const bt_trace *trace)
{
	const uint64_t count = bt_trace_get_environment_entry_count(trace);
	const bt_value *value;
	const char *name;
	uint64_t i;

	for (i = 0; i < count; i++) {
		bt_trace_borrow_environment_entry_by_index_const(trace, i,
			&name, &value);
		add_text(digest, name);
		if (bt_value_is_string(value))
			add_text(digest, bt_value_string_get(value));
		else if (bt_value_is_signed_integer(value))
			add_number(digest, (uint64_t)
				bt_value_integer_signed_get(value));
	}
}

#if HAVE_MIP_1
static bool add_uid(GChecksum *digest, const bt_trace *trace)
{
	const char *uid;

	if (bt_trace_class_get_graph_mip_version(
			bt_trace_borrow_class_const(trace)) == 0)
		return false;
	uid = bt_trace_get_uid(trace);
	if (uid) {
		add_text(digest, bt_trace_get_namespace(trace));
		add_text(digest, uid);
	} else {
		add_environment(digest, trace);
	}
	return true;
}
#else
static bool add_uid(GChecksum *digest, const bt_trace *trace)
{
	(void) digest;
	(void) trace;
	return false;
}
#endif

static void add_trace(GChecksum *digest, const bt_trace *trace)
{
	bt_uuid uuid;

	if (add_uid(digest, trace))
		return;
	uuid = bt_trace_get_uuid(trace);
	if (uuid)
		g_checksum_update(digest, uuid, 16);
	else
		add_environment(digest, trace);
}

static void add_clock(GChecksum *digest, const bt_clock_class *clock_class)
{
	uint8_t id[16] = { 0 };

	if (!clock_class)
		return;
	(void) clock_id_bytes(clock_class, id);
	g_checksum_update(digest, id, sizeof(id));
	add_text(digest, bt_clock_class_get_name(clock_class));
	add_number(digest, bt_clock_class_get_frequency(clock_class));
}

void identity_of_trace(const bt_trace *trace, const bt_clock_class *clock_class,
		uint8_t identity[IDENTITY_SIZE])
{
	GChecksum *digest = g_checksum_new(G_CHECKSUM_SHA256);
	uint8_t all[32];
	gsize size = sizeof(all);

	add_trace(digest, trace);
	add_clock(digest, clock_class);
	g_checksum_get_digest(digest, all, &size);
	g_checksum_free(digest);
	memcpy(identity, all, IDENTITY_SIZE);
}
