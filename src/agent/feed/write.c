/* SPDX-License-Identifier: MIT */

#include <commcache/cache.h>

#include "../event.h"
#include "../names.h"
#include "../proc.h"
#include "../process.h"
#include "../provider.h"
#include "feed.h"
#include "write.h"

#define CACHE_CAPACITY	16384

/* Renamed last; those of the same remainder forget each other. */
#define TIDS		4096

/*
 * Names as the records tell them, one after the other; that of the interposed
 * calls may be ahead of it.
 */
static struct commcache *names;

bool feed_write_wanted(void)
{
	return agent_process_followed() &&
			(lttng_ust_tracepoint_enabled(commcache, sched_switch) ||
			lttng_ust_tracepoint_enabled(commcache, thread_rename));
}

bool feed_write_start(void)
{
	names = commcache_create(CACHE_CAPACITY);
	return names;
}

static void write_rename(pid_t tid, pid_t by_tid,
		const struct commcache_comm *prev,
		const struct commcache_comm *comm, uint64_t time)
{
	agent_count(AGENT_FEED_RENAMES);
	agent_event_rename(tid, by_tid, prev, comm, time);
}

/*
 * What a call wrote is written once more if the rename before it was not the
 * call's to see, and was written here, later than it: a reader of the trace
 * that skips what says nothing new may have skipped it. So it is if a thread
 * has, within milliseconds, another name and the old one again by other ways,
 * and then that other one by a call.
 */
static bool is_to_be_written(pid_t tid, enum feed_rename way)
{
	static pid_t written[TIDS];
	pid_t *last = &written[(unsigned int) tid % TIDS];
	bool after_raw = *last == tid;

	*last = way == FEED_RENAME_RAW ? tid : 0;
	return way != FEED_RENAME_THEIRS || after_raw;
}

static void take_comm(const struct feed_record *record)
{
	struct commcache_comm prev = record->comm;
	enum feed_rename way;

	if (commcache_save(names, record->tid, &record->comm, &prev) ==
			COMMCACHE_SAVE_UNCHANGED)
		return;
	way = feed_journal_find(&agent_feed()->journal, record->by_tid,
			record->time);
	/* What the calls know is old: they are to ask the kernel. */
	if (way == FEED_RENAME_RAW)
		agent_names_forget(record->tid);
	if (is_to_be_written(record->tid, way))
		write_rename(record->tid, record->by_tid, &prev, &record->comm,
				record->time);
}

/* A thread begins with the name of who made it. */
static void take_birth(const struct feed_record *record)
{
	struct commcache_comm comm;

	if (commcache_find(names, record->by_tid, &comm))
		(void) commcache_save(names, record->tid, &comm, NULL);
}

static void write_switch(const struct feed_record *record, int cpu)
{
	struct commcache_comm comm;

	if (!lttng_ust_tracepoint_enabled(commcache, sched_switch))
		return;
	/* Not known: its birth was lost, or the cache is full. */
	if (!commcache_find(names, record->tid, &comm)) {
		if (!agent_proc_comm(record->tid, &comm))
			return;
		(void) commcache_save(names, record->tid, &comm, NULL);
	}
	lttng_ust_tracepoint(commcache, sched_switch, agent_process()->pid,
			record->tid, comm.str, cpu, record->kind == FEED_IN,
			record->preempted, record->time);
}

static void take_death(const struct feed_record *record, int cpu)
{
	/* Its last switch is not told: it is not watched any more. */
	write_switch(record, cpu);
	(void) commcache_forget(names, record->tid, NULL);
}

static void take_loss(struct feed_ring *ring)
{
	const bool expected = ring->overfull;

	__atomic_store_n(&agent_feed()->broken, 1, __ATOMIC_RELEASE);
	ring->overfull = false;
	if (expected)
		return;
	agent_count(AGENT_FEED_LOSSES);
	lttng_ust_tracepoint(commcache, lost, agent_process()->pid, ring->cpu,
			ring->record.lost, ring->record.time);
}

void feed_write_record(struct feed_ring *ring)
{
	const struct feed_record *record = &ring->record;

	agent_count(AGENT_FEED_RECORDS);
	if (record->kind == FEED_LOST) {
		take_loss(ring);
		return;
	}
	/* A child that is made by fork() is another process. */
	if (record->pid != agent_process()->pid)
		return;
	switch (record->kind) {
	case FEED_COMM:
		take_comm(record);
		break;
	case FEED_BORN:
		take_birth(record);
		break;
	case FEED_DIED:
		take_death(record, ring->cpu);
		break;
	default:
		write_switch(record, ring->cpu);
		break;
	}
}

static bool look_at(const struct agent_proc_thread *thread, void *data)
{
	const bool *mends = data;
	const pid_t tid = thread->tid;
	struct commcache_comm comm, prev;
	uint64_t time;

	if (!agent_feed_comm(thread, &comm, &time))
		return true;
	prev = comm;
	switch (commcache_save(names, tid, &comm, &prev)) {
	case COMMCACHE_SAVE_UNCHANGED:
		return true;
	case COMMCACHE_SAVE_RENAMED:
		break;
	default:
		/* A statedump or its own start told of it, or will. */
		if (agent_names_find(tid, &prev) ?
				commcache_comm_equal(&comm, &prev) : !*mends)
			return true;
		break;
	}
	agent_names_forget(tid);
	write_rename(tid, 0, &prev, &comm, time);
	return true;
}

static void look(bool mends)
{
	static char buffer[32768] __attribute__((aligned(8)));

	(void) agent_proc_for_each_thread_in(buffer, sizeof(buffer), look_at,
			&mends);
}

void feed_write_look(void)
{
	look(false);
}

void feed_write_mend(void)
{
	if (!__atomic_exchange_n(&agent_feed()->broken, 0, __ATOMIC_ACQUIRE))
		return;
	agent_count(AGENT_FEED_MENDS);
	look(true);
}
