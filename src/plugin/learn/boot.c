/* SPDX-License-Identifier: MIT */
#include "learn/boot.h"

#include <string.h>

#include "learn/clock-id.h"
#include "learn/kept-table.h"
#include "learn/lives.h"
#include "learn/program.h"
#include "learn/recorded.h"

/* Two ids, or a namespace's inode number and an id, in one key. */
static uint64_t key_of(uint64_t high, int64_t id)
{
	/* Ids have 23 bits at most, inode numbers of namespaces 32. */
	return high << 24 | (uint64_t) id;
}

static guint hash_key(gconstpointer key)
{
	return g_int64_hash(key);
}

/* False: it was there. */
static bool add_key(GHashTable *set, uint64_t key)
{
	uint64_t *copy;

	if (g_hash_table_contains(set, &key))
		return false;
	copy = g_new(uint64_t, 1);
	*copy = key;
	g_hash_table_add(set, copy);
	return true;
}

static uint64_t key_high(const void *key)
{
	return *(const uint64_t *) key >> 24;
}

static int64_t key_id(const void *key)
{
	return *(const uint64_t *) key & ((UINT64_C(1) << 24) - 1);
}

static void free_array(void *array)
{
	g_array_free(array, TRUE);
}

static GHashTable *create_set(void)
{
	return g_hash_table_new_full(hash_key, g_int64_equal, g_free, NULL);
}

struct learn_boot *learn_boot_create(const char *host, const uint8_t id[16],
		const bt_clock_class *clock_class)
{
	struct learn_boot *boot = g_new0(struct learn_boot, 1);

	boot->host = g_strdup(host);
	memcpy(boot->id, id, sizeof(boot->id));
	boot->namespaces = g_hash_table_new_full(hash_key, g_int64_equal,
		g_free, NULL);
	boot->aliases = create_set();
	boot->joined = create_set();
	boot->numbered = g_hash_table_new(g_direct_hash, g_direct_equal);
	boot->inner = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL,
		learn_lives_destroy);
	boot->processes = g_hash_table_new(g_direct_hash, g_direct_equal);
	boot->programs = learn_programs_create();
	boot->sources = g_ptr_array_new();
	boot->recorded = learn_recorded_create();
	/* A second; without a clock, a thousand events. */
	boot->slack = clock_class ?
		(int64_t) MIN(bt_clock_class_get_frequency(clock_class),
			INT64_MAX / 2) : 1000;
	return boot;
}

bool learn_boot_reset(struct learn_boot *boot,
		struct commcache_history *history, bool is_only_pass)
{
	g_clear_pointer(&boot->vtids, g_hash_table_destroy);
	if (is_only_pass)
		boot->vtids = g_hash_table_new_full(g_direct_hash,
			g_direct_equal, NULL, free_array);
	g_hash_table_remove_all(boot->namespaces);
	g_hash_table_remove_all(boot->aliases);
	g_hash_table_remove_all(boot->joined);
	g_hash_table_remove_all(boot->numbered);
	g_hash_table_remove_all(boot->inner);
	g_hash_table_remove_all(boot->processes);
	g_hash_table_remove_all(boot->programs);
	boot->newest = INT64_MIN;
	boot->history = history;
	boot->root = commcache_history_domain(history, boot->host, boot->id,
		COMMCACHE_HISTORY_NS_ROOT);
	boot->unknown = commcache_history_domain(history, boot->host, boot->id,
		COMMCACHE_HISTORY_NS_UNKNOWN);
	return boot->root && boot->unknown;
}

void learn_boot_destroy(struct learn_boot *boot)
{
	if (!boot)
		return;
	g_ptr_array_free(boot->sources, TRUE);
	learn_recorded_destroy(boot->recorded);
	g_hash_table_destroy(boot->programs);
	g_hash_table_destroy(boot->processes);
	g_hash_table_destroy(boot->inner);
	g_hash_table_destroy(boot->numbered);
	g_clear_pointer(&boot->vtids, g_hash_table_destroy);
	g_hash_table_destroy(boot->joined);
	g_hash_table_destroy(boot->aliases);
	g_hash_table_destroy(boot->namespaces);
	g_free(boot->host);
	g_free(boot);
}

bool learn_boot_id(const bt_clock_class *clock_class, uint64_t ordinal,
		uint8_t id[16])
{
	uint64_t frequency;
	size_t i;

	if (!clock_class || !clock_id_bytes(clock_class, id)) {
		/* No UUID begins so: its version would be 0. */
		memset(id, 0, 16);
		for (i = 0; i < sizeof(ordinal); i++)
			id[8 + i] = (uint8_t) (ordinal >> (8 * i));
		return false;
	}
	/* Values that count in another unit do not compare. */
	frequency = bt_clock_class_get_frequency(clock_class) ^ LEARN_NANOSECONDS;
	for (i = 0; i < sizeof(frequency); i++)
		id[i] ^= (uint8_t) (frequency >> (8 * i));
	return true;
}

