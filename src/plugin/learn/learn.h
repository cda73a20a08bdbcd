/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_LEARN_H
#define COMMCACHE_PLUGIN_LEARN_LEARN_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

#include <commcache/history.h>
#include <commcache/store.h>

#include "learn/plan.h"
#include "learn/recorded.h"
#include "status.h"

/*
 * The learner takes from events what they say of names, by the plans of their
 * classes, and says of each event who ran it. It knows of all the traces of
 * one input: those of one boot help each other.
 *
 *	learn_create()
 *	learn_source_find() of each stream class, learn_stream_create()
 *	look-ahead:	learn_begin_pass(LEARN_PASS_FIRST)
 *			learn_see() and learn_take() of each event
 *			learn_begin_pass(LEARN_PASS_SECOND)
 *			learn_see() of each event
 *	one pass:	learn_begin_pass(LEARN_PASS_ONLY)
 *			learn_see() and learn_take() of each event
 *
 * After them, and before the next event, commcache_history_resolve() answers
 * with what held when the event fired.
 */
struct learn;

/* One trace on one clock. */
struct learn_source;

/* One stream of a source. */
struct learn_stream;

struct learn_boot;

enum learn_pass {
	LEARN_PASS_FIRST,
	LEARN_PASS_SECOND,
	LEARN_PASS_ONLY,
	/* The first one goes on, with more. */
	LEARN_PASS_MORE,
};

/* How it is known who ran an event. */
enum learn_told {
	LEARN_TOLD_NOT,
	/* The event says so: a context, or what it tells of. */
	LEARN_TOLD_BY_EVENT,
	/* Its CPU's switches do. */
	LEARN_TOLD_BY_CPU,
};

struct learn_event {
	const bt_event *event;
	const struct learn_plan *plan;
	struct learn_stream *stream;
	struct commcache_moment moment;
	/* -1: not known. */
	int64_t cpu;

	/* Who ran it. */
	enum learn_told told;
	/* Weak, owned by the history. NULL: not known. */
	struct commcache_history_thread *runner;
	/* Its tid in the root namespace; -1: not known. */
	int64_t runner_tid;
	/* In which ids that are as the process sees them are. */
	struct commcache_history_domain *virtual_domain;

	/* Of its boot. Weak, owned by the history, as the other. */
	struct commcache_history_domain *root;
	/*
	 * What was found of a number in a domain holds while this is the same: the
	 * number may have come to mean another thread.
	 */
	uint64_t numbers_version;
};

struct learn_options {
	/* Tell by the CPU's switches who ran an event that does not say. */
	bool infer_current;
	/*
	 * What is learned is to be kept: all turns of CPUs, and of what times it
	 * was learned.
	 */
	bool keeps;
	/* A name that is none, as an earlier run of this filter wrote it. */
	const char *unknown;
};

/* `options` is kept (weak). NULL: no memory. */
struct learn *learn_create(const struct learn_options *options);
void learn_destroy(struct learn *learn);

struct commcache_history *learn_history(struct learn *learn);

/*
 * What was learned, as bytes, in the first pass when all was seen: at its end, with
 * the option `keeps`.
 */
enum commcache_store_status learn_save(const struct learn *learn,
		const struct commcache_store_output *output);

/*
 * From bytes, in place of a first pass. `goes_on`: what follows is
 * LEARN_PASS_MORE, with traces that may be new; else LEARN_PASS_SECOND, with those
 * that it was learned from. On failure the learner is of no use any more.
 */
enum commcache_store_status learn_load(struct learn *learn,
		const struct commcache_store_input *input, bool goes_on);

/*
 * The newest packet of the stream's trace ends then, in nanoseconds from the origin:
 * to be kept. REFUSED: that is after what was learned.
 */
enum status learn_stream_newest(struct learn_stream *stream,
		int64_t newest);

/* LEARN_PASS_FIRST and LEARN_PASS_ONLY forget all that was learned. */
enum status learn_begin_pass(struct learn *learn, enum learn_pass pass);

/*
 * The source of a trace's streams of that class, made where it is not there
 * yet; to be given back with learn_source_put(). NULL: no memory, or nothing
 * is kept of that trace, where what is read was learned before.
 */
struct learn_source *learn_source_find(struct learn *learn,
		const bt_trace *trace, const bt_stream_class *stream_class,
		const struct learn_table *table);

/* It has the classes of that one, and so says the same of CPUs. */
void learn_source_copy_plans(struct learn_source *source,
		const struct learn_source *other);

void learn_source_put(struct learn_source *source);

/* Another one who will give it back. */
void learn_source_use(struct learn_source *source);

