/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_H
#define COMMCACHE_HISTORY_H

/*
 * Names over time: what was this thread called at that moment?
 *
 * A history takes evidence of thread names, as records of a trace give it, and
 * answers for any moment. It knows nothing of trace formats. doc/history.md
 * explains the model; these are its words:
 *
 * domain       numbers that can be compared: one host, one boot of it, one PID
 *              namespace.
 * thread       one number in one domain, with all its lives.
 * life         from the birth to the death of one thread (an incarnation). A
 *              number that is used again has another life.
 * evidence     what one record says: is, becomes, renamed, born, dies.
 *
 * Two ways to use it, and they mix freely:
 *
 * - one pass: for each record in order, add what it tells and resolve. Answers
 *   know only the past.
 * - look-ahead: add the evidence of all records first, then resolve. A name
 *   told only later then serves earlier records too, where the rules allow.
 *
 * Order. Evidence is meant to come in the order of time, and may come late (a
 * merge of traces whose clocks differ a little): it takes its place by its
 * moment, whenever it comes. What holds then:
 *
 * - Evidence that changes something is exact in any order, with each other.
 * - Evidence of the name that is already known is not kept (see "Memory"); a
 *   thread remembers only the newest such sighting. Late evidence of *another*
 *   name, that falls between a name and a sighting of the same name which was
 *   not kept, holds until the next moment that was.
 * - A second death in one life is not kept, nor is a birth told once more: when a
 *   birth comes later than those, they have been taken for another life's.
 * - `since` of commcache_history_renamed(), and whose death it is, are judged
 *   once, by what was added before.
 *
 * Memory. It grows with the changes, never with the records: evidence that
 * tells nothing new stores nothing. COMMCACHE_HISTORY_CHANGE_BYTES for each
 * change (half as much again at most, for room to grow),
 * COMMCACHE_HISTORY_THREAD_BYTES for each number seen,
 * COMMCACHE_HISTORY_NAME_BYTES for each different name,
 * COMMCACHE_HISTORY_JOIN_BYTES for each life that was joined across PID
 * namespaces. For endless streams: commcache_history_forget().
 *
 * Threads and signals. A history and all that belongs to it are for one thread
 * at a time; different histories are independent. Nothing here is
 * async-signal-safe. commcache_history_resolve() does not allocate, nor does
 * evidence that tells nothing new.
 *
 * Ownership. Domains, threads, names: all belong to the history, and hold until
 * it is destroyed or commcache_history_forget() is called.
 */

#include <commcache/cache.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Greatest id: PID_MAX_LIMIT of include/linux/threads.h, 64-bit. */
#define COMMCACHE_HISTORY_TID_MAX	4194304

/* Greatest CPU number that is taken for one (Linux knows up to 8192 CPUs). */
#define COMMCACHE_HISTORY_CPU_MAX	65535

/*
 * The inode number of the root PID namespace, the same on all Linux systems:
 * PROC_PID_INIT_INO of include/linux/proc_ns.h.
 */
#define COMMCACHE_HISTORY_NS_ROOT	UINT64_C(4026531836)

/* The trace does not tell in which PID namespace the numbers are. */
#define COMMCACHE_HISTORY_NS_UNKNOWN	UINT64_C(0)

/* See "Memory" above. */
#define COMMCACHE_HISTORY_CHANGE_BYTES	16
#define COMMCACHE_HISTORY_THREAD_BYTES	256
#define COMMCACHE_HISTORY_NAME_BYTES	32
#define COMMCACHE_HISTORY_JOIN_BYTES	128

struct commcache_history;
struct commcache_history_domain;
struct commcache_history_thread;

