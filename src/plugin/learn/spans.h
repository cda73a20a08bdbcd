/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_SPANS_H
#define COMMCACHE_PLUGIN_LEARN_SPANS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "history/parts.h"

/*
 * Of which times of a stream all is known that it holds: its packets, those that
 * follow each other in one. Where it has none, from its first event to its last.
 */
struct spans {
	/* struct span, apart, ascending. Owned by this. */
	GArray *array;
	/* Where the last question was answered. */
	guint place;
	/* What came from a file ends there; INT64_MIN: nothing did. */
	int64_t kept_end;
};

struct span {
	int64_t begin;
	int64_t end;
};

void spans_init(struct spans *spans);
void spans_finish(struct spans *spans);

/* A packet begins. */
void spans_begin(struct spans *spans, int64_t time);

/* It ends, or there is an event in it. */
void spans_extend(struct spans *spans, int64_t time);

/* Whether that time is in one of them, of which none is at hand. */
bool spans_search(struct spans *spans, int64_t time);

/* Whether that time is in one of them. */
static inline bool spans_have(struct spans *spans, int64_t time)
{
	const struct span *span = &g_array_index(spans->array, struct span,
		spans->place);

	if (G_LIKELY(spans->place < spans->array->len && time >= span->begin &&
			time <= span->end))
		return true;
	return spans_search(spans, time);
}

void spans_save(const struct spans *spans, struct parts_writer *writer);
void spans_load(struct spans *spans, struct parts_reader *reader);

#endif /* COMMCACHE_PLUGIN_LEARN_SPANS_H */
