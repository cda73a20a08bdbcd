/* SPDX-License-Identifier: MIT */

/*
 * What the agent does where the cache refuses a change.
 */

#include <string.h>

#include "cache-soundness.h"
#include "names.h"
#include "process.h"
#include "tap.h"

#define WAITING	64
#define TID	1000
#define NAPS	50

static struct agent_process process;

struct agent_process *agent_process_published = &process;
bool agent_debugging;

/* The agent's own, of which it tells nobody. */
static struct commcache *agent_cache;

struct commcache *__real_commcache_create(size_t capacity);
struct commcache *__wrap_commcache_create(size_t capacity);

struct commcache *__wrap_commcache_create(size_t capacity)
{
	agent_cache = __real_commcache_create(capacity);
	return agent_cache;
}

void agent_debug(const char *format, ...)
{
	(void) format;
}

/* As a thread would that is stopped while it changes the cache. */
static void lock(void)
{
	bail_out_unless(agent_cache->lock.process == 0, "locked");
	agent_cache->lock.process = cache_lock_process;
}

static void unlock(void)
{
	__atomic_store_n(&agent_cache->lock.process, 0, __ATOMIC_RELEASE);
}

/* Who waits naps; the nap at which the thread goes on, 0: at none. */
static int unlock_at_nap;

void __wrap_agent_nap(long ns);

void __wrap_agent_nap(long ns)
{
	(void) ns;
	if (unlock_at_nap && !--unlock_at_nap)
		unlock();
}

/* So many changes that the next one is refused. */
static void fill_backlog(const char *name)
{
	struct commcache_comm comm;
	pid_t tid;

	commcache_comm_from_string(&comm, name);
	for (tid = 1; tid <= WAITING; tid++)
		(void) commcache_save(agent_cache, tid, &comm, NULL);
	bail_out_unless(commcache_save(agent_cache, tid, &comm, NULL) ==
			COMMCACHE_SAVE_BUSY, "busy");
}

static void start(void)
{
	memset(&process, 0, sizeof(process));
	agent_debugging = true;
	bail_out_unless(agent_names_start(), "a cache");
}

static enum commcache_save_status save(const char *name)
{
	struct commcache_comm comm, prev;

	commcache_comm_from_string(&comm, name);
	return agent_names_save(TID, &comm, &prev);
}

static bool is_called(const char *name)
{
	struct commcache_comm comm;

	return agent_names_find(TID, &comm) && !strcmp(comm.str, name);
}

static void test_waits(void)
{
	struct commcache_comm comm;

	start();
	ok_equal(save("old"), COMMCACHE_SAVE_ADDED, "a name is saved");
	lock();
	fill_backlog("a");
	unlock_at_nap = NAPS;
	ok_equal(save("new"), COMMCACHE_SAVE_RENAMED,
			"a save waits for the thread that changes the cache");
	ok(is_called("new"), "and is made");
	lock();
	fill_backlog("b");
	unlock_at_nap = NAPS;
	agent_names_forget(TID);
	ok(!commcache_find(agent_cache, TID, &comm), "so is a forget");
	ok_equal(process.counts[AGENT_NOT_SAVED], 0, "nothing was refused");
	commcache_destroy(agent_cache);
}

static void test_gives_up(void)
{
	struct commcache_comm comm;

	start();
	(void) save("old");
	lock();
	fill_backlog("a");
	ok_equal(save("new"), COMMCACHE_SAVE_BUSY, "a save does not hang");
	ok_equal(process.counts[AGENT_NOT_SAVED], 1, "it is counted");
	unlock();
	ok(commcache_find(agent_cache, TID, &comm) &&
			!strcmp(comm.str, "old"), "the cache has the old name");
	ok(!is_called("old"), "which is not told any more");
	ok_equal(save("old"), COMMCACHE_SAVE_BUSY,
			"a rename back to it counts as a change");
	agent_names_begin_anew();
	ok(!agent_names_find(TID, &comm), "the next session begins anew");
	ok_equal(save("old"), COMMCACHE_SAVE_ADDED, "and asks the cache");
	commcache_destroy(agent_cache);
}

/* What was kept while nobody wanted to know is not true any more. */
static void test_doubts(void)
{
	struct commcache_stats stats;
	struct commcache_comm comm;
	uint64_t capacity;
	pid_t tid;

	start();
	commcache_get_stats(agent_cache, &stats);
	capacity = stats.capacity;
	commcache_comm_from_string(&comm, "old");
	for (tid = 1; tid <= 1000; tid++)
		(void) agent_names_save(tid, &comm, NULL);
	agent_names_doubt();
	ok(!is_called("old"), "an old name is not told");
	ok_equal(save("new"), COMMCACHE_SAVE_BUSY, "nor is one saved beside it");
	agent_names_begin_anew();
	commcache_get_stats(agent_cache, &stats);
	ok_equal(stats.threads, 0, "the next session begins with none");
	ok_equal(stats.capacity, capacity, "and with as much room");
	ok_equal(save("new"), COMMCACHE_SAVE_ADDED, "a name is saved again");
	memset(&process, 0, sizeof(process));
	ok(!is_called("new"), "the child of a fork has none");
	agent_names_begin_anew();
	ok_equal(save("new"), COMMCACHE_SAVE_ADDED, "before it begins anew");
	commcache_destroy(agent_cache);
}

static void test_ends(void)
{
	start();
	(void) save("old");
	agent_names_end(TID);
	ok(!is_called("old"), "who ended is forgotten");
	(void) save("new");
	ok(!is_called("new"), "and not kept if somebody names it still");
	agent_names_begin(TID);
	(void) save("newer");
	ok(is_called("newer"), "another thread of that number is");
	agent_names_doubt();
	agent_names_end(TID);
	agent_names_begin_anew();
	(void) save("newest");
	ok(!is_called("newest"), "nor is one that ended while none was kept");
	commcache_destroy(agent_cache);
}

int main(void)
{
	test_waits();
	test_gives_up();
	test_doubts();
	test_ends();
	return tap_end();
}