/*
 * The trace is gone; the names that were learned from it stay. In the only pass
 * its sources go, when they were given back, too.
 */
void learn_source_gone(struct learn *learn, const bt_trace *trace);

/*
 * An event class of that source was seen; to know what will be asked before
 * anything is.
 */
void learn_source_plan(struct learn_source *source,
		const struct learn_plan *plan);

/* Whether some of its events do not tell themselves which thread ran them. */
bool learn_source_asks(const struct learn_source *source);

/* Whether a source of the same boot tells which thread its CPUs run. */
bool learn_source_has_switches(const struct learn_source *source);

/* The hostname of its machine, of whose traces the first told it; or NULL. */
const char *learn_source_host(const struct learn_source *source);

/* A thread of the source's root namespace; for names from elsewhere. */
struct commcache_history_domain *learn_source_root(
		const struct learn_source *source);

/* Of what is learned apart: one host and boot (see boot.h). */
const struct learn_boot *learn_stream_boot(const struct learn_stream *stream);

/* The CPU of the packet that it is in; -1: not told. */
int64_t learn_stream_cpu(const struct learn_stream *stream);

/* Whether its source tells which thread its CPUs run. */
bool learn_stream_tells_cpus(const struct learn_stream *stream);

/* Whether one of the same boot does. */
bool learn_stream_has_switches(const struct learn_stream *stream);

/*
 * `holds_switches` is kept (weak): whether its class has events that tell which
 * thread a CPU runs.
 */
struct learn_stream *learn_stream_create(struct learn_source *source,
		const bool *holds_switches);
void learn_stream_destroy(struct learn_stream *stream);

/*
 * Which of its trace's streams it is, before its first message. REFUSED: what was
 * learned is kept, and nothing of that stream.
 */
enum status learn_stream_identify(struct learn_stream *stream,
		uint64_t class_id, uint64_t id);

/* Whether this very stream can tell which thread its CPU runs. */
bool learn_stream_holds_switches(const struct learn_stream *stream);

/*
 * A packet begins: the CPU of what follows, -1 if it is not told. `cycles`: a
 * raw clock value, of what is not before its first event.
 */
enum status learn_stream_begin_packet(struct learn_stream *stream,
		int64_t cpu, bool has_clock, uint64_t cycles);

/* It ends, after any event with that clock value that it holds. */
void learn_stream_end_packet(struct learn_stream *stream, bool has_clock,
		uint64_t cycles);

/* The stream ends. */
void learn_stream_end(struct learn_stream *stream);

/* Whether nothing was recorded of its CPU before its packet; once. */
bool learn_stream_take_hole(struct learn_stream *stream,
		struct learn_hole *hole);

/* Events may be missing here, whole packets as a rule. */
enum status learn_stream_gap(struct learn_stream *stream);

/* Some events of the packet that begins next were discarded. */
void learn_stream_lose(struct learn_stream *stream);

/*
 * The packet ends, before any event with that clock value, and some of its
 * events were discarded. They are missing at its end: it was full, and there
 * was no space for the next one. But an event that is small can still find
 * place after one that did not, so that any switch after the packet's last one
 * may be among them.
 */
enum status learn_stream_end_lossy_packet(struct learn_stream *stream,
		bool has_clock, uint64_t cycles);

/*
 * An event, in the order of the input: fills `seen`; in LEARN_PASS_FIRST who ran
 * it only where learn_take() needs to know. `cycles` is the raw value of its
 * clock, and counts for nothing without one.
 */
enum status learn_see(struct learn_stream *stream,
		const struct learn_plan *plan, const bt_event *event,
		bool has_clock, uint64_t cycles, struct learn_event *seen);

enum status learn_take_ops(struct learn_event *seen);

/*
 * Takes what the event says of names; sees once more who ran it, if it says in
 * which namespace that thread's numbers are. Inline: most events say nothing.
 */
static inline enum status learn_take(struct learn_event *seen)
{
	return learn_plan_tells(seen->plan) ? learn_take_ops(seen) : STATUS_OK;
}

/* The thread that an id of the event means; NULL: none that is known. */
struct commcache_history_thread *learn_find_thread(
		const struct learn_event *seen, const struct learn_id *id);

/*
 * When that was of which the event tells, if it says so: not later than it was
 * written, whatever it says. 0 is a time that is not known.
 */
bool learn_told_time(const struct learn_op *op, const struct learn_event *seen,
		int64_t *time);

/*
 * For endless streams, now and then: forgets what no later event can ask for.
 * True if it did: handles of threads and ids of names are invalid then.
 */
bool learn_forget(struct learn *learn);

#endif /* COMMCACHE_PLUGIN_LEARN_LEARN_H */
