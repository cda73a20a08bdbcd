/* SPDX-License-Identifier: MIT */
/*
 * What an event says of names.
 */
#include "learn/source.h"

/* Levels of PID namespaces: MAX_PID_NS_LEVEL, include/linux/pid_namespace.h. */
#define LEVELS_MAX	33

static int64_t id_of(const struct learn_op *op, enum learn_role role,
		const struct learn_event *seen)
{
	return learn_ref_id(&op->ref[role], seen->event);
}

static struct commcache_history_domain *domain_of(const struct learn_op *op,
		const struct learn_event *seen)
{
	return op->is_virtual && seen->virtual_domain ? seen->virtual_domain :
		seen->stream->source->boot->root;
}

static struct commcache_history_thread *thread_of(const struct learn_op *op,
		enum learn_role role, const struct learn_event *seen)
{
	/* The id of no thread makes none. */
	return commcache_history_thread(domain_of(op, seen),
		id_of(op, role, seen), seen->cpu);
}

/* The thread that the evidence is of; NULL: none that is known. */
static struct commcache_history_thread *subject_of(const struct learn_op *op,
		const struct learn_event *seen)
{
	return op->of_runner ? seen->runner : thread_of(op, LEARN_TID, seen);
}

/* Reads a name; NULL: there is none, or it is one that says "unknown". */
static const struct commcache_comm *comm_of(const struct learn_op *op,
		enum learn_role role, const struct learn_event *seen,
		struct commcache_comm *comm)
{
	if (!learn_ref_comm(&op->ref[role], seen->event, comm) ||
			commcache_comm_equal(comm,
				&seen->stream->source->learn->unknown))
		return NULL;
	return comm;
}

/* When it was: the event's moment, unless the event tells another. */
static struct commcache_moment moment_of(const struct learn_op *op,
		const struct learn_event *seen)
{
	int64_t time;

	if (learn_ref_integer(&op->ref[LEARN_TIME], seen->event, &time) &&
			time > 0)
		return commcache_moment(time, 0);
	if (op->flags & LEARN_BEFORE_CHANGE)
		return commcache_moment_after(seen->moment);
	return seen->moment;
}

static enum learn_status checked(enum commcache_history_status status)
{
	/* INVALID: evidence of no thread, which is no evidence. */
	return status == COMMCACHE_HISTORY_NO_MEMORY ? LEARN_NO_MEMORY :
		LEARN_OK;
}

static enum learn_status take_is(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct commcache_history_thread *thread = subject_of(op, seen);
	struct commcache_comm buffer;
	const struct commcache_comm *comm;

	if (!thread)
		return LEARN_OK;
	comm = comm_of(op, LEARN_COMM, seen, &buffer);
	if (!comm)
		return LEARN_OK;
	if (op->flags & LEARN_WEAK)
		return checked(commcache_history_procname(thread,
			seen->moment, comm));
	return checked(commcache_history_is(thread, moment_of(op, seen), comm));
}

static enum learn_status take_becomes(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct commcache_comm old, comm;

	return checked(commcache_history_becomes(subject_of(op, seen),
		moment_of(op, seen), comm_of(op, LEARN_OLD_COMM, seen, &old),
		comm_of(op, LEARN_COMM, seen, &comm)));
}

