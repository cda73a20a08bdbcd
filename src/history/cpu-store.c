/* SPDX-License-Identifier: MIT */

/*
 * CPUs as bytes, and from bytes: what they know of the threads that ran, and, of
 * a record of all switches, which thread had which turn.
 *
 * Most turns are of few threads: each is numbered when it comes first, and
 * called by that.
 */

#include "cpu-private.h"
#include "heap.h"
#include "kept.h"
#include "numbers.h"

/* -1 is none. */
static void save_tid(struct parts_writer *writer, int32_t tid)
{
	parts_write_number(writer, (uint64_t) (tid + 1));
}

static int32_t load_tid(struct parts_reader *reader)
{
	return (int32_t) parts_read_limited(reader,
			COMMCACHE_HISTORY_TID_MAX + 1) - 1;
}

static void save_exceptions(struct parts_writer *writer, const struct cpu *cpu)
{
	int64_t time = 0;

	parts_write_number(writer, cpu->exception_count);
	for (uint32_t i = 0; i < cpu->exception_count; i++) {
		const struct exception *exception = &cpu->exceptions[i];

		parts_write_signed(writer, parts_distance(time,
				exception->begin_time));
		parts_write_number(writer, exception->begin_order);
		parts_write_signed(writer, parts_distance(
				exception->begin_time, exception->end_time));
		parts_write_number(writer, exception->end_order);
		save_tid(writer, exception->tid);
		time = exception->end_time;
	}
}

static void load_exceptions(struct parts_reader *reader,
		struct commcache_cpus *cpus, struct cpu *cpu)
{
	uint64_t count = parts_read_limited(reader, UINT32_MAX / 2);
	int64_t time = 0;

	for (; count && parts_is_good(reader); count--) {
		struct exception exception;

		exception.begin_time = parts_moved(time,
				parts_read_signed(reader));
		exception.begin_order = (uint32_t) parts_read_limited(reader,
				UINT32_MAX);
		exception.end_time = parts_moved(exception.begin_time,
				parts_read_signed(reader));
		exception.end_order = (uint32_t) parts_read_limited(reader,
				UINT32_MAX);
		exception.tid = load_tid(reader);
		time = exception.end_time;
		if (!parts_is_good(reader))
			return;
		if (!cpu_reserve_exception(cpus, cpu))
			parts_fail(reader, COMMCACHE_STORE_NO_MEMORY);
		else
			cpu->exceptions[cpu->exception_count++] = exception;
	}
}

static void save_state(struct parts_writer *writer, const struct cpu *cpu)
{
	parts_write_number(writer, (cpu->has_current ? KEPT_HAS_CURRENT : 0) |
			(cpu->has_gap ? KEPT_HAS_GAP : 0) |
			(cpu->has_difference ? KEPT_HAS_DIFFERENCE : 0));
	save_tid(writer, cpu->current);
	parts_write_moment(writer, cpu->since);
	parts_write_moment(writer, cpu->reached);
	if (cpu->has_gap) {
		parts_write_moment(writer, cpu->first_gap);
		parts_write_moment(writer, cpu->last_gap);
	}
	if (cpu->has_difference) {
		save_tid(writer, cpu->difference_from);
		save_tid(writer, cpu->difference_to);
		parts_write_moment(writer, cpu->difference_since);
		parts_write_number(writer, cpu->difference_exception);
	}
	save_exceptions(writer, cpu);
}

static void load_state(struct parts_reader *reader, struct commcache_cpus *cpus,
		struct cpu *cpu)
{
	unsigned int flags = (unsigned int) parts_read_limited(reader,
			KEPT_CPU_FLAGS);

	cpu->has_current = flags & KEPT_HAS_CURRENT;
	cpu->has_gap = flags & KEPT_HAS_GAP;
	cpu->has_difference = flags & KEPT_HAS_DIFFERENCE;
	cpu->current = load_tid(reader);
	cpu->since = parts_read_moment(reader, UINT32_MAX);
	cpu->reached = parts_read_moment(reader, UINT32_MAX);
	if (cpu->has_gap) {
		cpu->first_gap = parts_read_moment(reader, UINT32_MAX);
		cpu->last_gap = parts_read_moment(reader, UINT32_MAX);
	}
	if (cpu->has_difference) {
		cpu->difference_from = load_tid(reader);
		cpu->difference_to = load_tid(reader);
		cpu->difference_since = parts_read_moment(reader, UINT32_MAX);
		cpu->difference_exception = (uint32_t) parts_read_limited(
				reader, UINT32_MAX);
	}
	load_exceptions(reader, cpus, cpu);
	/* It is pointed to, where there are any. */
	if (cpu->has_difference && cpus->mode != COMMCACHE_CPUS_ONE_PASS &&
			cpu->difference_exception >= cpu->exception_count)
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
}

