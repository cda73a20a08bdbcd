/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_KEPT_H
#define COMMCACHE_PLUGIN_LEARN_KEPT_H

#include "learn/source.h"

/*
 * What was learned, kept as bytes: the state at the end of the first pass, before
 * the second begins. So it can begin, or the first pass can go on with the next
 * chunk of the traces. doc/learned.md tells what the bytes are.
 *
 * Whoever reads with it is told of each trace, stream and event that it was not
 * learned from.
 */

/* What is known of a stream when it is seen again. */
struct learn_kept_stream {
	uint64_t class_id;
	uint64_t id;
	struct spans spans;
	/* As of struct learn_stream, where it ended; else none. */
	bool has_state;
	struct commcache_moment last;
	int64_t packet_end;
	int64_t run_tid;
	struct commcache_moment run_since;
};

/*
 * The source that is kept of that trace and clock, from now on of this trace;
 * NULL: there is none. `table` is what was chosen for the trace.
 */
struct learn_source *learn_kept_claim(struct learn *learn,
		const bt_trace *trace, const bt_clock_class *clock_class,
		const struct learn_table *table);

/* An event of that time. REFUSED: it is not of what was, or is to be, learned. */
enum status learn_kept_see(struct learn_stream *stream, int64_t time);

/* A packet begins, or ends, then. */
void learn_kept_packet(struct learn_stream *stream, int64_t time, bool ends);

/* It goes on where it was, or ends there. */
void learn_kept_resume(struct learn_stream *stream);
void learn_kept_end(const struct learn_stream *stream);

/* Owned by the source. */
struct learn_kept_stream *learn_kept_stream_add(struct learn_source *source,
		uint64_t class_id, uint64_t id);
void learn_kept_stream_destroy(void *stream);

#endif /* COMMCACHE_PLUGIN_LEARN_KEPT_H */