/*
 * A moment.
 *
 * `time` is a clock value. All moments given for one host and boot are of one
 * clock and unit, be it raw cycles or nanoseconds from an origin; which values
 * can be compared is for the caller to know (in LTTng: raw values where clock
 * UUID and frequency are equal). Times of different hosts or boots are never
 * compared. A stream without a clock: count its records. Clocks above INT64_MAX:
 * subtract first.
 *
 * `order` is the place among records of the same time, so that ties keep the
 * order of the trace in a second pass too: 0 for the first record with this
 * time, 2 for the next, 4, ... and the odd numbers for what takes effect right
 * after a record (see commcache_moment_after()). Up to 2^24 - 1; greater ones
 * count as that. Where both are equal, what was added first comes first.
 */
struct commcache_moment {
	int64_t time;
	uint32_t order;
};

static inline struct commcache_moment commcache_moment(int64_t time,
		uint32_t order)
{
	struct commcache_moment moment = { time, order };

	return moment;
}

/*
 * The moment right after a record: the record itself is resolved with what held
 * before. For records that are written before what they tell takes effect:
 * the kernel's task_rename (trace_task_rename() in fs/exec.c).
 */
static inline struct commcache_moment commcache_moment_after(
		struct commcache_moment moment)
{
	moment.order |= 1;
	return moment;
}

/* What became of evidence. Negative: it was not taken. */
enum commcache_history_status {
	/* Nothing new, nothing stored. */
	COMMCACHE_HISTORY_UNCHANGED = 0,
	COMMCACHE_HISTORY_CHANGED = 1,
	/* No such thread (NULL), or a comm that is NULL. */
	COMMCACHE_HISTORY_INVALID = -1,
	COMMCACHE_HISTORY_NO_MEMORY = -2,
};

/* Where an answer comes from, best first. */
enum commcache_history_source {
	/* Told by what made it: a rename, an exec, a birth that names. */
	COMMCACHE_HISTORY_SET = 0,
	/* A thread is called as its parent was when it was born. */
	COMMCACHE_HISTORY_INHERITED = 1,
	/* A record at or before the moment shows it. */
	COMMCACHE_HISTORY_SEEN = 2,
	/* Told by a record after the moment, in the same life. */
	COMMCACHE_HISTORY_LATER = 3,
	/* From commcache_history_file(). */
	COMMCACHE_HISTORY_FILE = 4,
	COMMCACHE_HISTORY_UNKNOWN = 5,
	/*
	 * The older of two names: it was seen before the moment, another one after
	 * it, and nothing tells on which side of it the rename was. The other one:
	 * commcache_history_other(). Only where what comes after the moment is known
	 * already, for one who asks in the midst of a trace never.
	 */
	COMMCACHE_HISTORY_BETWEEN = 6,
};

/* Why a name is unknown. */
enum commcache_history_reason {
	/* It is known. */
	COMMCACHE_HISTORY_REASON_NONE = 0,
	/* No record ever told anything of that number. */
	COMMCACHE_HISTORY_REASON_NO_THREAD = 1,
	/* That number was not in use then, as far as records tell. */
	COMMCACHE_HISTORY_REASON_NO_LIFE = 2,
	/* The life is known, and no record tells a name in it. */
	COMMCACHE_HISTORY_REASON_NO_EVIDENCE = 3,
	/* It was renamed there, and no record tells how. */
	COMMCACHE_HISTORY_REASON_RENAMED = 4,
	/* It has its parent's name, and that one is unknown. */
	COMMCACHE_HISTORY_REASON_PARENT = 5,
	/* No record tells which thread this is outside its namespace. */
	COMMCACHE_HISTORY_REASON_NOT_JOINED = 6,
};

/*
 * An answer, 16 bytes.
 *
 * `comm` is never NULL: "<...>" when unknown. Equal names have the same `id`. Ids
 * are small and dense, 0 is the unknown name: use them as indices of a table of
 * your own, such as of rendered strings.
 */
