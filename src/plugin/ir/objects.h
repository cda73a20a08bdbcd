/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_OBJECTS_H
#define COMMCACHE_PLUGIN_IR_OBJECTS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "ir/copy.h"
#include "ir/mirror.h"
#include "ir/request.h"

/*
 * What the mirror knows of each object of its input. An input object is known
 * by its address, and held by no reference (or it would never go): a
 * destruction listener on each trace and trace class tells when the address
 * is no longer its. Streams live as long as their trace, stream classes and
 * event classes as long as their trace class.
 *
 * `in` is weak; `out` is owned by this, NULL until it is made; `data` is the
 * owner's.
 */

struct mirror_trace_class {
	/* Weak. */
	struct mirror *mirror;
	const bt_trace_class *in;
	bt_trace_class *out;
	bt_listener_id listener;
	/* Owned by this, in the order of the input's indexes. */
	GPtrArray *stream_classes;
	/* How many of them have an output, the first ones. */
	guint made_count;
};

struct mirror_trace {
	/* Weak. */
	struct mirror *mirror;
	const bt_trace *in;
	bt_trace *out;
	bt_listener_id listener;
	void *data;
	/* Weak: lives longer. */
	struct mirror_trace_class *trace_class;
	/* Owned by this, in the order of the input's indexes. */
	GPtrArray *streams;
	/* How many of them have an output, the first ones. */
	guint made_count;
};

struct mirror_stream_class {
	const bt_stream_class *in;
	bt_stream_class *out;
	void *data;
	/* Weak, owner of this. */
	struct mirror_trace_class *trace_class;
	/* Owned by this, in the order of the input's indexes. */
	GPtrArray *event_classes;
	guint made_count;

	/* What is asked of it for each message. */
	bool has_clock;
	bool has_packets;

	/* Weak, in the table of clock classes; NULL until `out` is made. */
	struct mirror_clock_class *clock_class;
	/* Input field class to output field class, of the two contexts. */
	GHashTable *field_classes;
	struct copy_plan packet_context;
	bool has_packet_context;
	struct copy_plan common_context;
	struct slot_set slots;
};

struct mirror_event_class {
	const bt_event_class *in;
	bt_event_class *out;
	void *data;
	/* Weak, owner of this. */
	struct mirror_stream_class *stream_class;

	struct copy_plan specific_context;
	struct copy_plan payload;

	/* What there is to copy, in order. */
	struct copy_scope scopes[3];
	unsigned int scope_count;
};

struct mirror_stream {
	const bt_stream *in;
	bt_stream *out;
	void *data;
	/* Weak, owner of this. */
	struct mirror_trace *trace;
	/* Weak: lives longer. */
	struct mirror_stream_class *stream_class;

	/*
	 * The current packet: owned by this, so that its address is not used
	 * again meanwhile; NULL between packets.
	 */
	const bt_packet *in_packet;
	/* Owned by this; NULL until it is asked for. */
	bt_packet *out_packet;
};

/* Where the few objects that most messages speak of are found at once. */
#define OBJECT_CACHE_SIZE	1024

struct object_cache_entry {
	/* Weak. */
	const void *in;
	void *mirrored;
};

struct mirror {
	/* Weak: it owns this. NULL: makes no output. */
	bt_self_message_iterator *self_iterator;
	/* Of the graph; NULL: makes no output. */
	const struct mip *mip;
	const struct mirror_ops *ops;
	void *owner;
	/* An output is half made: it can be used no more. */
	bool broken;

	/* Input object to mirrored object. Traces and trace classes: owned. */
	GHashTable *traces;
	GHashTable *trace_classes;
	/* Weak: owned by traces, trace classes and stream classes. */
	GHashTable *streams;
	GHashTable *stream_classes;
	GHashTable *event_classes;
	/* Input clock class to struct mirror_clock_class; owned. */
	GHashTable *clock_classes;
	/* Those of them that no one uses, the oldest first. */
	GQueue idle_clock_classes;

	struct object_cache_entry event_class_cache[OBJECT_CACHE_SIZE];
	struct object_cache_entry stream_cache[OBJECT_CACHE_SIZE];
	/* Weak: of the last event; both or none. */
	struct mirror_stream *last_stream;
	struct mirror_event_class *last_event_class;

	/* Weak: of the event that is being made. */
	bt_field *slots[MIRROR_SLOTS_MAX];
	/* Its slots are those above. */
	struct copy_context copy_context;
};

void objects_init(struct mirror *mirror);
void objects_finish(struct mirror *mirror);

/*
 * The stream: known, or seen for the first time now, and with it all that its
 * trace has. Notes it in the cache.
 */
enum status objects_get_stream(struct mirror *mirror,
		const bt_stream *in, struct mirror_stream **stream);

/* The class of an event of `stream`. Notes it in the cache. */
enum status objects_get_event_class(struct mirror *mirror,
		const bt_event_class *in, struct mirror_stream *stream,
		struct mirror_event_class **event_class);

/*
 * Makes `packet` the stream's current one; NULL: none. To be called while a
 * message of the stream is handled.
 */
enum status objects_set_packet(struct mirror *mirror,
		struct mirror_stream *stream, const bt_packet *packet);

/* No stream has a current packet any more. */
void objects_forget_packets(struct mirror *mirror);

static inline struct object_cache_entry *objects_cache_entry(
		struct object_cache_entry *cache, const void *in)
{
	/* Objects are apart by at least their size. */
	uintptr_t number = (uintptr_t) in >> 5;

	return &cache[(number ^ (number >> 8)) % OBJECT_CACHE_SIZE];
}

/* The mirrored object if it is in the cache, or else NULL. */
static inline void *objects_find_cached(struct object_cache_entry *cache,
		const void *in)
{
	const struct object_cache_entry *entry = objects_cache_entry(cache, in);

	return G_LIKELY(entry->in == in) ? entry->mirrored : NULL;
}

#endif /* COMMCACHE_PLUGIN_IR_OBJECTS_H */