struct commcache_history_domain *learn_boot_namespace(struct learn_boot *boot,
		uint64_t inode)
{
	struct commcache_history_domain *domain;
	uint64_t *key;

	if (inode == COMMCACHE_HISTORY_NS_ROOT)
		return boot->root;
	if (inode == COMMCACHE_HISTORY_NS_UNKNOWN)
		return boot->unknown;
	domain = g_hash_table_lookup(boot->namespaces, &inode);
	if (domain)
		return domain;
	domain = commcache_history_domain(boot->history, boot->host, boot->id,
		inode);
	if (!domain)
		return boot->unknown;
	key = g_new(uint64_t, 1);
	*key = inode;
	g_hash_table_insert(boot->namespaces, key, domain);
	return domain;
}

/* The former thread's. */
static void drop_aliases(struct learn_boot *boot, int64_t tid)
{
	const GArray *vtids = g_hash_table_lookup(boot->vtids,
		GINT_TO_POINTER(tid));
	guint i;

	for (i = 0; vtids && i < vtids->len; i++) {
		const uint64_t key = key_of(tid, g_array_index(vtids, int64_t,
			i));

		g_hash_table_remove(boot->aliases, &key);
	}
	g_hash_table_remove(boot->vtids, GINT_TO_POINTER(tid));
}

static void add_alias(struct learn_boot *boot, int64_t tid, int64_t vtid)
{
	GArray *vtids;

	if (!add_key(boot->aliases, key_of(tid, vtid)) || !boot->vtids)
		return;
	vtids = g_hash_table_lookup(boot->vtids, GINT_TO_POINTER(tid));
	if (!vtids) {
		vtids = g_array_new(FALSE, FALSE, sizeof(vtid));
		g_hash_table_insert(boot->vtids, GINT_TO_POINTER(tid), vtids);
	}
	g_array_append_val(vtids, vtid);
}

/* A life of that number begins. Most threads are of no inner namespace. */
static void add_life(struct learn_boot *boot, int64_t tid, int64_t begin)
{
	const struct learn_life life = { begin, COMMCACHE_HISTORY_NS_ROOT };
	GArray *lives = g_hash_table_lookup(boot->inner, GINT_TO_POINTER(tid));

	if (!lives)
		return;
	/* What was told of the former one is of no use any more. */
	if (boot->vtids)
		g_hash_table_remove(boot->inner, GINT_TO_POINTER(tid));
	else
		g_array_append_val(lives, life);
}

static void set_inner(struct learn_boot *boot, int64_t tid, uint64_t inode)
{
	const struct learn_life first = { INT64_MIN, inode };
	GArray *lives = g_hash_table_lookup(boot->inner, GINT_TO_POINTER(tid));
	struct learn_life *last;

	if (!lives) {
		lives = learn_lives_create();
		g_array_append_val(lives, first);
		g_hash_table_insert(boot->inner, GINT_TO_POINTER(tid), lives);
	}
	last = learn_lives_last(lives);
	if (last->inode == COMMCACHE_HISTORY_NS_ROOT)
		last->inode = inode;
}

void learn_boot_born(struct learn_boot *boot, int64_t tid,
		struct commcache_moment moment)
{
	if (boot->vtids)
		drop_aliases(boot, tid);
	g_hash_table_remove(boot->numbered, GINT_TO_POINTER(tid));
	add_life(boot, tid, moment.time);
	g_hash_table_remove(boot->processes, GINT_TO_POINTER(tid));
}

void learn_boot_alias(struct learn_boot *boot, int64_t tid, int64_t vtid,
		uint64_t inode, struct commcache_moment moment)
{
	/* 0 is what a thread has that is no longer there. */
	if (tid <= 0 || vtid <= 0)
		return;
	g_hash_table_add(boot->numbered, GINT_TO_POINTER(tid));
	if (vtid != tid)
		add_alias(boot, tid, vtid);
	if (inode == COMMCACHE_HISTORY_NS_ROOT ||
			inode == COMMCACHE_HISTORY_NS_UNKNOWN)
		return;
	set_inner(boot, tid, inode);
	(void) add_key(boot->joined, key_of(inode, vtid));
	(void) commcache_history_join(
		commcache_history_thread(learn_boot_namespace(boot, inode),
			vtid, -1),
		commcache_history_thread(boot->root, tid, -1), moment);
}

bool learn_boot_is_numbered(const struct learn_boot *boot, int64_t tid)
{
	return g_hash_table_contains(boot->numbered, GINT_TO_POINTER(tid));
}

bool learn_boot_is_alias(const struct learn_boot *boot, int64_t tid,
		int64_t vtid)
{
	const uint64_t key = key_of(tid, vtid);

	return tid == vtid || g_hash_table_contains(boot->aliases, &key);
}

bool learn_boot_is_joined(const struct learn_boot *boot, uint64_t inode,
		int64_t vtid)
{
	const uint64_t key = key_of(inode, vtid);

	return inode == COMMCACHE_HISTORY_NS_ROOT ||
		g_hash_table_contains(boot->joined, &key);
}

