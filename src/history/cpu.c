/* SPDX-License-Identifier: MIT */

/*
 * The current thread of each CPU, from both sides of what sched_switch tells.
 *
 * The state of a CPU moves on with the records, in the first pass and again in
 * the second. Where the later side of a span proves the earlier one wrong, the
 * first pass notes an exception, and the second one finds it there.
 */

#include "cpu-private.h"
#include "heap.h"

#define TID_UNKNOWN (-1)

struct commcache_cpus *commcache_cpus_create(enum commcache_cpus_mode mode)
{
	struct commcache_cpus *cpus = calloc(1, sizeof(*cpus));

	if (!cpus)
		return NULL;
	cpus->mode = mode;
	cpus->bytes = sizeof(*cpus);
	return cpus;
}

void commcache_cpus_destroy(struct commcache_cpus *cpus)
{
	if (!cpus)
		return;
	for (uint32_t i = 0; i < cpus->cpu_count; i++) {
		struct cpu *cpu = cpus->cpus[i];

		if (!cpu)
			continue;
		runs_fini(&cpu->runs, &cpus->bytes);
		free(cpu->exceptions);
		free(cpu);
	}
	free(cpus->cpus);
	free(cpus);
}

static struct cpu *find_cpu(const struct commcache_cpus *cpus, int64_t number)
{
	if (number < 0 || number >= cpus->cpu_count)
		return NULL;
	return cpus->cpus[number];
}

struct cpu *cpus_get(struct commcache_cpus *cpus, int64_t number)
{
	struct cpu *cpu = find_cpu(cpus, number);

	if (cpu)
		return cpu;
	if (number >= cpus->cpu_count) {
		uint32_t count = (uint32_t) number + 1;
		struct cpu **array = heap_resize(&cpus->bytes, cpus->cpus,
				cpus->cpu_count * sizeof(*array),
				count * sizeof(*array));

		if (!array)
			return NULL;
		memset(array + cpus->cpu_count, 0, (count - cpus->cpu_count) *
				sizeof(*array));
		cpus->cpus = array;
		cpus->cpu_count = count;
	}
	cpu = heap_zeroed(&cpus->bytes, 1, sizeof(*cpu));
	if (!cpu)
		return NULL;
	cpu->current = TID_UNKNOWN;
	cpu->since = MOMENT_MIN;
	cpu->reached = MOMENT_MIN;
	cpus->cpus[number] = cpu;
	return cpu;
}

static bool is_cpu(int64_t number)
{
	return number >= 0 && number <= COMMCACHE_HISTORY_CPU_MAX;
}

static bool is_tid(int64_t tid)
{
	return tid >= 0 && tid <= COMMCACHE_HISTORY_TID_MAX;
}

static struct commcache_moment begin_of(const struct exception *exception)
{
	return commcache_moment(exception->begin_time, exception->begin_order);
}

static struct commcache_moment end_of(const struct exception *exception)
{
	return commcache_moment(exception->end_time, exception->end_order);
}

bool cpu_reserve_exception(struct commcache_cpus *cpus, struct cpu *cpu)
{
	uint32_t capacity = cpu->exception_capacity +
			cpu->exception_capacity / 2 + 1;
	struct exception *array;

	if (cpu->exception_count < cpu->exception_capacity)
		return true;
	array = heap_resize(&cpus->bytes, cpu->exceptions,
			cpu->exception_capacity * sizeof(*array),
			capacity * sizeof(*array));
	if (!array)
		return false;
	cpu->exceptions = array;
	cpu->exception_capacity = capacity;
	return true;
}

static enum commcache_history_status add_exception(struct commcache_cpus *cpus,
		struct cpu *cpu, struct commcache_moment begin,
		struct commcache_moment end, int32_t tid)
{
	if (!cpu_reserve_exception(cpus, cpu))
		return COMMCACHE_HISTORY_NO_MEMORY;
	cpu->exceptions[cpu->exception_count++] = (struct exception) {
		.begin_time = begin.time,
		.begin_order = begin.order,
		.end_time = end.time,
		.end_order = end.order,
		.tid = tid,
	};
	return COMMCACHE_HISTORY_CHANGED;
}

static bool is_learning(const struct commcache_cpus *cpus)
{
	return cpus->mode != COMMCACHE_CPUS_ONE_PASS && !cpus->is_second_pass;
}

