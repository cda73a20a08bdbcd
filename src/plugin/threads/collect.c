/* SPDX-License-Identifier: MIT */
#include "threads/collect.h"

#include "learn/plan.h"
#include "threads/cpu.h"
#include "threads/half.h"

/* Levels of PID namespaces: MAX_PID_NS_LEVEL, include/linux/pid_namespace.h. */
#define LEVELS_MAX	33

static void note_clock(struct threads_boot *boot,
		const struct mirror_event *event, bool tells_cpus)
{
	/*
	 * The clocks of a boot's traces differ by a little; most of what is
	 * told of names is the kernel's.
	 */
	if (!event->clock || (boot->clock_class &&
			(boot->clock_tells_cpus || !tells_cpus)))
		return;
	bt_clock_class_put_ref(boot->clock_class);
	boot->clock_class =
		bt_clock_snapshot_borrow_clock_class_const(event->clock);
	bt_clock_class_get_ref(boot->clock_class);
	boot->clock_tells_cpus = tells_cpus;
}

/* As babeltrace2 prints it: by the event's own clock. */
static int64_t time_of(const struct mirror_event *event)
{
	int64_t time;

	if (!event->clock || bt_clock_snapshot_get_ns_from_origin(event->clock,
			&time) != BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
		return THREADS_NO_TIME;
	return time;
}

static void tell_pid(struct threads_life *life, int64_t pid)
{
	if (life->pid < 0 && pid > 0)
		life->pid = pid;
}

static void tell_namespace(struct threads_life *life, uint64_t ns_inum,
		int64_t vtid, int level)
{
	if (level <= life->level || vtid <= 0)
		return;
	life->ns_inum = ns_inum;
	life->vtid = vtid;
	life->level = level;
}

static void watch_event(struct threads *threads, struct lane **lane,
		const struct learn_event *seen, int64_t time)
{
	const struct threads_watcher *watcher = threads->watcher;

	/* Without a clock, the moment is but the place in the trace. */
	if (watcher && time != THREADS_NO_TIME)
		watcher->event(watcher->data, lane, seen->moment.time);
}

/* Nothing tells a name of the thread that ran the event but the event. */
static void count_stray(struct threads *threads, struct threads_boot *boot,
		const struct learn_event *seen, int64_t time)
{
	struct threads_stray *stray = &boot->unknown;
	struct commcache_comm comm;

	if (learn_ref_comm(&seen->plan->procname, seen->event, &comm)) {
		stray = g_hash_table_lookup(boot->strays, comm.str);
		if (!stray) {
			stray = g_new0(struct threads_stray, 1);
			stray->comm = comm;
			stray->counts = threads_no_counts;
			g_hash_table_insert(boot->strays, stray->comm.str,
				stray);
		}
	}
	threads_count_event(&stray->counts, time);
	watch_event(threads, &stray->lane, seen, time);
}

/* The process as the thread sees it, as the root namespace does. */
static int64_t root_pid(struct threads *threads, const struct learn_event *seen,
		int64_t vpid)
{
	struct commcache_history_thread *handle = commcache_history_find_thread(
		seen->virtual_domain, vpid, -1);

	return handle ? threads_name_at(threads_get(threads, handle),
		seen->moment)->root_tid : THREADS_NO_ID;
}

/* What the contexts tell of the thread that ran the event. */
static void take_contexts(struct threads *threads,
		const struct learn_event *seen,
		const struct threads_thread *thread, struct threads_life *life,
		bool is_redirected)
{
	const struct learn_plan *plan = seen->plan;
	const int64_t vpid = learn_ref_id(&plan->vpid, seen->event);
	int64_t inode;

	if (thread->ns_inum == COMMCACHE_HISTORY_NS_ROOT)
		tell_pid(life, learn_ref_id(&plan->pid, seen->event));
	/* Who is of no inner namespace has but one number. */
	if (vpid > 0 && !is_redirected && (seen->runner_tid < 0 ||
			learn_boot_namespace_of(thread->boot->learned,
				seen->runner_tid, seen->moment) ==
			COMMCACHE_HISTORY_NS_ROOT))
		tell_pid(life, vpid);
	else if (vpid > 0 && life->pid < 0 && seen->virtual_domain)
		tell_pid(life, root_pid(threads, seen, vpid));
	if (plan->runner_virtual && life->level < 0 &&
			learn_ref_integer(&plan->pid_ns, seen->event, &inode) &&
			inode > 0)
		tell_namespace(life, (uint64_t) inode,
			learn_ref_id(&plan->runner, seen->event), 0);
}

static void count_runner(struct threads *threads,
		const struct learn_event *seen, int64_t time)
{
	struct threads_thread *runner = threads_get(threads, seen->runner);
	struct threads_thread *thread = runner;
	struct threads_name *name = threads_root_name_at(threads, &thread,
		seen->moment);
	struct threads_life *life = threads_life_of(thread, name);

	threads_count_event(&name->counts, time);
	watch_event(threads, &life->lane, seen, time);
	thread->boot->has_root_ids |= seen->runner_tid >= 0;
	if (life->pid < 0 || life->level < 0)
		take_contexts(threads, seen, thread, life, thread != runner);
}

/* The life that a row's member means, at that moment. */
static struct threads_life *find_life(struct threads *threads,
		const struct learn_event *seen, const struct learn_op *op,
		struct commcache_moment moment)
{
	const struct learn_id id = {
		.ref = op->ref[LEARN_TID],
		.is_virtual = op->is_virtual,
	};
	struct commcache_history_thread *handle = learn_find_thread(seen, &id);
	struct threads_thread *thread;
	struct threads_name *name;

	if (!handle)
		return NULL;
	thread = threads_get(threads, handle);
	name = threads_name_at(thread, moment);
	return threads_life_of(thread, name);
}

/* Right after what it tells of, which need not be when the event was written. */
static struct commcache_moment moment_after(const struct learn_event *seen,
		const struct learn_op *op)
{
	int64_t time;

	if (learn_told_time(op, seen, &time))
		return commcache_moment(time, UINT32_MAX);
	return commcache_moment_after(seen->moment);
}

static bool is_told(const struct learn_op *op, enum learn_role role)
{
	return op->ref[role].reader != LEARN_ABSENT;
}

static void take_alias(struct threads_life *life,
		const struct learn_event *seen, const struct learn_op *op)
{
	const int64_t vtid = learn_ref_id(&op->ref[LEARN_VTID], seen->event);
	int64_t inode, level;

	if (!learn_ref_integer(&op->ref[LEARN_NS], seen->event, &inode))
		return;
	if (!learn_ref_integer(&op->ref[LEARN_LEVEL], seen->event, &level))
		level = inode != (int64_t) COMMCACHE_HISTORY_NS_ROOT;
	tell_namespace(life, (uint64_t) inode, vtid,
		(int) CLAMP(level, -1, LEVELS_MAX));
}

/* The last of a child's numbers is of its innermost namespace. */
static void take_child(struct threads_life *life,
		const struct learn_event *seen, const struct learn_op *op)
{
	int64_t vtids[LEVELS_MAX], inode;
	const unsigned int count = learn_ref_ids(&op->ref[LEARN_VTIDS],
		seen->event, vtids, LEVELS_MAX);

	if (count > 0 && learn_ref_integer(&op->ref[LEARN_NS], seen->event,
			&inode))
		tell_namespace(life, (uint64_t) inode, vtids[count - 1],
			(int) count - 1);
}

/* What a row tells of a thread besides its name. */
static void take(struct threads *threads, const struct learn_event *seen,
		const struct learn_op *op)
{
	struct threads_life *life;

	if (!is_told(op, LEARN_PID) && !is_told(op, LEARN_NS) &&
			op->kind != LEARN_EXEC)
		return;
	life = find_life(threads, seen, op, moment_after(seen, op));
	if (!life)
		return;
	/* Whoever runs a program is, from then on, its process's leader. */
	tell_pid(life, learn_ref_id(&op->ref[op->kind == LEARN_EXEC ?
		LEARN_TID : LEARN_PID], seen->event));
	if (op->kind == LEARN_ALIAS)
		take_alias(life, seen, op);
	else if (op->kind == LEARN_BORN)
		take_child(life, seen, op);
}

/* Once: of a number that is free, it is told late, when another has it. */
static void take_end(struct threads *threads, const struct learn_event *seen,
		const struct learn_op *op)
{
	struct threads_life *life;

	if (op->flags & LEARN_LATE)
		return;
	life = find_life(threads, seen, op, seen->moment);
	if (life)
		life->end = seen->moment.time;
}

static void take_row(struct threads *threads, struct threads_boot *boot,
		const struct learn_event *seen, const struct learn_op *op)
{
	switch (op->kind) {
	case LEARN_ENDING:
	case LEARN_DIES:
		take_end(threads, seen, op);
		break;
	case LEARN_HALF_SWITCH:
		take(threads, seen, op);
		if (!learn_stream_has_switches(seen->stream))
			threads_take_half(threads, boot, seen, op);
		break;
	case LEARN_HALVES_LOST:
		threads_take_lost(boot, seen, op);
		break;
	default:
		take(threads, seen, op);
		break;
	}
}

void threads_collect_event(struct threads *threads,
		const struct mirror_event *event,
		const struct learn_event *seen)
{
	const bool tells_cpus = learn_stream_tells_cpus(seen->stream);
	struct threads_boot *boot = threads_boot_of(threads,
		learn_stream_boot(seen->stream));
	const int64_t time = time_of(event);
	size_t i;

	note_clock(boot, event, tells_cpus);
	if (seen->runner)
		count_runner(threads, seen, time);
	else
		count_stray(threads, boot, seen, time);
	for (i = 0; i < seen->plan->op_count; i++) {
		const struct learn_op *op = &seen->plan->ops[i];

		boot->has_root_ids |= !op->is_virtual &&
			is_told(op, LEARN_TID);
		take_row(threads, boot, seen, op);
	}
	if (tells_cpus && event->clock)
		threads_cpu_event(threads, boot, seen);
}

void threads_collect_gap(struct threads *threads,
		const struct learn_stream *stream)
{
	struct threads_boot *boot = threads_boot_of(threads,
		learn_stream_boot(stream));

	if (learn_stream_holds_switches(stream))
		threads_cpu_gap(boot, learn_stream_cpu(stream));
	else if (!learn_stream_tells_cpus(stream))
		threads_half_gap(boot);
}

void threads_collect_hole(struct threads *threads,
		const struct learn_stream *stream,
		const struct learn_hole *hole)
{
	threads_cpu_hole(threads, threads_boot_of(threads,
		learn_stream_boot(stream)), learn_stream_cpu(stream), hole);
}
