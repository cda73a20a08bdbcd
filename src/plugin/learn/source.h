/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_SOURCE_H
#define COMMCACHE_PLUGIN_LEARN_SOURCE_H

#include <glib.h>

#include <commcache/cpu.h>

#include "learn/boot.h"
#include "learn/identity.h"
#include "learn/learn.h"
#include "learn/process.h"
#include "learn/recorded.h"
#include "learn/spans.h"
#include "learn/syscall.h"

/* What the parts of the learner know of each other. */

/* No event was seen yet. */
#define TIME_NONE	INT64_MIN

struct learn {
	/* Weak, owned by the creator. */
	const struct learn_options *options;
	/* Owned by this. */
	struct commcache_history *history;
	/* struct learn_boot, owned by this. */
	GPtrArray *boots;
	/* struct learn_source, owned by this. */
	GPtrArray *sources;
	/* How many there were. */
	uint64_t source_count;
	enum learn_pass pass;
	/* Counts them. */
	unsigned int passes;
	/*
	 * Goes up when a number may have come to mean another thread: what is
	 * remembered of a lower one has to be found again.
	 */
	uint64_t numbers_version;
	struct commcache_comm unknown;
	/* It came from bytes: see kept.h. */
	bool is_kept;
	/* And learns more. */
	bool goes_on;

	/* learn_forget(): what there was after the last time. */
	uint64_t kept_changes;
	uint64_t kept_threads;
};

struct learn_source {
	/* Weak: owns this. */
	struct learn *learn;
	/* Weak, owned by the learner. */
	struct learn_boot *boot;
	const struct learn_table *table;
	/* Weak, to tell sources apart. NULL: the trace is gone. */
	const bt_trace *trace;
	uint8_t identity[IDENTITY_SIZE];
	/* Of the folder that it was learned from; INT64_MIN: not told. */
	int64_t newest_packet;
	/* struct learn_kept_stream, owned by this. */
	GPtrArray *kept_streams;
	/* Stream classes and streams that have this. */
	unsigned int users;
	/* Weak, as long as the trace; NULL: no clock. */
	const bt_clock_class *clock_class;
	/* That clock counts nanoseconds. */
	bool in_nanoseconds;

	/* The newest event's; the place of the next one of the same time. */
	int64_t time;
	uint32_t order;

	/* Its events tell which thread a CPU runs. */
	bool tells_cpus;
	/* Some of its events do not tell which thread ran them. */
	bool asks_cpus;
	/* Owned by this. NULL: not asked, or no switch was seen yet. */
	struct commcache_cpus *cpus;
	enum commcache_cpus_mode cpus_mode;
	/*
	 * Which calls its events tell of; its streams, and those of which a packet
	 * is read that holds all; since when no rename can be missing: see whole.c.
	 */
	unsigned int calls;
	unsigned int streams;
	unsigned int open_streams;
	struct commcache_moment whole_since;
	/* CPUs that switches were told of are less than this. */
	int64_t cpu_limit;
	/* Of its CPUs' switches. Owned by this. */
	struct learn_recorded *recorded;

	/* Owned by this. */
	struct learn_syscalls *syscalls;
	/*
	 * Tid -> struct commcache_moment since when a thread is ending: its
	 * death is still to be told. Owned by this.
	 */
	GHashTable *ending;
	/* Of these, the number is another's already. Owned by this, a set. */
	GHashTable *reused;
	/*
	 * Tids of threads that took their leader's by an exec: the number is
	 * that of the leader, which has ended. Owned by this, a set.
	 */
	GHashTable *exchanged;
	/*
	 * Tid -> struct commcache_moment of its last system call, of threads
	 * that were renamed, not told how. Owned by this.
	 */
	GHashTable *last_calls;

	/*
	 * Tid -> struct learn_renaming, of threads of which the new name was
	 * not seen yet. Owned by this.
	 */
	GHashTable *renamings;

	/*
	 * Tid -> struct learn_ran, of threads that tell of their renames
	 * themselves, where others tell of these threads too. Owned by this.
	 */
	GHashTable *ran;

	/* Owned by this. */
	struct learn_processes *processes;
	/* A trace of one process: its pid in the root namespace; else 0. */
	int64_t only_process;
	/*
	 * vpid and vtid -> tid in the root namespace, where a CPU's switches
	 * told it. Owned by this.
	 */
	GHashTable *seen_on_cpu;
};