/*
 * A span ends at `moment`, in `tid`, which is right from `since` on, or from the
 * last gap. Between two gaps no one knows, even where both sides agree; nor does
 * any where they differ with no gap.
 */
static enum commcache_history_status end_span(struct commcache_cpus *cpus,
		struct cpu *cpu, struct commcache_moment since,
		struct commcache_moment moment, int32_t tid)
{
	bool is_different = cpu->has_current && cpu->current != tid;
	enum commcache_history_status status = COMMCACHE_HISTORY_CHANGED;

	if (!is_learning(cpus))
		return status;
	if (cpu->has_gap && moment_before(cpu->first_gap, cpu->last_gap))
		status = add_exception(cpus, cpu, cpu->first_gap, cpu->last_gap,
				TID_UNKNOWN);
	if (status < 0 || (cpu->has_current && !is_different))
		return status;
	if (cpu->has_gap)
		since = cpu->last_gap;
	else if (is_different)
		tid = TID_UNKNOWN;
	return add_exception(cpus, cpu, since, moment, tid);
}

/* The same, in the thread that changed its number to `tid` at `since`. */
static enum commcache_history_status end_renumbered(
		struct commcache_cpus *cpus, struct cpu *cpu,
		struct commcache_moment since, struct commcache_moment moment,
		int32_t tid)
{
	enum commcache_history_status status;
	bool has_gap = cpu->has_gap;

	status = end_span(cpus, cpu, since, moment, tid);
	if (status < 0 || !is_learning(cpus) || has_gap ||
			!cpu->has_current || cpu->current == tid)
		return status;
	cpu->exceptions[cpu->exception_count - 1].tid = tid;
	return status;
}

/* Exceptions that are over when the record at the moment has been given. */
static void reach(struct cpu *cpu, struct commcache_moment moment)
{
	cpu->reached = moment;
	while (cpu->next_exception < cpu->exception_count && !moment_before(
			moment, end_of(&cpu->exceptions[cpu->next_exception])))
		cpu->next_exception++;
}

/* From that moment on the thread runs there. */
static enum commcache_history_status run(struct commcache_cpus *cpus,
		struct cpu *cpu, struct commcache_moment moment,
		struct commcache_moment since, int32_t tid)
{
	cpu->current = tid;
	cpu->has_current = true;
	cpu->since = moment;
	cpu->has_gap = false;
	reach(cpu, moment);
	if (cpus->mode == COMMCACHE_CPUS_RECORD && !cpus->is_second_pass &&
			!runs_append(&cpu->runs, since.time, tid, &cpus->bytes))
		return COMMCACHE_HISTORY_NO_MEMORY;
	return COMMCACHE_HISTORY_CHANGED;
}

/* What is given to a CPU comes in the order of time, whatever the trace says. */
static struct commcache_moment in_order(const struct cpu *cpu,
		struct commcache_moment moment)
{
	return moment_later(moment_fit(moment), cpu->reached);
}

enum commcache_history_status commcache_cpus_switch(
		struct commcache_cpus *cpus, int64_t number,
		struct commcache_moment moment, int64_t prev_tid,
		int64_t next_tid)
{
	enum commcache_history_status status;
	struct cpu *cpu;
	int32_t prev = (int32_t) prev_tid;

	if (!is_cpu(number))
		return COMMCACHE_HISTORY_INVALID;
	if (!is_tid(prev_tid) || !is_tid(next_tid)) {
		status = commcache_cpus_gap(cpus, number, moment);
		return status < 0 ? status : COMMCACHE_HISTORY_INVALID;
	}
	cpu = cpus_get(cpus, number);
	if (!cpu)
		return COMMCACHE_HISTORY_NO_MEMORY;
	moment = in_order(cpu, moment);
	status = end_span(cpus, cpu, cpu->since, moment, prev);
	if (status < 0)
		return status;
	if (cpu->has_current && cpu->current != prev && !cpu->has_gap) {
		cpu->has_difference = true;
		cpu->difference_from = cpu->current;
		cpu->difference_to = prev;
		cpu->difference_since = cpu->since;
		cpu->difference_exception = cpu->exception_count - 1;
	}
	return run(cpus, cpu, moment, moment, (int32_t) next_tid);
}

