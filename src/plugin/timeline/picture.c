/* SPDX-License-Identifier: MIT */
#include "timeline/picture.h"

static const struct track_item *last_item(const GArray *track)
{
	return track->len > 0 ? &g_array_index(track, struct track_item,
		track->len - 1) : NULL;
}

static void stretch(int64_t *first, int64_t *last, int64_t begin, int64_t end)
{
	if (begin == THREADS_NO_TIME || end == THREADS_NO_TIME)
		return;
	if (*first == THREADS_NO_TIME || begin < *first)
		*first = begin;
	if (*last == THREADS_NO_TIME || end > *last)
		*last = end;
}

static void stretch_track(int64_t *first, int64_t *last,
		const struct threads_boot *boot, const GArray *track)
{
	const struct track_item *item = last_item(track);

	if (item)
		stretch(first, last, threads_boot_time(boot, g_array_index(track,
			struct track_item, 0).begin),
			threads_boot_time(boot, item->end));
}

static bool is_chosen(const struct rows *rows,
		const struct threads_row *thread, char **patterns)
{
	guint i;

	for (i = 0; i < thread->name_count; i++) {
		if (rows_name_matches(patterns, g_array_index(rows->names,
				struct threads_row,
				thread->first_name + i).text))
			return true;
	}
	return false;
}

static void choose_threads(struct picture *picture)
{
	GArray *threads = picture->rows->threads;
	guint i;

	picture->threads = g_ptr_array_new();
	for (i = 0; i < threads->len; i++) {
		struct threads_row *thread =
			&g_array_index(threads, struct threads_row, i);

		if (is_chosen(picture->rows, thread, picture->params->names))
			g_ptr_array_add(picture->threads, thread);
	}
}

/* Clocks of two traces may be further apart than a number can tell. */
static int64_t since(int64_t begin, int64_t end)
{
	return (int64_t) MIN((uint64_t) end - (uint64_t) begin,
		(uint64_t) INT64_MAX);
}

void picture_init(struct picture *picture, const struct rows *rows,
		struct lanes *lanes, const struct timeline_params *params)
{
	int64_t first = THREADS_NO_TIME, last = THREADS_NO_TIME;
	guint i;

	*picture = (struct picture) {
		.rows = rows,
		.lanes = lanes,
		.params = params,
	};
	choose_threads(picture);
	for (i = 0; i < picture->threads->len; i++) {
		const struct threads_row *thread = picture->threads->pdata[i];

		if (!thread->lane)
			continue;
		stretch_track(&first, &last, thread->boot, thread->lane->turns);
		stretch_track(&first, &last, thread->boot,
			thread->lane->events);
	}
	picture->base = first;
	picture->span = first == THREADS_NO_TIME ? 0 : since(first, last);
}

void picture_finish(struct picture *picture)
{
	g_ptr_array_free(picture->threads, TRUE);
}

int64_t picture_clamp(const struct picture *picture, int64_t nanoseconds)
{
	if (nanoseconds == THREADS_NO_TIME || picture->base == THREADS_NO_TIME ||
			nanoseconds < picture->base)
		return 0;
	return MIN(since(picture->base, nanoseconds), picture->span);
}

int64_t picture_time(const struct picture *picture,
		const struct threads_boot *boot, int64_t time)
{
	return picture_clamp(picture, threads_boot_time(boot, time));
}

const struct threads_row *picture_name(const struct picture *picture,
		const struct threads_row *thread, guint index)
{
	return &g_array_index(picture->rows->names, struct threads_row,
		thread->first_name + index);
}

int64_t picture_begin(const struct picture *picture,
		const struct threads_row *thread)
{
	const int64_t begin = picture_name(picture, thread, 0)->since;

	return begin == THREADS_NO_TIME ? -1 : picture_clamp(picture, begin);
}

static int64_t later_end(const GArray *track, int64_t end)
{
	const struct track_item *item = last_item(track);

	return item ? MAX(end, item->end) : end;
}

/* A thread runs on a little after it has begun to end. */
int64_t picture_end(const struct picture *picture,
		const struct threads_row *thread)
{
	int64_t end = thread->end;

	if (end == INT64_MAX)
		return -1;
	if (thread->lane) {
		end = later_end(thread->lane->turns, end);
		end = later_end(thread->lane->events, end);
	}
	return picture_time(picture, thread->boot, end);
}
