/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_TABLE_H
#define COMMCACHE_PLUGIN_LEARN_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <commcache/history.h>

/*
 * A table says, of one tracer, which event says what about names. It is data:
 * to know another tracer is to write another table (doc/learning.md).
 *
 * plan.h makes of a table and an event class a plan, once, when the class is
 * first seen; learn.h carries a plan out for each event.
 */

/* What a row says of an event. */
enum learn_kind {
	/* Who ran the event: TID or VTID. The first row that fits. */
	LEARN_RUNS,
	/* On which CPU, where the packet does not tell: CPU. */
	LEARN_ON_CPU,
	/* TID is called COMM. */
	LEARN_IS,
	/* TID, called OLD_COMM until now, is called COMM. */
	LEARN_BECOMES,
	/* TID begins as a child of PARENT, called COMM, or as its parent. */
	LEARN_BORN,
	/* TID begins to end; LEARN_DIES follows, late. */
	LEARN_ENDING,
	/* TID ended, and its number is free. */
	LEARN_DIES,
	/* TID runs the program FILENAME; until now it had OLD_TID. */
	LEARN_EXEC,
	/* On this CPU, TID called COMM gives way to NEXT_TID, NEXT_COMM. */
	LEARN_SWITCH,
	/*
	 * On CPU, TID begins to run (IN is not 0) or gives way: one side of a
	 * switch, told by who knows but its own threads. For sums, not names.
	 */
	LEARN_HALF_SWITCH,
	/* Some of these are missing here, of CPU. */
	LEARN_HALVES_LOST,
	/* TID is a thread of process PID. */
	LEARN_MEMBER_OF,
	/* TID is VTID in PID namespace NS, LEVEL below the root's. */
	LEARN_ALIAS,
	/* The process VTID (as it sees itself) lives in PID namespace NS. */
	LEARN_LIVES_IN,

	/*
	 * System calls that rename: entered by the event's thread. What they
	 * are asked is known at the entry, whether they did it at the exit.
	 */
	LEARN_ENTER_PRCTL,	/* OPTION */
	LEARN_ENTER_EXEC,	/* FILENAME */
	LEARN_ENTER_OPEN,	/* FILENAME, FLAGS */
	LEARN_ENTER_WRITE,	/* FD */
	LEARN_ENTER_DUP,	/* FD; NEW_FD, or the exit's RET tells */
	LEARN_ENTER_CLOSE,	/* FD */
	LEARN_LEAVE,		/* RET; of whichever was entered */
	/* Any system call: until then the thread had run no other program. */
	LEARN_CALLS,
};

/* What an event's member is to a row. */
enum learn_role {
	/*
	 * The thread. A row with neither TID nor VTID is about the event's own.
	 */
	LEARN_TID,
	/* Serves where TID holds none (a sentinel). */
	LEARN_OR_TID,
	/*
	 * The same, as the process sees it in its own PID namespace. A row
	 * with VTID and without TID means all its ids so.
	 */
	LEARN_VTID,
	LEARN_COMM,
	LEARN_OLD_COMM,
	LEARN_NEXT_TID,
	LEARN_NEXT_COMM,
	LEARN_PARENT,
	LEARN_OLD_TID,
	LEARN_PID,
	LEARN_NS,
	LEARN_LEVEL,
	LEARN_VTIDS,
	LEARN_CPU,
	LEARN_FILENAME,
	LEARN_OPTION,
	LEARN_FLAGS,
	LEARN_FD,
	LEARN_NEW_FD,
	LEARN_RET,
	LEARN_TIME,
	/*
	 * Of who gives way: the kernel's task state; whether it was made to,
	 * though it could run on.
	 */
	LEARN_STATE,
	LEARN_PREEMPTED,
	LEARN_IN,
	LEARN_ROLES,
};

enum learn_flag {
	/*
	 * The name can be stale: it counts only where nothing better is known
	 * of that thread.
	 */
	LEARN_WEAK = 1 << 0,
	/* The event fires before the change it tells of. */
	LEARN_BEFORE_CHANGE = 1 << 1,
	/* LEARN_LEAVE: the exit of that call only; none of these: of any. */
	LEARN_OF_PRCTL = 1 << 2,
	LEARN_OF_EXEC = 1 << 3,
	LEARN_OF_OPEN = 1 << 4,
	LEARN_OF_WRITE = 1 << 5,
	LEARN_OF_DUP = 1 << 6,
	LEARN_OF_CLOSE = 1 << 7,
	/*
	 * A death that can be told long after the number was given to another
	 * thread (LEARN_DIES that follows LEARN_ENDING).
	 */
	LEARN_LATE = 1 << 2,
	/* The name can be one that says "unknown", of an earlier run. */
	LEARN_SHOWN = 1 << 3,
};

/*
 * `member` holds names of members of the payload; "ctx:NAME" is one of the
 * event's contexts (the specific one first, then the common one). A row fits
 * an event class that has all of them, those that begin with "?" excepted,
 * and has no member `without`.
 */
struct learn_row {
	/* The event's name; `*` and `?` match as in a shell. */
	const char *event;
	enum learn_kind kind;
	unsigned int flags;
	const char *without;
	/* LEARN_BORN: so that a birth that several records tell counts once. */
	enum commcache_history_teller teller;
	const char *member[LEARN_ROLES];
};

/* What is known of a trace when its table is chosen. */
struct learn_tracer {
	/* Entries of the trace's environment; NULL if not there. */
	const char *tracer_name;
	const char *domain;
	/* Whether one of the trace's event classes has a name like this. */
	bool (*has_event)(const struct learn_tracer *tracer,
			const char *pattern);
	const void *data;
};

struct learn_table {
	const char *name;
	bool (*knows)(const struct learn_tracer *tracer);

	const struct learn_row *rows;
	size_t row_count;

	/* Ids of contexts and payload are as the process sees them. */
	bool ids_virtual;
	/*
	 * Events (patterns, NULL at the end) whose payload holds ids as the
	 * process sees them although `ids_virtual` is false.
	 */
	const char *const *virtual_payloads;
	/* "EVENT/MEMBER" patterns of what is no id, whatever it is called. */
	const char *const *no_ids;
	/*
	 * A context `procname` beside a thread's id is exact: read from the
	 * kernel's own record of the thread at each event.
	 */
	bool procname_exact;
	/*
	 * Its packets begin with their first event and end with their last one,
	 * so that what is between them was recorded, too.
	 */
	bool packets_apart;
};

extern const struct learn_table learn_lttng_kernel;
extern const struct learn_table learn_lttng_ust;
extern const struct learn_table learn_perf;

/* Of a trace whose tracer is none of the above: the general pair rule only. */
extern const struct learn_table learn_any;

/* Never NULL. */
const struct learn_table *learn_table_choose(const struct learn_tracer *tracer);

/* By its name. NULL: there is none. */
const struct learn_table *learn_table_find(const char *name);

#endif /* COMMCACHE_PLUGIN_LEARN_TABLE_H */
