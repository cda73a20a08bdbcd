/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_CPU_H
#define COMMCACHE_CPU_H

/*
 * Which thread ran on that CPU at that moment?
 *
 * For records with no thread id of their own. The answer comes from
 * sched_switch, from both sides: a record ran in the thread that its CPU last
 * switched to, and in the `prev` of its CPU's next switch. Where the two sides
 * differ, records are missing between them: up to the first gap (discarded
 * events, a stopped session) the earlier side holds, after the last gap the
 * later one; with no gap no one knows (a filter, or a session that tracks one
 * process, leaves switches out). Between two gaps with no switch between them
 * no one knows, even where the sides agree; nor before the first gap, where no
 * switch came before it, or after the last.
 *
 * What was recorded of a CPU begins and ends with a gap.
 *
 * One object for each kernel trace: the CPUs of one host and boot as one
 * session saw them. Its times are those of that trace's clock, and moments are
 * those of history.h.
 *
 * Three ways to use it:
 *
 * - COMMCACHE_CPUS_ONE_PASS: switches, gaps and questions in the order of the
 *   trace. Only the earlier side is known; nothing is known from a gap to the
 *   CPU's next switch. Memory: per CPU.
 * - COMMCACHE_CPUS_LOOKAHEAD: give all switches, execs and gaps first; then
 *   commcache_cpus_rewind(), and give them all again in the same order, with
 *   the questions between them. Memory: per CPU, and
 *   COMMCACHE_CPUS_EXCEPTION_BYTES for each span that the second pass could not
 *   tell by itself.
 * - COMMCACHE_CPUS_RECORD, which is LOOKAHEAD and more: also keeps all
 *   switches, and so answers for any time in any order, before and after the
 *   rewind: records of another trace of the same boot (LTTng-UST) are compared
 *   by raw clock value, and come up to 50 microseconds off in the merged order.
 *   Memory: COMMCACHE_CPUS_SWITCH_BYTES for each switch as well (twice that at
 *   the most; three times where switches are more than 2^32 clock units apart).
 *
 * For one thread at a time; not async-signal-safe.
 */

#include <commcache/history.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define COMMCACHE_CPUS_SWITCH_BYTES	8
#define COMMCACHE_CPUS_EXCEPTION_BYTES	48

struct commcache_cpus;

enum commcache_cpus_mode {
	COMMCACHE_CPUS_ONE_PASS = 0,
	COMMCACHE_CPUS_LOOKAHEAD = 1,
	COMMCACHE_CPUS_RECORD = 2,
};

/* NULL: no memory. */
struct commcache_cpus *commcache_cpus_create(enum commcache_cpus_mode mode);

/* NULL is fine. */
void commcache_cpus_destroy(struct commcache_cpus *cpus);

/*
 * The CPU goes from one thread to another: sched_switch. The record itself ran
 * in prev_tid: ask commcache_cpus_now() before this, or take prev_tid.
 *
 * INVALID: a CPU or tid that none can be (see COMMCACHE_HISTORY_CPU_MAX,
 * COMMCACHE_HISTORY_TID_MAX); taken as a gap where the CPU is one.
 * Moments of one CPU ascend; one that does not counts as the one before.
 */
enum commcache_history_status commcache_cpus_switch(
		struct commcache_cpus *cpus, int64_t cpu,
		struct commcache_moment moment, int64_t prev_tid,
		int64_t next_tid);

/*
 * Switches of that CPU may be missing here: a discarded-events message of a
 * stream that holds its switches, the end of a packet before a stop.
 *
 * What counts is the place among the records: give the moment of the last record
 * before it. (The end time of babeltrace2's discarded-events message is that of
 * the packet whose records follow the message: too late.)
 */
enum commcache_history_status commcache_cpus_gap(struct commcache_cpus *cpus,
		int64_t cpu, struct commcache_moment moment);

/*
 * The thread that runs there changed its tid from old_tid to tid with no
 * switch: sched_process_exec by a thread that is not the leader (de_thread() in
 * fs/exec.c). UNCHANGED: both are equal.
 *
 * It took effect before the record: *since (may be NULL) is set to the moment
 * from which on tid is taken as right, for commcache_history_takes_over(). That
 * is the last switch to old_tid, seen on any CPU (it may have slept since, with
 * the new tid), or `floor` if that is later: the entry of the execve where that
 * is known, else a moment with time INT64_MIN.
 */
enum commcache_history_status commcache_cpus_exec(struct commcache_cpus *cpus,
		int64_t cpu, struct commcache_moment moment,
		struct commcache_moment floor, int64_t tid, int64_t old_tid,
		struct commcache_moment *since);

/*
 * The first pass is over. Again: the second is, start it over. With
 * COMMCACHE_CPUS_RECORD the second one may begin later than the first did, and,
 * where a gap is told, leave records out.
 */
enum commcache_history_status commcache_cpus_rewind(
		struct commcache_cpus *cpus);

/*
 * The tid that runs on that CPU, for a record of this trace, asked in the
 * order of the trace. -1: not known.
 */
int64_t commcache_cpus_now(struct commcache_cpus *cpus, int64_t cpu,
		struct commcache_moment moment);

/*
 * The tid that ran on that CPU at that time, for a record of another trace with
 * the same clock, asked in any order. Mostly ascending times are cheap, others
 * a binary search. -1: not known. Only with COMMCACHE_CPUS_RECORD; -1 else.
 * Before the rewind, times after the last switch are answered as if no more
 * would come.
 */
int64_t commcache_cpus_at(struct commcache_cpus *cpus, int64_t cpu,
		int64_t time);

/* For endless streams: nothing before that time will be asked any more. */
void commcache_cpus_forget(struct commcache_cpus *cpus, int64_t time);

/* Heap bytes in use, as asked of malloc. */
uint64_t commcache_cpus_bytes(const struct commcache_cpus *cpus);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* COMMCACHE_CPU_H */