/* Threads by the order in which they come, while turns are saved. */
struct order {
	/* Owned by this. */
	struct numbers numbers;
	uint64_t bytes;
};

/*
 * A turn is one number: how long after the one before it begins, and whose it is,
 * from 1 on by that order; 0 is a thread that comes for the first time. One more
 * than there are is none: it stands before a turn that comes very late.
 */
#define LATE_SHIFT	40
#define LATE		(UINT64_C(1) << LATE_SHIFT)

static void save_turn(struct parts_writer *writer, uint64_t later,
		uint64_t place, uint64_t count)
{
	if (later >= LATE) {
		parts_write_number(writer, count + 1);
		parts_write_number(writer, later >> LATE_SHIFT);
		later &= LATE - 1;
	}
	parts_write_number(writer, later * (count + 2) + place);
}

static uint64_t load_turn(struct parts_reader *reader, uint64_t count,
		uint64_t *place)
{
	uint64_t number = parts_read_number(reader);
	uint64_t late = 0;

	if (number == count + 1) {
		late = parts_read_limited(reader, UINT64_MAX >> LATE_SHIFT);
		number = parts_read_number(reader);
	}
	*place = number % (count + 2);
	number /= count + 2;
	if (number >= LATE || *place == count + 1)
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	return late << LATE_SHIFT | number;
}

/* False: no memory. */
static bool save_runs(struct parts_writer *writer, struct order *order,
		const struct runs *runs)
{
	int64_t time = 0;
	uint32_t block = 0;

	parts_write_number(writer, runs->count);
	for (uint32_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->runs[i];
		uint32_t place = numbers_find(&order->numbers,
				(uint32_t) run->tid);
		int64_t begin;

		while (block + 1 < runs->block_count &&
				runs->blocks[block + 1].first <= i)
			block++;
		begin = parts_moved(runs->blocks[block].time, run->distance);
		if (i == 0)
			parts_write_signed(writer, time = begin);
		save_turn(writer, (uint64_t) parts_distance(time, begin),
				place, order->numbers.count);
		time = begin;
		if (place)
			continue;
		parts_write_number(writer, (uint32_t) run->tid);
		if (!numbers_reserve(&order->numbers, 1, &order->bytes))
			return false;
		numbers_add(&order->numbers, (uint32_t) run->tid,
				order->numbers.count + 1);
	}
	return true;
}

/* The same, while they are loaded. */
struct threads {
	/* Owned by this. */
	int32_t *tids;
	uint32_t count;
	uint32_t capacity;
	uint64_t bytes;
};

static bool add_thread(struct threads *threads, int32_t tid)
{
	uint32_t capacity = threads->capacity + threads->capacity / 2 + 16;
	int32_t *tids = threads->tids;

	if (threads->count == threads->capacity) {
		tids = heap_resize(&threads->bytes, tids,
				threads->capacity * sizeof(*tids),
				capacity * sizeof(*tids));
		if (!tids)
			return false;
		threads->tids = tids;
		threads->capacity = capacity;
	}
	tids[threads->count++] = tid;
	return true;
}

static int32_t load_thread(struct parts_reader *reader, struct threads *threads,
		uint64_t place)
{
	if (!parts_is_good(reader))
		return 0;
	if (place)
		return threads->tids[place - 1];
	place = parts_read_limited(reader, COMMCACHE_HISTORY_TID_MAX);
	if (parts_is_good(reader) && !add_thread(threads, (int32_t) place))
		parts_fail(reader, COMMCACHE_STORE_NO_MEMORY);
	return (int32_t) place;
}

static void load_runs(struct parts_reader *reader, struct threads *threads,
		struct runs *runs, uint64_t *bytes)
{
	uint64_t count = parts_read_limited(reader, UINT32_MAX / 2);
	int64_t time = 0;