static void take_numbers(const struct learn_op *op,
		const struct learn_event *seen, int64_t tid)
{
	struct learn_boot *boot = seen->stream->source->boot;
	int64_t vtids[LEVELS_MAX], inode;
	unsigned int count, i;

	learn_boot_born(boot, tid);
	learn_boot_member(boot, tid, id_of(op, LEARN_PID, seen));
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

static enum learn_status take_born(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	const int64_t tid = id_of(op, LEARN_TID, seen);
	struct commcache_comm buffer;
	enum commcache_history_status status;

	if (tid <= 0)
		return LEARN_OK;
	g_hash_table_remove(source->exchanged, GINT_TO_POINTER((int) tid));
	if (g_hash_table_remove(source->ending, GINT_TO_POINTER((int) tid)))
		g_hash_table_add(source->reused, GINT_TO_POINTER((int) tid));
	status = commcache_history_born(thread_of(op, LEARN_TID, seen),
		moment_of(op, seen), op->teller,
		thread_of(op, LEARN_PARENT, seen),
		comm_of(op, LEARN_COMM, seen, &buffer));
	if (!op->is_virtual)
		take_numbers(op, seen, tid);
	return checked(status);
}

static void set_moment(GHashTable *moments, int64_t tid,
		struct commcache_moment moment)
{
	struct commcache_moment *copy = g_new(struct commcache_moment, 1);

	*copy = moment;
	g_hash_table_insert(moments, GINT_TO_POINTER((int) tid), copy);
}

static enum learn_status take_ending(const struct learn_op *op,
		const struct learn_event *seen)
{
	const int64_t tid = id_of(op, LEARN_TID, seen);

	if (tid > 0)
		set_moment(seen->stream->source->ending, tid, seen->moment);
	return take_is(op, seen);
}

static enum learn_status take_dies(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	const int64_t tid = id_of(op, LEARN_TID, seen);
	struct commcache_comm buffer;

	if (g_hash_table_remove(source->exchanged, GINT_TO_POINTER((int) tid))
			&& take_is(op, seen) != LEARN_OK)
		return LEARN_NO_MEMORY;
	if (op->flags & LEARN_LATE) {
		/* It is the former thread's: the number is in use again. */
		if (g_hash_table_remove(source->reused,
				GINT_TO_POINTER((int) tid)))
			return LEARN_OK;
		g_hash_table_remove(source->ending,
			GINT_TO_POINTER((int) tid));
	}
	return checked(commcache_history_dies(subject_of(op, seen),
		moment_of(op, seen), comm_of(op, LEARN_COMM, seen, &buffer)));
}

static bool is_before(struct commcache_moment a, struct commcache_moment b)
{
	return a.time < b.time || (a.time == b.time && a.order < b.order);
}

/*
 * An exec by a thread that is no leader: it has the leader's tid now. *since:
 * when the call was entered, or before all; then when it took effect.
 */
static enum learn_status take_over(const struct learn_op *op,
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
		return LEARN_NO_MEMORY;
	/* Contexts tell it to the event. */
	if (seen->stream->run_tid == tid)
		*since = is_before(seen->stream->run_since, floor) ? floor :
			seen->stream->run_since;
	/* What is left of the leader bears the other number from now on. */
	g_hash_table_add(source->exchanged, GINT_TO_POINTER((int) old_tid));
	return checked(commcache_history_takes_over(
		thread_of(op, LEARN_TID, seen),
		thread_of(op, LEARN_OLD_TID, seen), *since));
}

static void note_call(struct learn_source *source, int64_t tid,
		struct commcache_moment moment)
{
	struct commcache_moment *last;

	if (g_hash_table_size(source->last_calls) == 0)
		return;
	last = g_hash_table_lookup(source->last_calls,
		GINT_TO_POINTER((int) tid));
	if (last)
		*last = moment;
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
static enum learn_status part_renames(const struct learn_event *seen,
		int64_t tid, struct commcache_history_thread *thread,
		const struct commcache_comm *comm)
{
	GHashTable *last_calls = seen->stream->source->last_calls;
	const struct commcache_moment *last = g_hash_table_lookup(last_calls,
		GINT_TO_POINTER((int) tid));
	struct commcache_history_name name;
	struct commcache_moment moment;
	enum learn_status status = LEARN_OK;

	if (!last)
		return LEARN_OK;
	name = commcache_history_resolve(thread, *last);
	if (name.source == COMMCACHE_HISTORY_LATER &&
			commcache_comm_equal(name.comm, comm)) {
		moment = before_shown(thread, last->time, seen->moment.time);
		status = checked(commcache_history_renamed(thread, moment,
			moment, NULL));
	}
	g_hash_table_remove(last_calls, GINT_TO_POINTER((int) tid));
	return status;
}

static enum learn_status take_exec(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	const int64_t tid = id_of(op, LEARN_TID, seen);
	const int64_t old_tid = id_of(op, LEARN_OLD_TID, seen);
	struct commcache_history_thread *thread = thread_of(op, LEARN_TID, seen);
	struct commcache_moment since = commcache_moment(INT64_MIN, 0);
	struct commcache_comm comm;
	const char *path;
	uint64_t length;
	bool is_named;

	(void) learn_syscalls_exec_done(source->syscalls,
		old_tid > 0 ? old_tid : tid, &since);
	if (old_tid > 0 && old_tid != tid &&
			take_over(op, seen, tid, old_tid, &since) != LEARN_OK)
		return LEARN_NO_MEMORY;
	path = learn_ref_text(&op->ref[LEARN_FILENAME], seen->event, &length);
	is_named = path && learn_exec_comm(path, length, &comm);
	if (is_named && part_renames(seen, old_tid > 0 ? old_tid : tid,
			thread, &comm) != LEARN_OK)
		return LEARN_NO_MEMORY;
	if (since.time == INT64_MIN)
		since = seen->moment;
	return checked(commcache_history_renamed(thread, since, seen->moment,
		is_named ? &comm : NULL));
}

static enum learn_status move_cpu(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct commcache_cpus *cpus;

	seen->stream->last_switch = seen->moment;
	if (seen->cpu < 0)
		return LEARN_OK;
	cpus = learn_source_cpus(seen->stream->source);
	if (!cpus)
		return LEARN_OK;
	return checked(commcache_cpus_switch(cpus, seen->cpu, seen->moment,
		id_of(op, LEARN_TID, seen), id_of(op, LEARN_NEXT_TID, seen)));
}

static enum learn_status take_switch(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct commcache_comm buffer;
	const struct commcache_comm *comm;

	seen->stream->run_tid = -1;
	if (move_cpu(op, seen) != LEARN_OK || take_is(op, seen) != LEARN_OK)
		return LEARN_NO_MEMORY;
	comm = comm_of(op, LEARN_NEXT_COMM, seen, &buffer);
	return comm ? checked(commcache_history_is(
			thread_of(op, LEARN_NEXT_TID, seen), seen->moment,
			comm)) : LEARN_OK;
}

static void take_alias(const struct learn_op *op,
		const struct learn_event *seen)
{
	int64_t inode;

	if (!learn_ref_integer(&op->ref[LEARN_NS], seen->event, &inode))
		return;
	learn_boot_alias(seen->stream->source->boot,
		id_of(op, LEARN_TID, seen), id_of(op, LEARN_VTID, seen), inode,
		seen->moment);
}

static void take_lives_in(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	const int64_t vpid = id_of(op, LEARN_TID, seen);
	const uint64_t *known;
	uint64_t *copy;
	int64_t inode;

	if (vpid <= 0 || !learn_ref_integer(&op->ref[LEARN_NS], seen->event,
			&inode) || inode <= 0)
		return;
	known = g_hash_table_lookup(source->process_namespaces,
		GINT_TO_POINTER((int) vpid));
	if (known && *known == (uint64_t) inode)
		return;
	copy = g_new(uint64_t, 1);
	*copy = inode;
	g_hash_table_insert(source->process_namespaces,
		GINT_TO_POINTER((int) vpid), copy);
	source->process_generation++;
}

static void enter_call(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	struct learn_syscalls *syscalls = source->syscalls;
	const int64_t tid = seen->runner_tid;
	const int64_t pid = learn_boot_process_of(source->boot, tid);
	int64_t first = -1, second = -1;
	const char *path = NULL;
	uint64_t length = 0;

	switch (op->kind) {
	case LEARN_ENTER_PRCTL:
		if (learn_ref_integer(&op->ref[LEARN_OPTION], seen->event,
				&first))
			learn_syscalls_prctl(syscalls, tid, seen->moment,
				first);
		break;
	case LEARN_ENTER_EXEC:
		path = learn_ref_text(&op->ref[LEARN_FILENAME], seen->event,
			&length);
		learn_syscalls_exec(syscalls, tid, seen->moment, path, length);
		break;
	case LEARN_ENTER_OPEN:
		path = learn_ref_text(&op->ref[LEARN_FILENAME], seen->event,
			&length);
		/* Where the flags are not told, it may be for writing. */
		(void) learn_ref_integer(&op->ref[LEARN_FLAGS], seen->event,
			&first);
		learn_syscalls_open(syscalls, tid, pid, seen->moment, path,
			length, first);
		break;
	case LEARN_ENTER_WRITE:
		if (learn_ref_integer(&op->ref[LEARN_FD], seen->event, &first))
			learn_syscalls_write(syscalls, tid, pid, seen->moment,
				first);
		break;
	case LEARN_ENTER_DUP:
		(void) learn_ref_integer(&op->ref[LEARN_NEW_FD], seen->event,
			&second);
		if (learn_ref_integer(&op->ref[LEARN_FD], seen->event, &first))
			learn_syscalls_dup(syscalls, tid, pid, seen->moment,
				first, second);
		break;
	case LEARN_ENTER_CLOSE:
		if (learn_ref_integer(&op->ref[LEARN_FD], seen->event, &first))
			learn_syscalls_close(syscalls, pid, first);
		break;
	default:
		break;
	}
}

static enum learn_status leave_call(const struct learn_op *op,
		const struct learn_event *seen)
{
	struct learn_boot *boot = seen->stream->source->boot;
	struct commcache_history_domain *domain = boot->root;
	struct learn_call_result result;
	int64_t ret;

	if (!learn_ref_integer(&op->ref[LEARN_RET], seen->event, &ret) ||
			!learn_syscalls_leave(seen->stream->source->syscalls,
				seen->runner_tid, ret, &result))
		return LEARN_OK;
	if (result.call == LEARN_CALL_RENAME && result.tid_is_root)
		set_moment(seen->stream->source->last_calls, result.tid,
			seen->moment);
	if (!result.tid_is_root)
		domain = learn_boot_namespace(boot, learn_boot_namespace_of(
			boot, seen->runner_tid));
	return checked(commcache_history_renamed(
		commcache_history_thread(domain, result.tid, seen->cpu),
		result.since, seen->moment,
		result.call == LEARN_CALL_EXEC && result.comm.str[0] ?
			&result.comm : NULL));
}

static enum learn_status take(const struct learn_op *op,
		const struct learn_event *seen)
{
	switch (op->kind) {
	case LEARN_IS:
		return take_is(op, seen);
	case LEARN_BECOMES:
		return take_becomes(op, seen);
	case LEARN_BORN:
		return take_born(op, seen);
	case LEARN_ENDING:
		return take_ending(op, seen);
	case LEARN_DIES:
		return take_dies(op, seen);
	case LEARN_EXEC:
		return take_exec(op, seen);
	case LEARN_SWITCH:
		return take_switch(op, seen);
	case LEARN_MEMBER_OF:
		learn_boot_member(seen->stream->source->boot,
			id_of(op, LEARN_TID, seen), id_of(op, LEARN_PID, seen));
		return LEARN_OK;
	case LEARN_ALIAS:
		take_alias(op, seen);
		return LEARN_OK;
	case LEARN_LIVES_IN:
		take_lives_in(op, seen);
		return LEARN_OK;
	case LEARN_CALLS:
		if (seen->runner_tid > 0)
			note_call(seen->stream->source, seen->runner_tid,
				seen->moment);
		return LEARN_OK;
	case LEARN_LEAVE:
		return seen->runner_tid > 0 ? leave_call(op, seen) : LEARN_OK;
	default:
		if (seen->runner_tid > 0)
			enter_call(op, seen);
		return LEARN_OK;
	}
}

enum learn_status learn_take(const struct learn_event *seen)
{
	const struct learn_plan *plan = seen->plan;
	size_t i;

	for (i = 0; i < plan->op_count; i++) {
		if (take(&plan->ops[i], seen) != LEARN_OK)
			return LEARN_NO_MEMORY;
	}
	return LEARN_OK;
}

enum learn_status learn_follow(const struct learn_event *seen)
{
	struct learn_source *source = seen->stream->source;
	size_t i;

	for (i = 0; i < seen->plan->op_count; i++) {
		const struct learn_op *op = &seen->plan->ops[i];
		const int64_t old_tid = id_of(op, LEARN_OLD_TID, seen);

		if (op->kind == LEARN_SWITCH && move_cpu(op, seen) != LEARN_OK)
			return LEARN_NO_MEMORY;
		if (op->kind != LEARN_EXEC || old_tid < 0 || !source->cpus ||
				seen->cpu < 0)
			continue;
		/* What the floor was is known from the first pass. */
		if (commcache_cpus_exec(source->cpus, seen->cpu, seen->moment,
				commcache_moment(INT64_MIN, 0),
				id_of(op, LEARN_TID, seen), old_tid, NULL) ==
				COMMCACHE_HISTORY_NO_MEMORY)
			return LEARN_NO_MEMORY;
	}
	return LEARN_OK;
}
