/* SPDX-License-Identifier: MIT */
/*
 * Births, deaths and execs.
 */
#include "learn/op.h"

/* Levels of PID namespaces: MAX_PID_NS_LEVEL, include/linux/pid_namespace.h. */
#define LEVELS_MAX	33

static void take_numbers(const struct learn_op *op,
		const struct learn_event *seen, int64_t tid)
{
	struct learn_boot *boot = seen->stream->source->boot;
	int64_t vtids[LEVELS_MAX], inode;
	unsigned int count, i;

	seen->stream->source->learn->numbers_version++;
	learn_boot_born(boot, tid, learn_op_moment(op, seen));
	learn_boot_member(boot, tid, learn_op_id(op, LEARN_PID, seen));
	count = learn_ref_ids(&op->ref[LEARN_VTIDS], seen->event, vtids,
		LEVELS_MAX);
	if (count == 0)
		return;
	if (!learn_ref_integer(&op->ref[LEARN_NS], seen->event, &inode))
		inode = COMMCACHE_HISTORY_NS_UNKNOWN;
	/* The first is of the root namespace, the last of the innermost. */
	learn_boot_alias(boot, tid, vtids[count - 1], inode, seen->moment);
	for (i = 1; i < count - 1; i++)
		learn_boot_alias(boot, tid, vtids[i],
			COMMCACHE_HISTORY_NS_UNKNOWN, seen->moment);
}

enum status learn_take_born(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	const int64_t tid = learn_op_id(op, LEARN_TID, seen);
	struct commcache_comm buffer;
	enum commcache_history_status status;

	if (tid <= 0)
		return STATUS_OK;
	g_hash_table_remove(source->exchanged, GINT_TO_POINTER((int) tid));
	g_hash_table_remove(source->renamings, GINT_TO_POINTER((int) tid));
	g_hash_table_remove(source->last_calls, GINT_TO_POINTER((int) tid));
	if (g_hash_table_remove(source->ending, GINT_TO_POINTER((int) tid)))
		g_hash_table_add(source->reused, GINT_TO_POINTER((int) tid));
	status = commcache_history_born(learn_op_thread(op, LEARN_TID, seen),
		learn_op_moment(op, seen), op->teller,
		learn_op_thread(op, LEARN_PARENT, seen),
		learn_op_comm(op, LEARN_COMM, seen, &buffer));
	if (!op->is_virtual)
		take_numbers(op, seen, tid);
	return learn_status_of(status);
}

void learn_set_moment(GHashTable *moments, int64_t tid,
		struct commcache_moment moment)
{
	struct commcache_moment *copy = g_new(struct commcache_moment, 1);

	*copy = moment;
	g_hash_table_insert(moments, GINT_TO_POINTER((int) tid), copy);
}

enum status learn_take_ending(const struct learn_op *op,
		const struct learn_event *seen)
{
	const int64_t tid = learn_op_id(op, LEARN_TID, seen);

	if (tid > 0)
		learn_set_moment(seen->stream->source->ending, tid,
			seen->moment);
	return learn_take_is(op, seen);
}

enum status learn_take_dies(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	const int64_t tid = learn_op_id(op, LEARN_TID, seen);
	struct commcache_comm buffer;

	if (g_hash_table_remove(source->exchanged, GINT_TO_POINTER((int) tid))
			&& learn_take_is(op, seen) != STATUS_OK)
		return STATUS_MEMORY_ERROR;
	if (op->is_virtual) {
		source->learn->numbers_version++;
		learn_processes_ended(source->processes, tid, seen->moment);
	}
	if (op->flags & LEARN_LATE) {
		/* It is the former thread's: the number is in use again. */
		if (g_hash_table_remove(source->reused,
				GINT_TO_POINTER((int) tid)))
			return STATUS_OK;
		g_hash_table_remove(source->ending,
			GINT_TO_POINTER((int) tid));
	}
	return learn_status_of(commcache_history_dies(
		learn_op_subject(op, seen), learn_op_moment(op, seen),
		learn_op_comm(op, LEARN_COMM, seen, &buffer)));
}

static bool is_before(struct commcache_moment a, struct commcache_moment b)
{
	return a.time < b.time || (a.time == b.time && a.order < b.order);
}

/*
 * An exec by a thread that is no leader: it has the leader's tid now. *since:
 * when the call was entered, or before all; then when it took effect.
 */