/* A rename of which a record told before it took effect. */
struct learn_renaming {
	/* From here on the thread is taken to have the new name. */
	struct commcache_moment moment;
	struct commcache_comm old, comm;
	/* The old name was seen after that record. */
	bool is_late;
	/* Another record told of it after it took effect. */
	bool is_done;
};

/* The newest event of a thread, and the one before that. */
struct learn_ran {
	struct commcache_moment last;
	struct commcache_moment before;
};

/* Whom the numbers meant that an event told, while the version is the same. */
struct learn_runner {
	uint64_t numbers_version;
	int64_t vtid;
	int64_t vpid;
	/* 0: the event told none. */
	int64_t pid_ns;

	/* As in struct learn_event. */
	struct commcache_history_thread *runner;
	int64_t runner_tid;
	struct commcache_history_domain *virtual_domain;
};

struct learn_stream {
	/* Weak, owned by the learner. */
	struct learn_source *source;
	/* Weak: whether its class has events that tell of switches. */
	const bool *holds_switches;
	/* Weak, its source's; NULL: nothing is, or is to be, kept. */
	struct learn_kept_stream *kept;
	int64_t cpu;
	/* In which pass it was begun last. */
	unsigned int passes;
	/* The last event. */
	struct commcache_moment last;
	/* The last switch in this packet, or the packet's beginning. */
	struct commcache_moment last_switch;

	/* The CPU whose switches it records now, or -1. */
	int64_t recorded_cpu;
	/* Of the last packet; TIME_NONE: not told. */
	int64_t packet_begin;
	int64_t packet_end;
	/* Events of the packet that begins, or began, were discarded. */
	bool is_lossy;
	/* A packet of it is read, in which nothing is missing. */
	bool is_open;
	/* Before it nothing was recorded of the CPU, in the whole boot. */
	bool has_hole;
	struct learn_hole hole;

	/* The thread that the last event's own context told, since when. */
	int64_t run_tid;
	struct commcache_moment run_since;

	/* The last namespace that was looked up in this pass: the history's. */
	uint64_t last_inode;
	struct commcache_history_domain *last_namespace;

	/* Weak, its source's: of the last thread that ran an event. */
	struct learn_ran *ran;
	int64_t ran_tid;

	/* Of the last event that told a vtid. */
	struct learn_runner last_runner;
	/* The last thread that ran an event, by its number. */
	struct {
		uint64_t numbers_version;
		struct commcache_history_domain *domain;
		int64_t tid;
		struct commcache_history_thread *thread;
	} last_thread;
};

/* A source with no trace yet. */
struct learn_source *learn_source_create(struct learn *learn,
		struct learn_boot *boot, const struct learn_table *table);

/* From now on it is that trace's. */
void learn_source_attach(struct learn_source *source, const bt_trace *trace,
		const bt_clock_class *clock_class,
		const struct learn_table *table);

/* Whether its events, or those of others, ask for its CPUs' threads. */
bool learn_source_is_asked(const struct learn_source *source);

/* In stream.c: its packet holds switches, or one was just seen in it. */
enum status learn_stream_begin_recording(struct learn_stream *stream);

/* In stream.c: its place is its beginning, in another pass. */
void learn_stream_begin_pass(struct learn_stream *stream);

/* The same if it is in another pass. */
static inline void learn_stream_enter_pass(struct learn_stream *stream)
{
	if (G_UNLIKELY(stream->passes != stream->source->learn->passes))
		learn_stream_begin_pass(stream);
}

static inline int64_t learn_time_of(uint64_t cycles)
{
	return (int64_t) MIN(cycles, (uint64_t) INT64_MAX);
}

/* In runner.c: fills `told`, `runner`, `runner_tid`, `virtual_domain`. */
void learn_see_runner(struct learn_event *seen);

/*
 * The switches of the source's CPUs; NULL: no one asks for them. Made where
 * they are not there yet.
 */
struct commcache_cpus *learn_source_cpus(struct learn_source *source);

/* In whole.c: which calls its events tell of. */
void learn_whole_plan(struct learn_source *source,
		const struct learn_plan *plan);

/* A rename can have been up to that moment that nothing tells. */
void learn_whole_missed(struct learn_source *source,
		struct commcache_moment moment);

/* The stream's packet begins, or ends. */
void learn_whole_begin(struct learn_stream *stream);
void learn_whole_end(struct learn_stream *stream);

/* In evidence.c: what moves a CPU's thread, told again in a second pass. */
enum status learn_follow(const struct learn_event *seen);

#endif /* COMMCACHE_PLUGIN_LEARN_SOURCE_H */