struct commcache_history_name {
	/* Weak, owned by the history. */
	const struct commcache_comm *comm;
	uint32_t id;
	/* enum commcache_history_source */
	uint8_t source;
	/* enum commcache_history_reason */
	uint8_t reason;
	/*
	 * Not 0: the namespace of the number is not known, and it was taken as
	 * one of the root namespace.
	 */
	uint8_t assumed_root;
	/*
	 * Not 0: only from procname contexts, which may be stale (see
	 * commcache_history_procname()).
	 */
	uint8_t weak;
};

/*
 * Who tells a birth. Several records can tell the same one (sched_process_fork
 * and task_newtask of the kernel, thread_start of the process itself, a little
 * later). Each of them tells each birth once; so a birth told by another one
 * than those that told the present life's, with no death between, is the same
 * birth. ALONE is always another life.
 */
enum commcache_history_teller {
	COMMCACHE_HISTORY_TELLER_ALONE = 0,
	/* sched_process_fork */
	COMMCACHE_HISTORY_TELLER_FORK = 1,
	/* task_newtask */
	COMMCACHE_HISTORY_TELLER_NEWTASK = 2,
	/* perf_fork */
	COMMCACHE_HISTORY_TELLER_PERF = 3,
	/* The thread itself: commcache:thread_start, commcache:process. */
	COMMCACHE_HISTORY_TELLER_SELF = 4,
};

/* NULL: no memory. */
struct commcache_history *commcache_history_create(void);

/* Frees all that belongs to it. NULL is fine. */
void commcache_history_destroy(struct commcache_history *history);

/*
 * The domain of that host, boot and PID namespace; the same for the same.
 *
 * host		hostname, NULL or "" where not told.
 * boot		16 bytes, the boot's id (LTTng: the clock's UUID), NULL where
 *		not told; that is another than each that is told.
 * ns_inum	inode number of the PID namespace as its root namespace sees it,
 *		COMMCACHE_HISTORY_NS_ROOT for a kernel trace's tids,
 *		COMMCACHE_HISTORY_NS_UNKNOWN where not told: its numbers are
 *		then taken as those of the root namespace, and answers say so
 *		(assumed_root).
 *
 * Does work by the length of the list of domains: keep it. NULL: no memory.
 */
struct commcache_history_domain *commcache_history_domain(
		struct commcache_history *history, const char *host,
		const uint8_t *boot, uint64_t ns_inum);

/*
 * The thread with that number; made where it is not there yet. A handle for
 * evidence and for commcache_history_resolve(): keeping it with whatever knows
 * the number saves the look-up.
 *
 * Number 0 is the idle thread of each CPU, in the root namespace: `cpu` tells
 * which, and counts for nothing else; -1 where not known.
 *
 * NULL: no thread has that number (less than 0, more than
 * COMMCACHE_HISTORY_TID_MAX, 0 in another namespace than the root or without a
 * CPU, which is what records hold where there is no thread), or no memory. All
 * functions here take NULL for a thread: evidence is INVALID, the name unknown.
 */
struct commcache_history_thread *commcache_history_thread(
		struct commcache_history_domain *domain, int64_t tid,
		int64_t cpu);

/*
 * The same, for numbers that are only looked up: NULL where nothing knows that
 * number, so that those of corrupt records take no memory.
 */
struct commcache_history_thread *commcache_history_find_thread(
		struct commcache_history_domain *domain, int64_t tid,
		int64_t cpu);

/*
 * Evidence. Comms are copied, and compared by 16 bytes: zero-padded as
 * commcache_comm_from_string() makes them. An empty one is a name.
 */

/* At that moment the thread is called comm. */
enum commcache_history_status commcache_history_is(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm);

/*
 * The same with less authority: a name that may be stale, LTTng-UST's procname
 * context (it is read once in a thread's life). Counts only in a life of which
 * no other evidence tells a name, and never beyond a `renamed`.
 */
enum commcache_history_status commcache_history_procname(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm);

/*
 * At that moment the name changes to comm, from `old` (NULL where not told).
 * Records that are written before the change: commcache_moment_after().
 */
enum commcache_history_status commcache_history_becomes(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *old,
		const struct commcache_comm *comm);

