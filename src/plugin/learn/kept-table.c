/* SPDX-License-Identifier: MIT */
#include "learn/kept-table.h"

#include <string.h>

static int compare(gconstpointer a, gconstpointer b)
{
	const int64_t first = *(const int64_t *) a;
	const int64_t second = *(const int64_t *) b;

	return (first > second) - (first < second);
}

static GArray *keys_of(GHashTable *table, bool is_wide)
{
	GArray *keys = g_array_new(FALSE, FALSE, sizeof(int64_t));
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const int64_t number = is_wide ? *(const int64_t *) key :
			GPOINTER_TO_INT(key);

		g_array_append_val(keys, number);
	}
	g_array_sort(keys, compare);
	return keys;
}

static void *value_of(GHashTable *table, bool is_wide, int64_t key)
{
	return g_hash_table_lookup(table, is_wide ? (gpointer) &key :
		GINT_TO_POINTER((int) key));
}

typedef void (*save_value)(const void *value, struct parts_writer *writer);

static void save_none(const void *value, struct parts_writer *writer)
{
	(void) value;
	(void) writer;
}

static void save_id(const void *value, struct parts_writer *writer)
{
	parts_write_signed(writer, GPOINTER_TO_INT(value));
}

void kept_table_save(GHashTable *table, bool is_wide,
		struct parts_writer *writer, save_value save)
{
	GArray *keys = keys_of(table, is_wide);
	int64_t before = 0;
	guint i;

	parts_write_number(writer, keys->len);
	for (i = 0; i < keys->len; i++) {
		const int64_t key = g_array_index(keys, int64_t, i);

		parts_write_signed(writer, parts_distance(before, key));
		save(value_of(table, is_wide, key), writer);
		before = key;
	}
	g_array_free(keys, TRUE);
}

void kept_set_save(GHashTable *set, bool is_wide, struct parts_writer *writer)
{
	kept_table_save(set, is_wide, writer, save_none);
}

void kept_ids_save(GHashTable *table, bool is_wide, struct parts_writer *writer)
{
	kept_table_save(table, is_wide, writer, save_id);
}

static gpointer own_key(bool is_wide, int64_t key)
{
	int64_t *copy;

	if (!is_wide)
		return GINT_TO_POINTER((int) key);
	copy = g_new(int64_t, 1);
	*copy = key;
	return copy;
}

/* The next key. Ids have to be some. */
static int64_t read_key(bool is_wide, struct parts_reader *reader,
		int64_t before)
{
	const int64_t key = parts_moved(before, parts_read_signed(reader));

	if (!is_wide && (key < G_MININT || key > G_MAXINT))
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	return key;
}

void kept_table_load(GHashTable *table, bool is_wide,
		struct parts_reader *reader,
		void *(*load)(struct parts_reader *reader))
{
	uint64_t count = parts_read_limited(reader, G_MAXUINT / 2);
	int64_t key = 0;
	void *value;

	for (; count > 0 && parts_is_good(reader); count--) {
		key = read_key(is_wide, reader, key);
		value = load(reader);
		if (value)
			g_hash_table_insert(table, own_key(is_wide, key),
				value);
		else
			parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	}
}

void kept_set_load(GHashTable *set, bool is_wide, struct parts_reader *reader)
{
	uint64_t count = parts_read_limited(reader, G_MAXUINT / 2);
	int64_t key = 0;

	for (; count > 0 && parts_is_good(reader); count--) {
		key = read_key(is_wide, reader, key);
		if (parts_is_good(reader))
			g_hash_table_add(set, own_key(is_wide, key));
	}
}

void kept_ids_load(GHashTable *table, bool is_wide, struct parts_reader *reader)
{
	uint64_t count = parts_read_limited(reader, G_MAXUINT / 2);
	int64_t key = 0, id;

	for (; count > 0 && parts_is_good(reader); count--) {
		key = read_key(is_wide, reader, key);
		id = read_key(false, reader, 0);
		if (parts_is_good(reader))
			g_hash_table_insert(table, own_key(is_wide, key),
				GINT_TO_POINTER((int) id));
	}
}

void kept_moment_save(const void *value, struct parts_writer *writer)
{
	parts_write_moment(writer, *(const struct commcache_moment *) value);
}

void *kept_moment_load(struct parts_reader *reader)
{
	struct commcache_moment *moment = g_new(struct commcache_moment, 1);

	*moment = parts_read_moment(reader, UINT32_MAX);
	return moment;
}

void kept_comm_save(const struct commcache_comm *comm,
		struct parts_writer *writer)
{
	parts_write_bytes(writer, comm->str, sizeof(comm->str));
}

struct commcache_comm kept_comm_load(struct parts_reader *reader)
{
	struct commcache_comm comm;

	parts_read_bytes(reader, comm.str, sizeof(comm.str));
	if (comm.str[sizeof(comm.str) - 1] != '\0')
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	return comm;
}