enum commcache_history_status commcache_cpus_gap(struct commcache_cpus *cpus,
		int64_t number, struct commcache_moment moment)
{
	struct cpu *cpu;

	if (!is_cpu(number))
		return COMMCACHE_HISTORY_INVALID;
	cpu = cpus_get(cpus, number);
	if (!cpu)
		return COMMCACHE_HISTORY_NO_MEMORY;
	moment = in_order(cpu, moment);
	if (!cpu->has_gap)
		cpu->first_gap = moment;
	cpu->has_gap = true;
	cpu->last_gap = moment;
	/* A second pass can leave out what the first one had there. */
	if (cpus->is_second_pass && cpu->runs.count)
		cpu->has_current = false;
	reach(cpu, moment);
	return COMMCACHE_HISTORY_CHANGED;
}

/*
 * Since when does the thread that has just executed a program have its new tid?
 * It changed in a run of the old tid. If it slept after that, the run's other
 * side shows the new one. Runs of one thread do not overlap, so that the latest
 * such run of all CPUs is it; what differs there is explained.
 */
static struct commcache_moment tid_change(const struct commcache_cpus *cpus,
		const struct cpu *cpu, int32_t tid, int32_t old_tid)
{
	struct commcache_moment since = cpu->has_gap ? cpu->last_gap :
			cpu->since;
	const struct cpu *found = NULL;

	if (!cpu->has_gap && cpu->has_current && cpu->current == old_tid)
		return since;
	for (uint32_t i = 0; i < cpus->cpu_count; i++) {
		const struct cpu *other = cpus->cpus[i];

		if (!other || !other->has_difference ||
				other->difference_from != old_tid ||
				other->difference_to != tid)
			continue;
		if (found && !moment_before(since, other->difference_since))
			continue;
		since = other->difference_since;
		found = other;
	}
	if (found && is_learning(cpus))
		found->exceptions[found->difference_exception].tid = tid;
	return since;
}

enum commcache_history_status commcache_cpus_exec(struct commcache_cpus *cpus,
		int64_t number, struct commcache_moment moment,
		struct commcache_moment floor, int64_t tid, int64_t old_tid,
		struct commcache_moment *since)
{
	enum commcache_history_status status;
	struct commcache_moment begin, changed;
	struct cpu *cpu;

	if (since)
		*since = moment;
	if (!is_cpu(number) || !is_tid(tid) || !is_tid(old_tid))
		return COMMCACHE_HISTORY_INVALID;
	if (tid == old_tid)
		return COMMCACHE_HISTORY_UNCHANGED;
	cpu = cpus_get(cpus, number);
	if (!cpu)
		return COMMCACHE_HISTORY_NO_MEMORY;

	moment = in_order(cpu, moment);
	floor = moment_fit(floor);
	changed = tid_change(cpus, cpu, (int32_t) tid, (int32_t) old_tid);
	if (!cpu->has_current && !cpu->has_gap)
		changed = moment;
	changed = moment_earlier(moment_later(changed, floor), moment);
	if (since)
		*since = changed;
	/* What it was before this run of its CPU is no matter of this run. */
	begin = moment_later(changed, cpu->since);
	status = end_renumbered(cpus, cpu, begin, moment, (int32_t) tid);
	if (status < 0)
		return status;
	return run(cpus, cpu, moment, begin, (int32_t) tid);
}

/* What the end of the first pass says: after a gap no one knows. */
static enum commcache_history_status close_gap(struct commcache_cpus *cpus,
		struct cpu *cpu)
{
	if (!is_learning(cpus) || !cpu->has_gap)
		return COMMCACHE_HISTORY_CHANGED;
	return add_exception(cpus, cpu, cpu->first_gap, MOMENT_END,
			TID_UNKNOWN);
}

enum commcache_history_status commcache_cpus_rewind(
		struct commcache_cpus *cpus)
{
	enum commcache_history_status status = COMMCACHE_HISTORY_CHANGED;