/*
 * The same, told by a record that comes after the change: that was after `since`,
 * when it was still called `old`.
 */
enum commcache_history_status commcache_history_became(
		struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment,
		const struct commcache_comm *old,
		const struct commcache_comm *comm);

/*
 * The name changed at some moment after `since` and not after `moment` (entry
 * and exit of prctl or execve); the same moment twice where only the end is
 * known. It is not told to what. `provisional`, where not NULL, is what the name
 * should be then (an exec's filename, from its last slash on): it serves until
 * the next evidence, as if it had been told. Leave it out for the filenames of
 * descriptors (/dev/fd/N). Tells nothing new when the change itself has already
 * been told by evidence after `since`.
 */
enum commcache_history_status commcache_history_renamed(
		struct commcache_history_thread *thread,
		struct commcache_moment since, struct commcache_moment moment,
		const struct commcache_comm *provisional);

/*
 * On that host and boot each rename from `since` on is told, also when its call was
 * entered: up to that the name is the one seen before. The last moment that there
 * is, commcache_moment(INT64_MAX, UINT32_MAX), which is so at first: not now.
 */
void commcache_history_all_told(struct commcache_history_domain *domain,
		struct commcache_moment since);

/*
 * At that moment a new life of that number begins. It is called comm; where
 * that is NULL, as `parent` is at that moment (even if that is told only
 * later); where that is NULL, not known.
 */
enum commcache_history_status commcache_history_born(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		enum commcache_history_teller teller,
		struct commcache_history_thread *parent,
		const struct commcache_comm *comm);

/*
 * At that moment the thread ended; comm as the record tells it, or NULL. It may
 * run on: until its number is born again, or has another name, it keeps its
 * name. A second death in one life says nothing new. A death with the name of
 * the life before, just after a birth (eight changes at most), is the one of the
 * life before: sched_process_free comes late, and the number can be in use again.
 */
enum commcache_history_status commcache_history_dies(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm);

/*
 * At that moment, `old`, a thread of the same process that is not its leader,
 * takes the leader's number: exec does that (de_thread() in fs/exec.c), and
 * sched_process_exec tells it afterwards (tid, old_tid). `thread` has from then
 * on the name that `old` had, and `old` ends. The life of `thread` goes on: it
 * is the same process. The exec's own rename is a commcache_history_renamed()
 * of its own.
 */
enum commcache_history_status commcache_history_takes_over(
		struct commcache_history_thread *thread,
		struct commcache_history_thread *old,
		struct commcache_moment moment);

/*
 * At that moment the thread is seen to run another program than the one that
 * evidence told of, and all that is known of its name is one that may be stale
 * (as commcache_history_procname()): that serves until other evidence tells.
 */
enum commcache_history_status commcache_history_program(
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm);

/*
 * A name from elsewhere, at no certain time (a saved_cmdlines, ps). Serves in
 * the life that was there before the first record, where nothing else is known.
 * A second one replaces the first.
 */
enum commcache_history_status commcache_history_file(
		struct commcache_history_thread *thread,
		const struct commcache_comm *comm);

/*
 * At that moment `thread`, of an inner PID namespace, and `root`, of the root
 * namespace of the same host and boot, are the same thread. Holds for the life
 * of `root` at that moment, whole, and for no other life of either number:
 * namespace inodes and numbers are used again. Evidence of either one counts
 * for both from now on, that which was added before too.
 *
 * INVALID where they are not of the same host and boot, or `root` is not of the
 * root namespace. `thread` of the root namespace itself: UNCHANGED.
 */
enum commcache_history_status commcache_history_join(
		struct commcache_history_thread *thread,
		struct commcache_history_thread *root,
		struct commcache_moment moment);

