/* SPDX-License-Identifier: MIT */
#include "timeline/track.h"

GArray *track_create(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct track_item));
}

void track_destroy(GArray *track)
{
	g_array_free(track, TRUE);
}

static struct track_item *item_of(GArray *track, guint index)
{
	return &g_array_index(track, struct track_item, index);
}

static bool share_cell(const struct track_item *a, const struct track_item *b,
		unsigned int shift)
{
	return a->begin >> shift == b->begin >> shift;
}

/* `next` begins later, or at the same time. */
static void merge(struct track_item *item, const struct track_item *next)
{
	if (next->end >= item->end)
		item->preempted = next->preempted;
	item->end = MAX(item->end, next->end);
	item->busy += next->busy;
	item->count += next->count;
}

/*
 * Nearly always at the end: but traces that are merged on clocks that differ by a
 * little are not quite in order.
 */
static guint add(GArray *track, const struct track_item *item,
		unsigned int shift)
{
	guint place = track->len;

	while (place > 0 && item_of(track, place - 1)->begin > item->begin)
		place--;
	if (place > 0 && share_cell(item_of(track, place - 1), item, shift)) {
		merge(item_of(track, place - 1), item);
		return 0;
	}
	g_array_insert_vals(track, place, item, 1);
	return 1;
}

guint track_add_event(GArray *track, int64_t time, unsigned int shift)
{
	const struct track_item item = {
		.begin = time,
		.end = time,
		.count = 1,
	};

	return add(track, &item, shift);
}

guint track_add_turn(GArray *track, int64_t begin, int64_t end, bool preempted,
		unsigned int shift)
{
	const struct track_item item = {
		.begin = begin,
		.end = end,
		.busy = (uint64_t) (end - begin),
		.count = 1,
		.preempted = preempted,
	};
	struct track_item *last = track->len > 0 ?
		item_of(track, track->len - 1) : NULL;

	/* One turn, in parts: its thread was renamed. */
	if (last && last->end == begin && !last->preempted) {
		last->end = end;
		last->busy += item.busy;
		last->preempted = preempted;
		return 0;
	}
	return add(track, &item, shift);
}

void track_widen(GArray *track, unsigned int shift)
{
	guint kept = 0, i;

	for (i = 1; i < track->len; i++) {
		if (share_cell(item_of(track, kept), item_of(track, i), shift))
			merge(item_of(track, kept), item_of(track, i));
		else
			*item_of(track, ++kept) = *item_of(track, i);
	}
	if (track->len > 0)
		g_array_set_size(track, kept + 1);
}
