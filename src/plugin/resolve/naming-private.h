/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_NAMING_PRIVATE_H
#define COMMCACHE_PLUGIN_RESOLVE_NAMING_PRIVATE_H

#include <glib.h>

#include "learn/learn.h"
#include "resolve/comm-text.h"
#include "resolve/naming.h"
#include "resolve/report.h"

/* What the parts of naming know of each other. */

/* Events until what was only of a trace that is gone is forgotten, at most. */
#define NAMING_FORGET_AFTER_TRACE	1024

/* A name as it goes out. */
struct naming_text {
	char *text;
	size_t length;
	/* What `keep` says of it. */
	bool is_kept;
};

struct naming {
	/* Weak, owned by the component. */
	const struct naming_config *config;
	/* Weak: owner of this. NULL for a sink, which adds no members. */
	bt_self_message_iterator *self_iterator;
	/* Weak: owns the iterator, or this. */
	bt_self_component *self_component;
	/* Weak, owned by the sink; NULL: none. */
	const struct naming_listener *listener;

	/* What naming_ops() returned. */
	struct mirror_ops ops;

	struct learn_options learn_options;
	/* Owned by this. */
	struct learn *learn;
	enum naming_pass pass;
	/* Of all classes of events: see learn_plan_tells(), learn_plan_asks(). */
	bool some_tell;
	bool some_ask;
	/* What `learned` holds is there. */
	bool is_loaded;
	/* Of traces that are known by then: a set of paths, owned by this. */
	GHashTable *folders;
	/* The sources whose threads have the names of `names-from`. */
	GPtrArray *seeded;

	/*
	 * struct naming_text, by the ids of the history's names; NULL where
	 * not made yet. Owned by this; their text stands behind them.
	 */
	GPtrArray *texts;
	/* Owns its text. */
	struct naming_text unknown;

	/* The event that is resolved, filled after that. */
	struct learn_event seen;
	const struct naming_text *text;
	enum commcache_history_source source;
	/* Of a name that comes from no history. */
	struct naming_text own;
	char own_text[COMM_TEXT_SIZE];

	/* Events until learn_forget() is asked again. */
	unsigned int until_forget;
	struct report report;
};

struct naming_trace {
	/* Weak, as long as this. */
	const bt_trace *trace;
	const struct learn_table *table;
};

/* A member `<id>_comm`. */
struct naming_id {
	struct learn_id id;
	unsigned int slot;

	/* Its last number, and whose it was: see struct learn_event. */
	uint64_t numbers_version;
	struct commcache_history_domain *domain;
	int64_t tid;
	struct commcache_history_thread *thread;
};

enum naming_slot {
	NAMING_SLOT_COMM,
	NAMING_SLOT_TID,
	NAMING_SLOT_SOURCE,
	/* From here on `<id>_comm`: of the stream class, the event class. */
	NAMING_SLOT_IDS,
};

struct naming_stream_class {
	/* Of the trace where it was seen first, which may be gone before it. */
	const struct learn_table *table;
	/* Weak, as long as this. */
	const bt_stream_class *stream_class;
	/* To be given back to the learner. */
	struct learn_source *source;
	/* Owned by this: of the common context. */
	struct learn_plan *plan;
	/* The packet context's cpu_id; -1: there is none. */
	int64_t cpu_index;
	/* It has events that tell which thread a CPU runs. */
	bool holds_switches;

	/* Members that were added. */
	bool has_comm;
	bool has_tid;
	bool has_source;
	/* struct naming_id, owned by this. */
	GArray *ids;
	unsigned int slot_count;
};

struct naming_event_class {
	/* Weak. */
	struct naming_stream_class *stream_class;
	/* Owned by this. */
	struct learn_plan *plan;
	/* struct naming_id of members that were added, owned by this. */
	GArray *ids;
};

struct naming_stream {
	/* Weak. */
	struct naming_stream_class *stream_class;
	/* Owned by this. */
	struct learn_stream *learn;
	/* Events of the packet that begins, or began, were discarded. */
	bool is_lossy;
};

/* In classes.c: functions of struct mirror_ops. */
enum status naming_trace_seen(void *owner, const bt_trace *trace,
		void **data);
void naming_trace_gone(void *owner, void *data);
enum status naming_stream_class_seen(void *owner,
		const bt_stream_class *stream_class, void *trace_data,
		void **data);
void naming_stream_class_gone(void *owner, void *data);
enum status naming_event_class_seen(void *owner,
		const bt_event_class *event_class, void *trace_data,
		void *stream_class_data, void **data);
void naming_event_class_gone(void *owner, void *data);
enum status naming_stream_class_members(void *owner,
		void *stream_class_data, const bt_stream_class *stream_class,
		struct mirror_request *request);
enum status naming_event_class_members(void *owner,
		void *event_class_data, const bt_event_class *event_class,
		struct mirror_request *request);

/* In values.c. */
enum status naming_observe(void *owner,
		const struct mirror_event *event);
enum status naming_resolve(void *owner,
		const struct mirror_event *event, enum mirror_verdict *verdict);
enum status naming_fill(void *owner, const struct mirror_event *event,
		bt_field *const *slots);

/* Both in one, where all events pass. */
enum status naming_resolve_and_fill(void *owner,
		const struct mirror_event *event, bt_field *const *slots);

/* In kept.c: what the file of `learned` holds; once. */
enum status naming_load(struct naming *naming);

/* Of a stream that is new: whether its trace holds more than was learned. */
enum status naming_check_stream(struct naming *naming,
		const bt_stream *stream, struct learn_stream *learn);

/* Of a learner; with a cause where it refuses what was not learned. */
enum status naming_status(const struct naming *naming,
		enum status status);

/* Whether `keep` lets events of threads so called pass. */
bool naming_keeps(const struct naming_config *config, const char *text);

GPtrArray *naming_create_texts(void);

/* The names of `names-from` for the source's host, once. */
enum status naming_seed_source(struct naming *naming,
		struct learn_source *source);

#endif /* COMMCACHE_PLUGIN_RESOLVE_NAMING_PRIVATE_H */
