/* SPDX-License-Identifier: MIT */
#include "runs.h"
#include "heap.h"

/* Room for one more item of an array, half as many again. False: no memory. */
static bool reserve(void **array, uint32_t count, uint32_t *capacity,
		size_t size, uint64_t *bytes)
{
	uint32_t grown = *capacity + *capacity / 2 + 1;
	void *resized;

	if (count < *capacity)
		return true;
	if (grown <= *capacity)
		return false;
	resized = heap_resize(bytes, *array, *capacity * size, grown * size);
	if (!resized)
		return false;
	*array = resized;
	*capacity = grown;
	return true;
}

/* The distance as 64 bits: the whole range of times does not overflow it. */
static uint64_t distance(int64_t from, int64_t to)
{
	return (uint64_t) to - (uint64_t) from;
}

bool runs_append(struct runs *runs, int64_t time, int32_t tid, uint64_t *bytes)
{
	void *array = runs->runs;
	void *blocks = runs->blocks;
	bool has_room;

	if (runs->count && runs->runs[runs->count - 1].tid == tid)
		return true;
	has_room = reserve(&array, runs->count, &runs->capacity,
			sizeof(*runs->runs), bytes);
	runs->runs = array;
	if (!has_room)
		return false;

	if (!runs->block_count || distance(runs->blocks[
			runs->block_count - 1].time, time) > UINT32_MAX) {
		has_room = reserve(&blocks, runs->block_count,
				&runs->block_capacity, sizeof(*runs->blocks),
				bytes);
		runs->blocks = blocks;
		if (!has_room)
			return false;
		runs->blocks[runs->block_count++] = (struct run_block) {
			.time = time,
			.first = runs->count,
		};
	}
	runs->runs[runs->count++] = (struct run) {
		.distance = (uint32_t) distance(runs->blocks[
				runs->block_count - 1].time, time),
		.tid = tid,
	};
	return true;
}

/* The position after the last run of a block. */
static uint32_t block_end(const struct runs *runs, uint32_t block)
{
	if (block + 1 < runs->block_count)
		return runs->blocks[block + 1].first;
	return runs->count;
}

/* The last block that begins at or before that time; there is one. */
static uint32_t find_block(const struct runs *runs, int64_t time)
{
	uint32_t low = 0;
	uint32_t high = runs->block_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (runs->blocks[middle].time > time)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/* Is it the run at that time? */
static bool is_run_at(const struct runs *runs, uint32_t block, uint32_t run,
		int64_t time)
{
	uint64_t away = distance(runs->blocks[block].time, time);

	if (runs->runs[run].distance > away)
		return false;
	if (run + 1 < block_end(runs, block))
		return runs->runs[run + 1].distance > away;
	return block + 1 == runs->block_count ||
			runs->blocks[block + 1].time > time;
}

/* The last run of the block that begins at or before that time. */
static uint32_t find_run(const struct runs *runs, uint32_t block, int64_t time)
{
	uint64_t away = distance(runs->blocks[block].time, time);
	uint32_t low = runs->blocks[block].first;
	uint32_t high = block_end(runs, block);

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (runs->runs[middle].distance > away)
			high = middle;
		else
			low = middle;
	}
	return low;
}

int32_t runs_find(struct runs *runs, int64_t time)
{
	if (!runs->count || time < runs->blocks[0].time)
		return -1;
	if (runs->hint_block < runs->block_count && time >=
			runs->blocks[runs->hint_block].time) {
		uint32_t end = block_end(runs, runs->hint_block);

		/* Here, or one of the next two: streams move on. */
		for (int step = 0; step < 3 && runs->hint < end;
				step++, runs->hint++) {
			if (is_run_at(runs, runs->hint_block, runs->hint, time))
				return runs->runs[runs->hint].tid;
		}
	}
	runs->hint_block = find_block(runs, time);
	runs->hint = find_run(runs, runs->hint_block, time);
	return runs->runs[runs->hint].tid;
}

void runs_forget(struct runs *runs, int64_t time)
{
	uint32_t block, run;

	if (!runs->count || time < runs->blocks[0].time)
		return;
	block = find_block(runs, time);
	run = find_run(runs, block, time);
	/* The run at that time stays, and with it its block. */
	for (uint32_t i = block; i < runs->block_count; i++)
		runs->blocks[i].first = runs->blocks[i].first > run ?
				runs->blocks[i].first - run : 0;
	memmove(runs->blocks, runs->blocks + block, (runs->block_count -
			block) * sizeof(*runs->blocks));
	memmove(runs->runs, runs->runs + run, (runs->count - run) *
			sizeof(*runs->runs));
	runs->block_count -= block;
	runs->count -= run;
	runs->hint = 0;
	runs->hint_block = 0;
}

void runs_fini(struct runs *runs, uint64_t *bytes)
{
	heap_free(bytes, runs->runs, runs->capacity * sizeof(*runs->runs));
	heap_free(bytes, runs->blocks,
			runs->block_capacity * sizeof(*runs->blocks));
	*runs = (struct runs) { 0 };
}
