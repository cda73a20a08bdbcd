/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_THREADS_THREAD_H
#define COMMCACHE_PLUGIN_THREADS_THREAD_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include <commcache/history.h>

#include "learn/boot.h"

/*
 * What is counted, for each thread and each of its names.
 *
 * The history has learned all names before the first event is counted: an event
 * then belongs to one span of one thread. Memory grows with the spans, never
 * with the events.
 */

/* Nanoseconds from the clock's origin that are not known. */
#define THREADS_NO_TIME	INT64_MIN

/* An id that is not known. */
#define THREADS_NO_ID	(-1)

struct threads_counts {
	uint64_t events;
	/* Of the first and the last event; THREADS_NO_TIME without a clock. */
	int64_t first;
	int64_t last;
	/* On a CPU, in the boot's clock, as far as switches tell it. */
	uint64_t cycles;
	bool has_cycles;
	/* Away from the thread; and those of them that it did not ask for. */
	uint64_t switches;
	uint64_t preemptions;
};

extern const struct threads_counts threads_no_counts;

void threads_count_event(struct threads_counts *counts, int64_t time);
void threads_counts_add(struct threads_counts *sum,
		const struct threads_counts *counts);

/* What a watcher keeps of a thread. */
struct lane;

/*
 * Who wants to know when, besides how much. Times are those of the thread's boot.
 * *lane is the watcher's: NULL at first.
 */
struct threads_watcher {
	void (*event)(void *data, struct lane **lane, int64_t time);
	/* It had a CPU; at the end it was made to give way, or not. */
	void (*ran)(void *data, struct lane **lane, int64_t from, int64_t to,
			bool preempted);
	/* Weak. */
	void *data;
};

/* A name of a thread, from its beginning to that of the next one. */
struct threads_name {
	struct commcache_moment begin;
	/* Else it began before all records. */
	bool has_begin;
	/* Which life of the number it is in. */
	uint32_t life;
	struct commcache_history_name name;
	/* The thread's tid in the root namespace, or THREADS_NO_ID. */
	int64_t root_tid;
	struct threads_counts counts;
};

/* What is known of a life besides names. */
struct threads_life {
	int64_t pid;
	/* The innermost namespace, and the thread's number in it. */
	uint64_t ns_inum;
	int64_t vtid;
	/* Below the root namespace; -1: not told. */
	int level;
	/* When it ended, in the boot's clock; INT64_MAX: not told. */
	int64_t end;
	/* Weak, owned by the watcher. */
	struct lane *lane;
};

/* A thread that a name is told of, and no tid: by its name alone. */
struct threads_stray {
	struct commcache_comm comm;
	/* Not even a name is told. */
	bool is_unknown;
	struct threads_counts counts;
	/* Weak, owned by the watcher. */
	struct lane *lane;
};

/* What a CPU runs; see cpu.c. */
struct threads_cpu {
	bool is_started;
	/* Nothing is missing since `since`. */
	bool is_open;
	/* Weak, owned by the history; NULL: not known yet. */
	struct commcache_history_thread *running;
	/* The last switch, or the first event; the last event. */
	int64_t since;
	int64_t last;
	/* The last switch, and the stream that told it (weak). */
	int64_t prev_tid;
	int64_t next_tid;
	const void *teller;
};

/* A turn of a thread on a CPU that has begun; see half.c. */
struct threads_turn {
	/* Weak. */
	struct commcache_history_thread *thread;
	int64_t cpu;
	int64_t since;
};

/* A boot of a host. */
struct threads_boot {
	/* Weak, owned by the history. */
	const char *host;
	uint8_t id[16];
	/* Weak, owned by the learner; NULL: no event was seen of it. */
	const struct learn_boot *learned;
	/* Owned by this: its events' clock; NULL: none. */
	const bt_clock_class *clock_class;
	bool clock_tells_cpus;
	/* Some event tells ids of the root namespace. */
	bool has_root_ids;
	/* Whether records tell of preemptions. */
	bool tells_preemptions;
	/* struct threads_cpu, by number. Owned by this. */
	GArray *cpus;
	/* Threads told of their own turns. */
	bool has_turns;
	/* struct threads_turn, a set by thread and CPU. Owned by this. */
	GHashTable *turns;
	/* Comm -> struct threads_stray. Owned by this. */
	GHashTable *strays;
	struct threads_stray unknown;
};

struct threads_thread {
	/* Weak, owned by the history. */
	struct commcache_history_thread *handle;
	/* Weak. */
	struct threads_boot *boot;
	uint64_t ns_inum;
	int64_t tid;
	/* Of an idle thread, or -1. */
	int64_t cpu;
	/* struct threads_name, by time, never empty. Owned by this. */
	GArray *names;
	/* struct threads_life, by number. Owned by this. */
	GArray *lives;
	/* In `names`: the last answer. */
	guint cursor;
};

struct threads {
	/* Weak, owned by naming. */
	struct commcache_history *history;
	/* struct threads_boot, struct threads_thread; owned by this. */
	GPtrArray *boots;
	GPtrArray *all;
	/* History's handle -> weak thread. */
	GHashTable *by_handle;
	/* Weak; NULL: no one. */
	const struct threads_watcher *watcher;
};

/* `history` has all names, and does not change any more. */
struct threads *threads_create(struct commcache_history *history);
void threads_destroy(struct threads *threads);

/* The boot that a stream's learner knows. */
struct threads_boot *threads_boot_of(struct threads *threads,
		const struct learn_boot *learned);

/* Nanoseconds from the origin of a time of that boot, or THREADS_NO_TIME. */
int64_t threads_boot_time(const struct threads_boot *boot, int64_t time);

/* Nanoseconds that so many cycles take. */
uint64_t threads_boot_duration(const struct threads_boot *boot,
		uint64_t cycles);

/* Never NULL, for a handle that is not. */
struct threads_thread *threads_get(struct threads *threads,
		struct commcache_history_thread *handle);

/* The name at a moment. Valid as long as the thread. */
struct threads_name *threads_name_at(struct threads_thread *thread,
		struct commcache_moment moment);

/*
 * The same, of the thread that it is in the root namespace where records tell
 * that: *thread is then that one.
 */
struct threads_name *threads_root_name_at(struct threads *threads,
		struct threads_thread **thread, struct commcache_moment moment);

struct threads_life *threads_life_of(const struct threads_thread *thread,
		const struct threads_name *name);

/* All threads that the history knows, those without events too. */
void threads_complete(struct threads *threads);

#endif /* COMMCACHE_PLUGIN_THREADS_THREAD_H */
