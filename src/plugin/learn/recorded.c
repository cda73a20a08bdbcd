/* SPDX-License-Identifier: MIT */
#include "learn/recorded.h"

#include <glib.h>

struct recorded_cpu {
	bool is_told;
	/* Streams that record it now. */
	unsigned int streams;
	/* Since then, if there are any; up to then, if not. */
	int64_t begin;
	int64_t end;
};

struct learn_recorded {
	/* struct recorded_cpu, by number. Owned by this. */
	GArray *cpus;
};

struct learn_recorded *learn_recorded_create(void)
{
	struct learn_recorded *recorded = g_new(struct learn_recorded, 1);

	recorded->cpus = g_array_new(FALSE, TRUE, sizeof(struct recorded_cpu));
	return recorded;
}

void learn_recorded_destroy(struct learn_recorded *recorded)
{
	if (!recorded)
		return;
	g_array_free(recorded->cpus, TRUE);
	g_free(recorded);
}

void learn_recorded_reset(struct learn_recorded *recorded)
{
	g_array_set_size(recorded->cpus, 0);
}

static struct recorded_cpu *find_cpu(const struct learn_recorded *recorded,
		int64_t number)
{
	struct recorded_cpu *cpu;

	if (number < 0 || number >= recorded->cpus->len)
		return NULL;
	cpu = &g_array_index(recorded->cpus, struct recorded_cpu, number);
	return cpu->is_told ? cpu : NULL;
}

bool learn_recorded_begin(struct learn_recorded *recorded, int64_t number,
		int64_t time, struct learn_hole *hole)
{
	struct recorded_cpu *cpu;
	bool is_hole;

	if (number < 0 || number > COMMCACHE_HISTORY_CPU_MAX)
		return false;
	if (number >= recorded->cpus->len)
		g_array_set_size(recorded->cpus, (guint) number + 1);
	cpu = &g_array_index(recorded->cpus, struct recorded_cpu, number);
	is_hole = !cpu->is_told || (cpu->streams == 0 && time > cpu->end);
	hole->from = cpu->is_told ? cpu->end : INT64_MIN;
	hole->to = time;
	if (is_hole)
		cpu->begin = time;
	cpu->is_told = true;
	cpu->streams++;
	return is_hole;
}

void learn_recorded_end(struct learn_recorded *recorded, int64_t number,
		int64_t time)
{
	struct recorded_cpu *cpu = find_cpu(recorded, number);

	if (!cpu || cpu->streams == 0)
		return;
	cpu->streams--;
	cpu->end = MAX(time, cpu->begin);
}

bool learn_recorded_has(const struct learn_recorded *recorded, int64_t number,
		int64_t time)
{
	const struct recorded_cpu *cpu = find_cpu(recorded, number);

	return !cpu || (time >= cpu->begin &&
		(cpu->streams > 0 || time <= cpu->end));
}

bool learn_recorded_state(const struct learn_recorded *recorded, int64_t number,
		bool *is_open, struct learn_hole *hole)
{
	const struct recorded_cpu *cpu = find_cpu(recorded, number);

	if (!cpu)
		return false;
	*is_open = cpu->streams > 0;
	hole->from = cpu->end;
	hole->to = cpu->begin;
	return true;
}

int64_t learn_recorded_cpu_count(const struct learn_recorded *recorded)
{
	return recorded->cpus->len;
}

void learn_recorded_save(const struct learn_recorded *recorded,
		struct parts_writer *writer)
{
	guint i;

	parts_write_number(writer, recorded->cpus->len);
	for (i = 0; i < recorded->cpus->len; i++) {
		const struct recorded_cpu *cpu = &g_array_index(recorded->cpus,
			struct recorded_cpu, i);

		parts_write_number(writer, cpu->is_told);
		if (!cpu->is_told)
			continue;
		parts_write_number(writer, cpu->streams);
		parts_write_signed(writer, cpu->begin);
		parts_write_signed(writer, parts_distance(cpu->begin,
			cpu->end));
	}
}

void learn_recorded_load(struct learn_recorded *recorded,
		struct parts_reader *reader)
{
	uint64_t count = parts_read_limited(reader,
		COMMCACHE_HISTORY_CPU_MAX + 1);

	for (; count > 0 && parts_is_good(reader); count--) {
		struct recorded_cpu cpu = { .is_told = false };

		cpu.is_told = parts_read_limited(reader, 1);
		if (cpu.is_told) {
			cpu.streams = (unsigned int) parts_read_limited(reader,
				G_MAXINT);
			cpu.begin = parts_read_signed(reader);
			cpu.end = parts_moved(cpu.begin,
				parts_read_signed(reader));
		}
		g_array_append_val(recorded->cpus, cpu);
	}
}