	if (count)
		time = parts_read_signed(reader);
	for (; count && parts_is_good(reader); count--) {
		uint64_t place;
		int64_t begin = parts_moved(time, (int64_t) load_turn(reader,
				threads->count, &place));
		int32_t tid = load_thread(reader, threads, place);

		if (begin < time)
			parts_fail(reader, COMMCACHE_STORE_CORRUPT);
		time = begin;
		if (parts_is_good(reader) && !runs_append(runs, begin, tid,
				bytes))
			parts_fail(reader, COMMCACHE_STORE_NO_MEMORY);
	}
}

static bool save_turns(struct parts_writer *writer,
		const struct commcache_cpus *cpus)
{
	struct order order = { .bytes = 0 };
	bool good = true;

	parts_write_part(writer, KEPT_RUNS);
	for (uint32_t i = 0; i < cpus->cpu_count && good; i++) {
		if (cpus->cpus[i])
			good = save_runs(writer, &order, &cpus->cpus[i]->runs);
	}
	numbers_fini(&order.numbers, &order.bytes);
	return good;
}

enum commcache_store_status commcache_cpus_save(
		const struct commcache_cpus *cpus,
		const struct commcache_store_output *output)
{
	struct parts_writer *writer;
	enum commcache_store_status status;
	uint64_t count = 0;
	bool good;

	if (cpus->is_second_pass)
		return COMMCACHE_STORE_FAILED;
	writer = parts_write_begin(output, &KEPT_CPUS);
	if (!writer)
		return COMMCACHE_STORE_NO_MEMORY;
	for (uint32_t i = 0; i < cpus->cpu_count; i++)
		count += cpus->cpus[i] != NULL;
	parts_write_part(writer, KEPT_STATES);
	parts_write_number(writer, cpus->mode);
	parts_write_number(writer, count);
	for (uint32_t i = 0; i < cpus->cpu_count; i++) {
		if (!cpus->cpus[i])
			continue;
		parts_write_number(writer, i);
		save_state(writer, cpus->cpus[i]);
	}
	good = save_turns(writer, cpus);
	status = parts_write_end(writer);
	return good ? status : COMMCACHE_STORE_NO_MEMORY;
}

static void load_cpu(struct parts_reader *reader, struct commcache_cpus *cpus)
{
	uint64_t number = parts_read_limited(reader, COMMCACHE_HISTORY_CPU_MAX);
	struct cpu *cpu;

	if (!parts_is_good(reader))
		return;
	/* They ascend. */
	if (number < cpus->cpu_count) {
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
		return;
	}
	cpu = cpus_get(cpus, (int64_t) number);
	if (cpu)
		load_state(reader, cpus, cpu);
	else
		parts_fail(reader, COMMCACHE_STORE_NO_MEMORY);
}

static void load_turns(struct parts_reader *reader, struct commcache_cpus *cpus)
{
	struct threads threads = { .bytes = 0 };

	parts_read_part(reader, KEPT_RUNS);
	for (uint32_t i = 0; i < cpus->cpu_count; i++) {
		if (cpus->cpus[i])
			load_runs(reader, &threads, &cpus->cpus[i]->runs,
					&cpus->bytes);
	}
	parts_read_end(reader);
	free(threads.tids);
}

enum commcache_store_status commcache_cpus_load(
		const struct commcache_store_input *input,
		struct commcache_cpus **cpus)
{
	struct parts_reader *reader = parts_read_begin(input, &KEPT_CPUS);
	struct commcache_cpus *loaded =
			commcache_cpus_create(COMMCACHE_CPUS_ONE_PASS);
	enum commcache_store_status status = COMMCACHE_STORE_NO_MEMORY;
	uint64_t count;

	if (!reader || !loaded)
		goto end;
	parts_read_part(reader, KEPT_STATES);
	loaded->mode = (enum commcache_cpus_mode) parts_read_limited(reader,
			COMMCACHE_CPUS_RECORD);
	count = parts_read_limited(reader, COMMCACHE_HISTORY_CPU_MAX + 1);
	for (; count && parts_is_good(reader); count--)
		load_cpu(reader, loaded);
	load_turns(reader, loaded);
	status = reader->status;
end:
	if (status != COMMCACHE_STORE_OK) {
		commcache_cpus_destroy(loaded);
		loaded = NULL;
	}
	*cpus = loaded;
	free(reader);
	return status;
}
