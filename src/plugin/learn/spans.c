/* SPDX-License-Identifier: MIT */
#include "learn/spans.h"

void spans_init(struct spans *spans)
{
	*spans = (struct spans) {
		.array = g_array_new(FALSE, FALSE, sizeof(struct span)),
		.kept_end = INT64_MIN,
	};
}

void spans_finish(struct spans *spans)
{
	g_array_free(spans->array, TRUE);
}

static struct span *last_of(const struct spans *spans)
{
	return spans->array->len == 0 ? NULL : &g_array_index(spans->array,
		struct span, spans->array->len - 1);
}

void spans_begin(struct spans *spans, int64_t time)
{
	const struct span *last = last_of(spans);
	const struct span next = { time, time };

	if (!last || time > last->end)
		g_array_append_val(spans->array, next);
}

void spans_extend(struct spans *spans, int64_t time)
{
	struct span *last = last_of(spans);

	if (last)
		last->end = MAX(last->end, time);
	else
		spans_begin(spans, time);
}

bool spans_search(struct spans *spans, int64_t time)
{
	guint low = 0, high = spans->array->len;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (g_array_index(spans->array, struct span, middle).begin >
				time)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 0)
		return false;
	spans->place = low - 1;
	return time <= g_array_index(spans->array, struct span, low - 1).end;
}

void spans_save(const struct spans *spans, struct parts_writer *writer)
{
	int64_t time = 0;
	guint i;

	parts_write_number(writer, spans->array->len);
	for (i = 0; i < spans->array->len; i++) {
		const struct span *span = &g_array_index(spans->array,
			struct span, i);

		parts_write_signed(writer, parts_distance(time, span->begin));
		parts_write_number(writer, (uint64_t) parts_distance(
			span->begin, span->end));
		time = span->end;
	}
}

void spans_load(struct spans *spans, struct parts_reader *reader)
{
	uint64_t count = parts_read_limited(reader, G_MAXUINT / 2);
	struct span span = { 0, 0 };

	for (; count > 0 && parts_is_good(reader); count--) {
		const struct span *last = last_of(spans);

		span.begin = parts_moved(span.end, parts_read_signed(reader));
		span.end = parts_moved(span.begin,
			(int64_t) parts_read_number(reader));
		if (span.end < span.begin || (last && span.begin <= last->end))
			parts_fail(reader, COMMCACHE_STORE_CORRUPT);
		if (!parts_is_good(reader))
			return;
		g_array_append_val(spans->array, span);
		spans->kept_end = span.end;
	}
}
