/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_OUTPUT_H
#define COMMCACHE_PLUGIN_IR_OUTPUT_H

#include "ir/objects.h"

/*
 * The output objects, each made when it is first asked for. On failure a
 * cause is appended that says where, and the mirror is broken if something
 * stays half made.
 */

/*
 * Makes the trace's output, and that of all classes and streams that the
 * input has by now, in their order: what is downstream meets a trace as it
 * was, with streams and classes that have no message yet, or never.
 */
enum status output_make_trace(struct mirror *mirror,
		struct mirror_trace *trace);

/*
 * Makes the output of all classes that have come since; `event_class`'s too.
 */
enum status output_make_event_class(struct mirror *mirror,
		struct mirror_event_class *event_class);

/* Makes the output of the stream's current packet, with its context. */
enum status output_make_packet(struct mirror *mirror,
		struct mirror_stream *stream);

#endif /* COMMCACHE_PLUGIN_IR_OUTPUT_H */