uint64_t learn_boot_namespace_of(const struct learn_boot *boot, int64_t tid,
		struct commcache_moment moment)
{
	const GArray *lives =
		g_hash_table_lookup(boot->inner, GINT_TO_POINTER(tid));

	return lives ? learn_lives_namespace(lives, moment) :
		COMMCACHE_HISTORY_NS_ROOT;
}

void learn_boot_member(struct learn_boot *boot, int64_t tid, int64_t pid)
{
	if (tid <= 0 || pid <= 0)
		return;
	if (tid == pid)
		g_hash_table_remove(boot->processes, GINT_TO_POINTER(tid));
	else
		g_hash_table_insert(boot->processes, GINT_TO_POINTER(tid),
			GINT_TO_POINTER(pid));
}

int64_t learn_boot_process_of(const struct learn_boot *boot, int64_t tid)
{
	const int64_t pid = GPOINTER_TO_INT(g_hash_table_lookup(
		boot->processes, GINT_TO_POINTER(tid)));

	return pid > 0 ? pid : tid;
}

static bool is_forgotten(struct commcache_history_domain *domain, int64_t tid)
{
	return !commcache_history_find_thread(domain, tid, -1);
}

bool learn_boot_has_forgotten(const struct learn_boot *boot, int64_t tid)
{
	return is_forgotten(boot->root, tid);
}

/* Of tables whose keys are root tids. */
static gboolean tid_is_forgotten(gpointer key, gpointer value, gpointer boot)
{
	(void) value;
	return learn_boot_has_forgotten(boot, GPOINTER_TO_INT(key));
}

static gboolean alias_is_forgotten(gpointer key, gpointer value, gpointer boot)
{
	(void) value;
	return learn_boot_has_forgotten(boot, (int64_t) key_high(key));
}

static gboolean joined_is_forgotten(gpointer key, gpointer value, gpointer boot)
{
	(void) value;
	return is_forgotten(learn_boot_namespace(boot, key_high(key)),
		key_id(key));
}

void learn_boot_forget_tids(struct learn_boot *boot, GHashTable *table)
{
	(void) g_hash_table_foreach_remove(table, tid_is_forgotten, boot);
}

void learn_boot_forget(struct learn_boot *boot)
{
	learn_boot_forget_tids(boot, boot->numbered);
	learn_boot_forget_tids(boot, boot->inner);
	learn_boot_forget_tids(boot, boot->processes);
	if (boot->vtids)
		learn_boot_forget_tids(boot, boot->vtids);
	(void) g_hash_table_foreach_remove(boot->aliases, alias_is_forgotten,
		boot);
	(void) g_hash_table_foreach_remove(boot->joined, joined_is_forgotten,
		boot);
	learn_programs_forget(boot->programs);
}

/* Longer than any hostname. */
#define HOST_MAX	4096

void learn_boot_save(const struct learn_boot *boot, struct parts_writer *writer)
{
	parts_write_number(writer, boot->host != NULL);
	if (boot->host)
		parts_write_text(writer, boot->host);
	parts_write_bytes(writer, boot->id, sizeof(boot->id));
	parts_write_number(writer, boot->is_lttng);
	parts_write_number(writer, boot->is_lone);
	parts_write_number(writer, boot->has_switches);
	parts_write_number(writer, boot->was_asked);
	parts_write_signed(writer, boot->newest);
	parts_write_signed(writer, boot->slack);
	kept_set_save(boot->aliases, true, writer);
	kept_set_save(boot->joined, true, writer);
	kept_set_save(boot->numbered, false, writer);
	kept_table_save(boot->inner, false, writer, learn_lives_save);
	kept_ids_save(boot->processes, false, writer);
	learn_recorded_save(boot->recorded, writer);
}

static void load_tables(struct learn_boot *boot, struct parts_reader *reader)
{
	kept_set_load(boot->aliases, true, reader);
	kept_set_load(boot->joined, true, reader);
	kept_set_load(boot->numbered, false, reader);
	kept_table_load(boot->inner, false, reader, learn_lives_load);
	kept_ids_load(boot->processes, false, reader);
	learn_recorded_load(boot->recorded, reader);
}

struct learn_boot *learn_boot_load(struct commcache_history *history,
		struct parts_reader *reader)
{
	char *host = parts_read_limited(reader, 1) ?
		parts_read_text(reader, HOST_MAX) : NULL;
	uint8_t id[16];
	struct learn_boot *boot;

	parts_read_bytes(reader, id, sizeof(id));
	boot = learn_boot_create(host, id, NULL);
	free(host);
	if (!learn_boot_reset(boot, history, false)) {
		learn_boot_destroy(boot);
		parts_fail(reader, COMMCACHE_STORE_NO_MEMORY);
		return NULL;
	}
	boot->is_lttng = parts_read_limited(reader, 1);
	boot->is_lone = parts_read_limited(reader, 1);
	boot->has_switches = parts_read_limited(reader, 1);
	boot->was_asked = parts_read_limited(reader, 1);
	boot->newest = parts_read_signed(reader);
	boot->slack = parts_read_signed(reader);
	load_tables(boot, reader);
	return boot;
}
