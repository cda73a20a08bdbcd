/* SPDX-License-Identifier: MIT */
#include "timeline/lanes.h"

/* A time has no more bits. */
#define SHIFT_MAX	62

static void destroy_lane(void *data)
{
	struct lane *lane = data;

	track_destroy(lane->turns);
	track_destroy(lane->events);
	g_free(lane);
}

static struct lane *get_lane(struct lanes *lanes, struct lane **slot)
{
	struct lane *lane = *slot;

	if (lane)
		return lane;
	lane = g_new(struct lane, 1);
	lane->turns = track_create();
	lane->events = track_create();
	g_ptr_array_add(lanes->all, lane);
	*slot = lane;
	return lane;
}

static void bound(struct lanes *lanes)
{
	if (lanes->items > lanes->items_max)
		lanes_widen(lanes);
}

static void take_event(void *data, struct lane **slot, int64_t time)
{
	struct lanes *lanes = data;

	lanes->items += track_add_event(get_lane(lanes, slot)->events, time,
		lanes->shift);
	bound(lanes);
}

static void take_turn(void *data, struct lane **slot, int64_t from, int64_t to,
		bool preempted)
{
	struct lanes *lanes = data;

	lanes->items += track_add_turn(get_lane(lanes, slot)->turns, from, to,
		preempted, lanes->shift);
	bound(lanes);
}

struct lanes *lanes_create(guint items_max)
{
	struct lanes *lanes = g_new0(struct lanes, 1);

	lanes->all = g_ptr_array_new_with_free_func(destroy_lane);
	lanes->items_max = items_max;
	lanes->watcher = (struct threads_watcher) {
		.event = take_event,
		.ran = take_turn,
		.data = lanes,
	};
	return lanes;
}

void lanes_destroy(struct lanes *lanes)
{
	if (!lanes)
		return;
	g_ptr_array_free(lanes->all, TRUE);
	g_free(lanes);
}

static void widen_once(struct lanes *lanes)
{
	guint i;

	lanes->items = 0;
	for (i = 0; i < lanes->all->len; i++) {
		struct lane *lane = lanes->all->pdata[i];

		track_widen(lane->turns, lanes->shift);
		track_widen(lane->events, lanes->shift);
		lanes->items += lane->turns->len + lane->events->len;
	}
}

void lanes_widen(struct lanes *lanes)
{
	const guint enough = lanes->items - lanes->items / 4;

	while (lanes->items > enough && lanes->shift < SHIFT_MAX) {
		lanes->shift++;
		widen_once(lanes);
	}
}
