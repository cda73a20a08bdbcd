/* SPDX-License-Identifier: MIT */
#include "learn/process.h"

#include <glib.h>

#include "learn/kept-table.h"

/* All the pids that there are on most systems, and 8 MB at most. */
#define KEPT_MAX	65536

/* A life of a pid, in one namespace. */
struct life {
	int64_t begin;
	uint64_t inode;
};

struct process {
	/* struct life, in the order in which they were told. Owned by this. */
	GArray *lives;
	bool is_ended;
	bool is_ambiguous;
	/* When, if `is_ended`. */
	int64_t end;
};

struct learn_processes {
	/* vpid -> struct process. Owned by this. */
	GHashTable *table;
	/* Some process has more than one life. */
	bool move;
};

static void destroy_process(void *data)
{
	struct process *process = data;

	g_array_free(process->lives, TRUE);
	g_free(process);
}

struct learn_processes *learn_processes_create(void)
{
	struct learn_processes *processes = g_new0(struct learn_processes, 1);

	processes->table = g_hash_table_new_full(g_direct_hash, g_direct_equal,
		NULL, destroy_process);
	return processes;
}

void learn_processes_destroy(struct learn_processes *processes)
{
	if (!processes)
		return;
	g_hash_table_destroy(processes->table);
	g_free(processes);
}

static struct process *find(const struct learn_processes *processes,
		int64_t vpid)
{
	if (g_hash_table_size(processes->table) == 0)
		return NULL;
	return g_hash_table_lookup(processes->table,
		GINT_TO_POINTER((int) vpid));
}

static struct process *add(struct learn_processes *processes, int64_t vpid)
{
	struct process *process = g_new0(struct process, 1);

	process->lives = g_array_new(FALSE, FALSE, sizeof(struct life));
	g_hash_table_insert(processes->table, GINT_TO_POINTER((int) vpid),
		process);
	return process;
}

void learn_processes_lives_in(struct learn_processes *processes, int64_t vpid,
		uint64_t inode, struct commcache_moment moment)
{
	const struct life life = { moment.time, inode };
	struct process *process = find(processes, vpid);

	if (!process)
		process = add(processes, vpid);
	if (process->lives->len > 0 && g_array_index(process->lives,
			struct life, process->lives->len - 1).inode == inode) {
		process->is_ended = false;
		return;
	}
	if (process->lives->len > 0 && !process->is_ended)
		process->is_ambiguous = true;
	process->is_ended = false;
	processes->move |= process->lives->len > 0;
	g_array_append_val(process->lives, life);
}

bool learn_processes_move(const struct learn_processes *processes)
{
	return processes->move;
}

void learn_processes_ended(struct learn_processes *processes, int64_t vpid,
		struct commcache_moment moment)
{
	struct process *process = find(processes, vpid);

	if (!process)
		return;
	process->is_ended = true;
	process->end = moment.time;
}

static gboolean is_over(gpointer vpid, gpointer value, gpointer horizon)
{
	const struct process *process = value;

	(void) vpid;
	return process->is_ended && process->end < *(const int64_t *) horizon;
}

void learn_processes_forget(struct learn_processes *processes,
		int64_t horizon)
{
	if (g_hash_table_size(processes->table) > KEPT_MAX)
		(void) g_hash_table_foreach_remove(processes->table, is_over,
			&horizon);
}

uint64_t learn_processes_namespace(const struct learn_processes *processes,
		int64_t vpid, struct commcache_moment moment)
{
	const struct process *process = find(processes, vpid);
	const struct life *life;
	guint i;

	if (!process)
		return COMMCACHE_HISTORY_NS_UNKNOWN;
	if (process->is_ambiguous)
		return LEARN_NAMESPACE_AMBIGUOUS;
	/* What came before it was told is its first life's. */
	i = process->lives->len;
	do {
		life = &g_array_index(process->lives, struct life, --i);
	} while (i > 0 && life->begin > moment.time);
	return life->inode;
}

static void save_process(const void *value, struct parts_writer *writer)
{
	const struct process *process = value;
	guint i;

	parts_write_number(writer, process->is_ended);
	parts_write_number(writer, process->is_ambiguous);
	parts_write_signed(writer, process->end);
	parts_write_number(writer, process->lives->len);
	for (i = 0; i < process->lives->len; i++) {
		const struct life *life = &g_array_index(process->lives,
			struct life, i);

		parts_write_signed(writer, life->begin);
		parts_write_number(writer, life->inode);
	}
}

static void *load_process(struct parts_reader *reader)
{
	struct process *process = g_new0(struct process, 1);
	uint64_t count;

	process->lives = g_array_new(FALSE, FALSE, sizeof(struct life));
	process->is_ended = parts_read_limited(reader, 1);
	process->is_ambiguous = parts_read_limited(reader, 1);
	process->end = parts_read_signed(reader);
	count = parts_read_limited(reader, G_MAXINT);
	for (; count > 0 && parts_is_good(reader); count--) {
		struct life life;

		life.begin = parts_read_signed(reader);
		life.inode = parts_read_number(reader);
		g_array_append_val(process->lives, life);
	}
	if (process->lives->len > 0)
		return process;
	destroy_process(process);
	return NULL;
}

void learn_processes_save(const struct learn_processes *processes,
		struct parts_writer *writer)
{
	parts_write_number(writer, processes->move);
	kept_table_save(processes->table, false, writer, save_process);
}

void learn_processes_load(struct learn_processes *processes,
		struct parts_reader *reader)
{
	processes->move = parts_read_limited(reader, 1);
	kept_table_load(processes->table, false, reader, load_process);
}