static enum status take_over(const struct learn_op *op,
		const struct learn_event *seen, int64_t tid, int64_t old_tid,
		struct commcache_moment *since)
{
	struct learn_source *source = seen->stream->source;
	struct commcache_cpus *cpus = learn_source_cpus(source);
	const struct commcache_moment *ending = g_hash_table_lookup(
		source->ending, GINT_TO_POINTER((int) tid));
	struct commcache_moment floor = *since;

	/* The leader has to end first. */
	if (ending && is_before(floor, *ending))
		floor = commcache_moment_after(*ending);
	g_hash_table_remove(source->ending, GINT_TO_POINTER((int) tid));
	*since = seen->moment;
	if (cpus && seen->cpu >= 0 &&
			commcache_cpus_exec(cpus, seen->cpu, seen->moment,
				floor, tid, old_tid, since) ==
			COMMCACHE_HISTORY_NO_MEMORY)
		return STATUS_MEMORY_ERROR;
	/* Contexts tell it to the event. */
	if (seen->stream->run_tid == tid)
		*since = is_before(seen->stream->run_since, floor) ? floor :
			seen->stream->run_since;
	/* What is left of the leader bears the other number from now on. */
	g_hash_table_add(source->exchanged, GINT_TO_POINTER((int) old_tid));
	return learn_status_of(commcache_history_takes_over(
		learn_op_thread(op, LEARN_TID, seen),
		learn_op_thread(op, LEARN_OLD_TID, seen), *since));
}

/*
 * The last moment before the name that holds at `end` was shown first; at
 * `begin`, it is known only from that. By halves: this is a rare case.
 */
static struct commcache_moment before_shown(
		struct commcache_history_thread *thread, int64_t begin,
		int64_t end)
{
	while (end - begin > 1) {
		const int64_t middle = begin + (end - begin) / 2;

		if (commcache_history_resolve(thread, commcache_moment(middle,
				UINT32_MAX)).source == COMMCACHE_HISTORY_LATER)
			begin = middle;
		else
			end = middle;
	}
	return commcache_moment(begin, UINT32_MAX);
}

/*
 * A thread that was renamed, not told how, and then runs a program: what a
 * record showed of its name in between can be the program's already, for an
 * exec takes effect well before it is recorded. Then nothing tells what it was
 * called until it was shown.
 */
static enum status part_renames(const struct learn_event *seen,
		int64_t tid, struct commcache_history_thread *thread,
		const struct commcache_comm *comm)
{
	GHashTable *last_calls = seen->stream->source->last_calls;
	const struct commcache_moment *last = g_hash_table_lookup(last_calls,
		GINT_TO_POINTER((int) tid));
	struct commcache_history_name name;
	struct commcache_moment moment;
	enum status status = STATUS_OK;

	if (!last)
		return STATUS_OK;
	name = commcache_history_resolve(thread, *last);
	if (name.source == COMMCACHE_HISTORY_LATER &&
			commcache_comm_equal(name.comm, comm)) {
		moment = before_shown(thread, last->time, seen->moment.time);
		status = learn_status_of(commcache_history_renamed(thread,
			moment, moment, NULL));
	}
	g_hash_table_remove(last_calls, GINT_TO_POINTER((int) tid));
	return status;
}

enum status learn_take_exec(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	const int64_t tid = learn_op_id(op, LEARN_TID, seen);
	const int64_t old_tid = learn_op_id(op, LEARN_OLD_TID, seen);
	struct commcache_history_thread *thread =
		learn_op_thread(op, LEARN_TID, seen);
	struct commcache_moment since = commcache_moment(INT64_MIN, 0);
	struct commcache_comm comm;
	const char *path;
	uint64_t length;
	bool is_named;

	(void) learn_syscalls_exec_done(source->syscalls,
		old_tid > 0 ? old_tid : tid, &since);
	if (old_tid > 0 && old_tid != tid &&
			take_over(op, seen, tid, old_tid, &since) != STATUS_OK)
		return STATUS_MEMORY_ERROR;
	path = learn_ref_text(&op->ref[LEARN_FILENAME], seen->event, &length);
	is_named = path && learn_exec_comm(path, length, &comm);
	if (is_named && part_renames(seen, old_tid > 0 ? old_tid : tid,
			thread, &comm) != STATUS_OK)
		return STATUS_MEMORY_ERROR;
	if (since.time == INT64_MIN)
		since = seen->moment;
	return learn_status_of(commcache_history_renamed(thread, since,
		seen->moment, is_named ? &comm : NULL));
}