/*
 * The thread's name at that moment, by the rules of doc/history.md:
 *
 * Take the life at the moment; in it the newest name told at or before the
 * moment. If a `renamed` (without a provisional name) lies between that name and
 * the moment, the next name told after the moment and before the next `renamed`.
 * If no name is told before the moment, the first one told after it in the same
 * life (of a `becomes`, the old one), unless a `renamed` lies between. Else it
 * is unknown. Never across a birth, never forward across a death. Names are
 * inherited through 64 births at most.
 *
 * Cheap when moments mostly ascend, per thread: the last answer's span is kept.
 * Otherwise a binary search in the thread's changes.
 */
struct commcache_history_name commcache_history_resolve(
		struct commcache_history_thread *thread,
		struct commcache_moment moment);

/*
 * Of an answer BETWEEN: the name that is told next, the other one that the thread
 * may have had at that moment; unknown where it is not told to what the thread was
 * renamed. Of any other answer: that answer.
 */
struct commcache_history_name commcache_history_other(
		struct commcache_history_thread *thread,
		struct commcache_moment moment);

/* The comm of an id in an answer. */
const struct commcache_comm *commcache_history_comm(
		const struct commcache_history *history, uint32_t id);

/* Ids are less than this. */
uint32_t commcache_history_comm_count(const struct commcache_history *history);

/* A span of time in which a thread's answer is the same. */
struct commcache_history_span {
	/* Weak, owned by the history. */
	const char *host;
	/* Weak, owned by the history; NULL where not told. */
	const uint8_t *boot;
	uint64_t ns_inum;
	/* Weak, owned by the history. */
	struct commcache_history_thread *thread;
	int64_t tid;
	/* Of the idle thread; -1 for others. */
	int64_t cpu;
	/*
	 * The thread's tid in the root namespace, -1 where not known.
	 */
	int64_t root_tid;
	/* Counts the lives of the number that records tell of, from 0. */
	uint32_t life;
	/* Only where has_begin: else it began before all records. */
	struct commcache_moment begin;
	bool has_begin;
	struct commcache_history_name name;
};

/*
 * All spans: threads in no order, each one's spans by time. Spans of unknown
 * name are among them. visit() returns false to end it, and adds no evidence.
 */
void commcache_history_for_each(struct commcache_history *history,
		bool (*visit)(const struct commcache_history_span *span,
				void *data), void *data);

/*
 * The spans of one thread, by time; one at least. Of a number whose namespace is
 * not known, those of the root namespace's thread that it is taken for: that is
 * then the span's `thread`. NULL for a thread has none.
 */
void commcache_history_for_each_of(struct commcache_history_thread *thread,
		bool (*visit)(const struct commcache_history_span *span,
				void *data), void *data);

/*
 * For endless streams: nothing before `horizon` will be asked or added in that
 * domain's host and boot any more; frees what only served that. Lives that
 * ended before go, and the names that nobody bears any more. What is left is
 * bounded by the threads alive and the changes since the horizon.
 *
 * The last moment that there is, commcache_moment(INT64_MAX, UINT32_MAX): all of
 * that host and boot goes, its domains too.
 *
 * Afterwards all thread handles, comms and ids obtained before are invalid:
 * look them up again. Other domains hold. Does work by the size of the history: call
 * it when `changes` or `threads` has doubled, not for each record.
 *
 * NO_MEMORY: nothing was forgotten, and all is as before.
 */
enum commcache_history_status commcache_history_forget(
		struct commcache_history_domain *domain,
		struct commcache_moment horizon);

struct commcache_history_stats {
	uint64_t domains;
	uint64_t threads;
	/* Changes stored now. */
	uint64_t changes;
	/* Different names. */
	uint64_t names;
	/* Lives joined across namespaces. */
	uint64_t joins;
	/* Evidence that came late and changed something. */
	uint64_t late;
	/* Evidence lost, for want of memory. */
	uint64_t lost;
	/* Heap bytes in use, as asked of malloc. */
	uint64_t bytes;
};

void commcache_history_get_stats(const struct commcache_history *history,
		struct commcache_history_stats *stats);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* COMMCACHE_HISTORY_H */
