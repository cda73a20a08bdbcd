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
 * Makes the stream's output, and with it its trace's, and all classes of the
 * trace class, in the order in which the input has them.
 */
enum mirror_status output_make_stream(struct mirror *mirror,
		struct mirror_stream *stream);

/*
 * Makes the output of all classes that have come since; `event_class`'s too.
 */
enum mirror_status output_make_event_class(struct mirror *mirror,
		struct mirror_event_class *event_class);

/* Makes the output of the stream's current packet, with its context. */
enum mirror_status output_make_packet(struct mirror *mirror,
		struct mirror_stream *stream);

#endif /* COMMCACHE_PLUGIN_IR_OUTPUT_H */
