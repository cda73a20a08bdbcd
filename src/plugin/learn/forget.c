/* SPDX-License-Identifier: MIT */
/*
 * Endless streams: what can no longer be asked goes.
 */
#include "learn/source.h"

static int64_t horizon_of(const struct learn_boot *boot)
{
	return boot->newest < INT64_MIN + boot->slack ? INT64_MIN :
		boot->newest - boot->slack;
}

/* Switches come without end also where no name changes. */
static void forget_switches(struct learn_boot *boot)
{
	guint i;

	for (i = 0; i < boot->sources->len; i++) {
		struct learn_source *source = boot->sources->pdata[i];

		if (source->cpus)
			commcache_cpus_forget(source->cpus, horizon_of(boot));
	}
}

static gboolean seen_is_forgotten(gpointer key, gpointer tid, gpointer boot)
{
	(void) key;
	return learn_boot_has_forgotten(boot, GPOINTER_TO_INT(tid));
}

/* What the history has forgotten. The tids of a UST trace are not the root's. */
static void forget_of_source(struct learn_source *source)
{
	struct learn_boot *boot = source->boot;

	(void) g_hash_table_foreach_remove(source->seen_on_cpu,
		seen_is_forgotten, boot);
	learn_processes_forget(source->processes, horizon_of(boot));
	if (source->table->ids_virtual)
		return;
	learn_boot_forget_tids(boot, source->ending);
	learn_boot_forget_tids(boot, source->reused);
	learn_boot_forget_tids(boot, source->exchanged);
	learn_boot_forget_tids(boot, source->last_calls);
	learn_boot_forget_tids(boot, source->renamings);
	learn_syscalls_forget(source->syscalls, boot);
}

/* Nothing will ever be of such a boot again: all its history goes. */
static bool drop_lone_boots(struct learn *learn)
{
	const struct commcache_moment end =
		commcache_moment(INT64_MAX, UINT32_MAX);
	guint i = learn->boots->len;
	bool has_dropped = false;

	while (i-- > 0) {
		struct learn_boot *boot = learn->boots->pdata[i];

		if (!boot->is_lone || boot->sources->len > 0 ||
				commcache_history_forget(boot->root, end) ==
				COMMCACHE_HISTORY_NO_MEMORY)
			continue;
		g_ptr_array_remove_index_fast(learn->boots, i);
		learn_boot_destroy(boot);
		has_dropped = true;
	}
	if (has_dropped)
		learn->numbers_version++;
	return has_dropped;
}

bool learn_forget(struct learn *learn)
{
	struct commcache_history_stats stats;
	bool has_dropped;
	guint i;

	if (learn->pass != LEARN_PASS_ONLY)
		return false;
	has_dropped = drop_lone_boots(learn);
	for (i = 0; i < learn->boots->len; i++)
		forget_switches(learn->boots->pdata[i]);
	commcache_history_get_stats(learn->history, &stats);
	if (stats.changes < 2 * learn->kept_changes + 4096 &&
			stats.threads < 2 * learn->kept_threads + 4096)
		return has_dropped;
	for (i = 0; i < learn->boots->len; i++) {
		struct learn_boot *boot = learn->boots->pdata[i];

		(void) commcache_history_forget(boot->root,
			commcache_moment(horizon_of(boot), 0));
		learn_boot_forget(boot);
	}
	for (i = 0; i < learn->sources->len; i++)
		forget_of_source(learn->sources->pdata[i]);
	learn->numbers_version++;
	commcache_history_get_stats(learn->history, &stats);
	learn->kept_changes = stats.changes;
	learn->kept_threads = stats.threads;
	return true;
}
