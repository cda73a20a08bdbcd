/* SPDX-License-Identifier: MIT */
#include "learn/process.h"

#include <glib.h>

#include "learn/kept-table.h"
#include "learn/lives.h"

/* All the pids that there are on most systems, and 8 MB at most. */
#define KEPT_MAX	65536

struct process {
	/* As they were told, each in one namespace. Owned by this. */
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

	learn_lives_destroy(process->lives);
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

	process->lives = learn_lives_create();
	g_hash_table_insert(processes->table, GINT_TO_POINTER((int) vpid),
		process);
	return process;
}

void learn_processes_lives_in(struct learn_processes *processes, int64_t vpid,
		uint64_t inode, struct commcache_moment moment)
{
	const struct learn_life life = { moment.time, inode };
	struct process *process = find(processes, vpid);
	const struct learn_life *last;

	if (!process)
		process = add(processes, vpid);
	last = learn_lives_last(process->lives);
	if (last && last->inode == inode) {
		process->is_ended = false;
		return;
	}
	if (last && !process->is_ended)
		process->is_ambiguous = true;
	process->is_ended = false;
	processes->move |= last != NULL;
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

	if (!process)
		return COMMCACHE_HISTORY_NS_UNKNOWN;
	if (process->is_ambiguous)
		return LEARN_NAMESPACE_AMBIGUOUS;
	return learn_lives_namespace(process->lives, moment);
}

static void save_process(const void *value, struct parts_writer *writer)
{
	const struct process *process = value;

	parts_write_number(writer, process->is_ended);
	parts_write_number(writer, process->is_ambiguous);
	parts_write_signed(writer, process->end);
	learn_lives_save(process->lives, writer);
}

static void *load_process(struct parts_reader *reader)
{
	struct process *process = g_new0(struct process, 1);

	process->is_ended = parts_read_limited(reader, 1);
	process->is_ambiguous = parts_read_limited(reader, 1);
	process->end = parts_read_signed(reader);
	process->lives = learn_lives_load(reader);
	if (process->lives)
		return process;
	g_free(process);
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