	for (uint32_t i = 0; i < cpus->cpu_count; i++) {
		struct cpu *cpu = cpus->cpus[i];

		if (!cpu)
			continue;
		if (close_gap(cpus, cpu) < 0)
			status = COMMCACHE_HISTORY_NO_MEMORY;
		cpu->current = TID_UNKNOWN;
		cpu->has_current = false;
		cpu->has_gap = false;
		cpu->has_difference = false;
		cpu->since = MOMENT_MIN;
		cpu->reached = MOMENT_MIN;
		cpu->next_exception = 0;
	}
	cpus->is_second_pass = true;
	return status;
}

/* Has the exception begun, for a record at that moment? */
static bool has_begun(const struct cpu *cpu, const struct exception *exception,
		struct commcache_moment moment)
{
	struct commcache_moment begin = begin_of(exception);

	/* The record at which it begins still is of the span before. */
	return moment_before(begin, moment) || (!moment_before(moment, begin) &&
			!moment_before(cpu->reached, begin));
}

/*
 * In a second pass, which need not begin where the first one did. A run that begins
 * at that time is of a switch that is still to be given.
 */
static int64_t current_at(struct cpu *cpu, int64_t time)
{
	if (cpu->has_current || !cpu->runs.count || time <= cpu->since.time)
		return cpu->current;
	return runs_find(&cpu->runs, time - 1);
}

int64_t commcache_cpus_now(struct commcache_cpus *cpus, int64_t number,
		struct commcache_moment moment)
{
	struct cpu *cpu = find_cpu(cpus, number);
	const struct exception *exception, *end;

	if (!cpu)
		return TID_UNKNOWN;
	if (!cpus->is_second_pass)
		return cpu->has_gap ? TID_UNKNOWN : cpu->current;

	if (!cpu->exception_count)
		return current_at(cpu, moment.time);

	moment = in_order(cpu, moment);
	exception = &cpu->exceptions[cpu->next_exception];
	end = &cpu->exceptions[cpu->exception_count];
	while (exception < end && (moment_before(end_of(exception), moment) ||
			(exception + 1 < end && has_begun(cpu, exception + 1,
			moment))))
		exception++;
	cpu->next_exception = (uint32_t) (exception - cpu->exceptions);
	if (exception < end && has_begun(cpu, exception, moment))
		return exception->tid;
	return current_at(cpu, moment.time);
}

/* The exception at that time, NULL: none. */
static const struct exception *exception_at(const struct cpu *cpu, int64_t time)
{
	uint32_t low = 0;
	uint32_t high = cpu->exception_count;
	const struct exception *exception;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cpu->exceptions[middle].begin_time > time)
			high = middle;
		else
			low = middle + 1;
	}
	if (!low)
		return NULL;
	exception = &cpu->exceptions[low - 1];
	if (time < exception->end_time || exception->end_order == UINT32_MAX)
		return exception;
	return NULL;
}

int64_t commcache_cpus_at(struct commcache_cpus *cpus, int64_t number,
		int64_t time)
{
	struct cpu *cpu = find_cpu(cpus, number);
	const struct exception *exception;

	if (!cpu || cpus->mode != COMMCACHE_CPUS_RECORD)
		return TID_UNKNOWN;
	exception = exception_at(cpu, time);
	if (exception)
		return exception->tid;
	if (!cpus->is_second_pass && cpu->has_gap &&
			time >= cpu->first_gap.time)
		return TID_UNKNOWN;
	return runs_find(&cpu->runs, time);
}

void commcache_cpus_forget(struct commcache_cpus *cpus, int64_t time)
{
	for (uint32_t i = 0; i < cpus->cpu_count; i++) {
		struct cpu *cpu = cpus->cpus[i];
		uint32_t over = 0;

		if (!cpu)
			continue;
		runs_forget(&cpu->runs, time);
		if (!cpu->exception_count)
			continue;
		while (over < cpu->exception_count &&
				cpu->exceptions[over].end_time < time)
			over++;
		cpu->exception_count -= over;
		memmove(cpu->exceptions, cpu->exceptions + over,
				cpu->exception_count *
				sizeof(*cpu->exceptions));
		cpu->next_exception -= over < cpu->next_exception ? over :
				cpu->next_exception;
		/* An exec is not told any more of what is that long ago. */
		cpu->has_difference = cpu->has_difference &&
				cpu->difference_exception >= over;
		cpu->difference_exception -= over;
	}
}

uint64_t commcache_cpus_bytes(const struct commcache_cpus *cpus)
{
	return cpus->bytes;
}
