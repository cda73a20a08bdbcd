/* SPDX-License-Identifier: MIT */
#include "threads/cpu.h"

#include "learn/plan.h"

static struct threads_cpu *get_cpu(struct threads_boot *boot, int64_t number)
{
	if (number < 0 || number > COMMCACHE_HISTORY_CPU_MAX)
		return NULL;
	if (number >= boot->cpus->len)
		g_array_set_size(boot->cpus, (guint) number + 1);
	return &g_array_index(boot->cpus, struct threads_cpu, number);
}

/* The part of a span of time in which the thread has the name. */
static struct threads_name *name_from(struct threads_thread *thread,
		int64_t from, int64_t to, int64_t *end)
{
	const struct commcache_moment moment =
		commcache_moment(from, UINT32_MAX);
	struct threads_name *name = threads_name_at(thread, moment);
	const struct threads_name *next = name + 1;
	const struct threads_name *last = (const struct threads_name *)
		thread->names->data + thread->names->len;

	*end = next < last && next->begin.time < to ? next->begin.time : to;
	return name;
}

void threads_add_time(struct threads *threads, struct threads_thread *thread,
		int64_t from, int64_t to, bool preempted)
{
	const struct threads_watcher *watcher = threads->watcher;
	struct threads_name *name;
	int64_t end;

	while (from < to) {
		name = name_from(thread, from, to, &end);
		name->counts.cycles += (uint64_t) (end - from);
		name->counts.has_cycles = true;
		if (watcher)
			watcher->ran(watcher->data,
				&threads_life_of(thread, name)->lane, from, end,
				preempted && end == to);
		from = end;
	}
}

void threads_count_switch(struct threads_thread *thread,
		struct commcache_moment moment, bool preempted)
{
	struct threads_counts *counts =
		&threads_name_at(thread, moment)->counts;

	counts->switches++;
	counts->preemptions += preempted;
}

/* The thread that ran until now; before any switch, the one that tells it. */
static void leave(struct threads *threads, struct threads_cpu *cpu,
		struct commcache_history_thread *handle, int64_t now,
		bool preempted)
{
	if (handle && cpu->is_open &&
			(!cpu->running || cpu->running == handle))
		threads_add_time(threads, threads_get(threads, handle),
			cpu->since, now, preempted);
}

static void enter(struct threads_cpu *cpu,
		struct commcache_history_thread *handle, int64_t now)
{
	cpu->running = handle;
	cpu->is_open = handle != NULL;
	cpu->since = now;
}

/* Two sessions that ran at once tell the same switch. */
static bool is_told_again(const struct threads_cpu *cpu,
		const struct learn_event *seen, int64_t prev_tid,
		int64_t next_tid)
{
	return cpu->teller && cpu->teller != seen->stream &&
		(seen->moment.time < cpu->since ||
		(prev_tid == cpu->prev_tid && next_tid == cpu->next_tid));
}

static struct commcache_history_thread *find_thread(
		const struct threads_boot *boot, int64_t tid, int64_t cpu)
{
	return commcache_history_find_thread(boot->learned->root, tid, cpu);
}

/*
 * A thread that could run on has the state TASK_RUNNING, 0, or one that is but a
 * mark of preemption, above all states of sleep: TASK_REPORT_MAX or, before
 * Linux 4.14, TASK_STATE_MAX (include/linux/sched.h; __trace_sched_switch_state()
 * in include/trace/events/sched.h). The idle thread gives way to any.
 */
#define STATES_OF_SLEEP	0xff

static bool is_preempted(struct threads_boot *boot,
		const struct learn_event *seen, const struct learn_op *op,
		int64_t tid)
{
	int64_t state;

	if (!learn_ref_integer(&op->ref[LEARN_STATE], seen->event, &state))
		return false;
	boot->tells_preemptions = true;
	return tid > 0 && (state & STATES_OF_SLEEP) == 0;
}

static void take_switch(struct threads *threads, struct threads_boot *boot,
		struct threads_cpu *cpu, const struct learn_event *seen,
		const struct learn_op *op)
{
	const int64_t now = seen->moment.time;
	const int64_t prev_tid = learn_ref_id(&op->ref[LEARN_TID], seen->event);
	const int64_t next_tid = learn_ref_id(&op->ref[LEARN_NEXT_TID],
		seen->event);
	struct commcache_history_thread *prev;
	bool preempted;

	if (is_told_again(cpu, seen, prev_tid, next_tid))
		return;
	prev = find_thread(boot, prev_tid, seen->cpu);
	preempted = is_preempted(boot, seen, op, prev_tid);
	leave(threads, cpu, prev, now, preempted);
	if (prev)
		threads_count_switch(threads_get(threads, prev), seen->moment,
			preempted);
	enter(cpu, find_thread(boot, next_tid, seen->cpu), now);
	cpu->prev_tid = prev_tid;
	cpu->next_tid = next_tid;
	cpu->teller = seen->stream;
}

/* Its thread goes on with another number. */
static void take_exec(struct threads *threads, struct threads_boot *boot,
		struct threads_cpu *cpu, const struct learn_event *seen,
		const struct learn_op *op)
{
	const int64_t tid = learn_ref_id(&op->ref[LEARN_TID], seen->event);
	const int64_t old_tid = learn_ref_id(&op->ref[LEARN_OLD_TID],
		seen->event);
	struct commcache_history_thread *old;

	if (old_tid < 0 || old_tid == tid)
		return;
	old = find_thread(boot, old_tid, seen->cpu);
	if (!old || cpu->running != old)
		return;
	leave(threads, cpu, old, seen->moment.time, false);
	enter(cpu, find_thread(boot, tid, seen->cpu), seen->moment.time);
}

void threads_cpu_event(struct threads *threads, struct threads_boot *boot,
		const struct learn_event *seen)
{
	struct threads_cpu *cpu = get_cpu(boot, seen->cpu);
	size_t i;

	if (!cpu)
		return;
	if (!cpu->is_started) {
		cpu->is_started = true;
		cpu->is_open = true;
		cpu->since = seen->moment.time;
	}
	cpu->last = MAX(cpu->last, seen->moment.time);
	if (!seen->plan->moves_cpu)
		return;
	for (i = 0; i < seen->plan->op_count; i++) {
		const struct learn_op *op = &seen->plan->ops[i];

		if (op->kind == LEARN_SWITCH)
			take_switch(threads, boot, cpu, seen, op);
		else if (op->kind == LEARN_EXEC)
			take_exec(threads, boot, cpu, seen, op);
	}
}

void threads_cpu_gap(struct threads_boot *boot, int64_t number)
{
	struct threads_cpu *cpu = get_cpu(boot, number);

	if (cpu)
		cpu->is_open = false;
}

void threads_cpu_hole(struct threads *threads, struct threads_boot *boot,
		int64_t number, const struct learn_hole *hole)
{
	struct threads_cpu *cpu = get_cpu(boot, number);

	/* Before the first of what was recorded there is nothing to count. */
	if (!cpu || !cpu->is_started)
		return;
	leave(threads, cpu, cpu->running, hole->from, false);
	cpu->running = NULL;
	cpu->is_open = true;
	cpu->since = hole->to;
	cpu->teller = NULL;
}

void threads_cpu_end(struct threads *threads)
{
	guint i, j;

	for (i = 0; i < threads->boots->len; i++) {
		const struct threads_boot *boot = threads->boots->pdata[i];

		for (j = 0; j < boot->cpus->len; j++) {
			struct threads_cpu *cpu = &g_array_index(boot->cpus,
				struct threads_cpu, j);

			leave(threads, cpu, cpu->running, cpu->last, false);
		}
	}
}
