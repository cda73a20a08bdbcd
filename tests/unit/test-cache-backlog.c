/* SPDX-License-Identifier: MIT */

/*
 * Changes while another thread has the lock and does not go on.
 */

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache-soundness.h"
#include "tap.h"

static struct commcache *cache;

static struct commcache_comm comm_of(const char *str)
{
	struct commcache_comm comm;

	commcache_comm_from_string(&comm, str);
	return comm;
}

static enum commcache_save_status save(pid_t tid, const char *name,
		struct commcache_comm *prev)
{
	struct commcache_comm comm = comm_of(name);

	return commcache_save(cache, tid, &comm, prev);
}

static bool is_called(pid_t tid, const char *name)
{
	struct commcache_comm comm;

	return commcache_find(cache, tid, &comm) && !strcmp(comm.str, name);
}

static bool is_unknown(pid_t tid)
{
	struct commcache_comm comm;

	return !commcache_find(cache, tid, &comm);
}

/* As another thread would, which then is stopped. */
static void lock(void)
{
	bail_out_unless(cache->lock.process == 0, "locked");
	cache->lock.process = cache_lock_process;
}

static void unlock(void)
{
	cache->lock.process = 0;
}

static void test_changes_wait(void)
{
	struct commcache_comm a = comm_of("a"), b = comm_of("b");
	struct commcache_comm c = comm_of("c"), z = comm_of("z"), prev;
	struct commcache_switch_status status;

	cache = commcache_create(16);
	save(1, "a", NULL);
	save(2, "b", NULL);
	lock();
	ok_equal(save(1, "a", NULL), COMMCACHE_SAVE_UNCHANGED, "unchanged");
	ok_equal(backlog_waiting(&cache->backlog_state), 0,
			"nothing waits for that");
	ok_equal(save(1, "c", &prev), COMMCACHE_SAVE_RENAMED, "renamed");
	ok(!strcmp(prev.str, "a"), "from a");
	ok(is_called(1, "c"), "seen at once");
	ok_equal(save(1, "c", NULL), COMMCACHE_SAVE_UNCHANGED,
			"unchanged since");
	status = commcache_sched_switch(cache, 1, &a, 2, &b);
	ok(status.prev == COMMCACHE_SAVE_RENAMED && is_called(1, "a"),
			"a switch goes by what waits, not by the table");
	status = commcache_sched_switch(cache, 2, &b, 1, &c);
	ok(status.next == COMMCACHE_SAVE_RENAMED && is_called(1, "c"),
			"on both of its sides");
	ok_equal(save(1, "d", &prev), COMMCACHE_SAVE_RENAMED,
			"renamed again");
	ok(!strcmp(prev.str, "c") && is_called(1, "d"), "from c to d");
	ok_equal(save(1, "a", &prev), COMMCACHE_SAVE_RENAMED,
			"renamed back to what the table has");
	ok(!strcmp(prev.str, "d") && is_called(1, "a"), "from d to a");
	ok_equal(save(3, "e", NULL), COMMCACHE_SAVE_ADDED, "added");
	ok(is_called(3, "e"), "seen at once");
	ok_equal(commcache_forget(cache, 2, &prev), COMMCACHE_OK,
			"forgotten");
	ok(!strcmp(prev.str, "b") && is_unknown(2), "seen at once");
	ok_equal(commcache_forget(cache, 2, NULL), COMMCACHE_NOT_FOUND,
			"not forgotten twice");
	ok_equal(save(2, "f", NULL), COMMCACHE_SAVE_ADDED, "added again");
	status = commcache_sched_switch(cache, 1, &z, 3, &a);
	ok(status.prev == COMMCACHE_SAVE_RENAMED &&
			status.next == COMMCACHE_SAVE_RENAMED &&
			is_called(1, "z") && is_called(3, "a"),
			"a switch renames both");
	ok_equal(backlog_waiting(&cache->backlog_state), 10,
			"10 changes wait");
	ok_equal(cache->order.threads, 2, "the table is as it was");
	ok_equal(commcache_for_each(cache, NULL, NULL), COMMCACHE_BUSY,
			"for_each is refused");
	ok_equal(commcache_resize(cache, 100), COMMCACHE_BUSY,
			"resize is refused");
	unlock();
	ok(is_called(1, "z") && is_called(2, "f") && is_called(3, "a"),
			"seen when unlocked");
	ok_equal(save(1, "z", NULL), COMMCACHE_SAVE_UNCHANGED,
			"the next save, though unchanged,");
	ok_equal(backlog_waiting(&cache->backlog_state), 0,
			"makes what waits");
	ok(is_called(1, "z") && is_called(2, "f") && is_called(3, "a") &&
			cache_is_sound(cache), "seen as before");
	commcache_destroy(cache);
}

/* What waits counts also for a thread whose home slot is another's. */
static void test_away_from_home(void)
{
	pid_t away = 2;

	cache = commcache_create(16);
	while (table_word_home(cache->table, away) !=
			table_word_home(cache->table, 1))
		away++;
	save(1, "a", NULL);
	save(away, "b", NULL);
	ok_equal(save(away, "b", NULL), COMMCACHE_SAVE_UNCHANGED,
			"unchanged, away from its home slot");
	lock();
	save(away, "c", NULL);
	ok_equal(save(away, "b", NULL), COMMCACHE_SAVE_RENAMED,
			"renamed back to what the table has");
	ok(is_called(away, "b"), "seen at once");
	unlock();
	save(1, "z", NULL);
	ok(cache_is_sound(cache) && is_called(away, "b"), "and settled");
	commcache_destroy(cache);
}

static void test_full(void)
{
	struct commcache_stats stats;
	char name[16];
	bool right = true;
	int round, i;

	cache = commcache_create(1000);
	save(5000, "x", NULL);
	for (round = 0; round < 3; round++) {
		lock();
		for (i = 0; i < BACKLOG_CELLS; i++) {
			snprintf(name, sizeof(name), "%d.%d", round, i);
			right = right && save(1 + i, name, NULL) ==
					(round ? COMMCACHE_SAVE_RENAMED :
					COMMCACHE_SAVE_ADDED);
		}
		for (i = 0; i < BACKLOG_CELLS; i++) {
			snprintf(name, sizeof(name), "%d.%d", round, i);
			right = right && is_called(1 + i, name);
		}
		right = right && save(3000, "y", NULL) == COMMCACHE_SAVE_BUSY;
		right = right && save(5000, "y", NULL) == COMMCACHE_SAVE_BUSY;
		right = right && commcache_forget(cache, 5000, NULL) ==
				COMMCACHE_BUSY;
		right = right && save(5000, "x", NULL) ==
				COMMCACHE_SAVE_UNCHANGED;
		right = right && is_called(5000, "x") && is_unknown(3000);
		unlock();
		right = right && save(5000, "x", NULL) ==
				COMMCACHE_SAVE_UNCHANGED;
		right = right && cache_is_sound(cache);
	}
	ok(right, "a full backlog refuses changes, and says so");
	commcache_get_stats(cache, &stats);
	ok_equal(stats.not_saved_busy, 6, "names not saved are counted");
	ok_equal(stats.not_forgotten_busy, 3, "so are threads not forgotten");
	ok_equal(stats.adds, 1 + BACKLOG_CELLS, "adds are counted once");
	ok_equal(stats.renames, 2 * BACKLOG_CELLS, "renames too");
	commcache_destroy(cache);
}

/* As a thread that took a ticket and was stopped before it filled its cell. */
static void take_ticket(void)
{
	cache->backlog_state += (UINT64_C(1) << 32) + 1;
}

static void fill_cell(uint32_t ticket, uint32_t tid, const char *name)
{
	struct commcache_comm comm = comm_of(name);

	slot_fill(&cache->backlog.cells[ticket % BACKLOG_CELLS],
			slot_key(ticket, tid), &comm);
}

static void test_incomplete(void)
{
	cache = commcache_create(16);
	save(1, "a", NULL);
	take_ticket();
	ok_equal(save(1, "b", NULL), COMMCACHE_SAVE_RENAMED,
			"renamed behind a change that is not complete");
	ok(is_called(1, "b"), "seen at once");
	ok_equal(backlog_waiting(&cache->backlog_state), 2, "both wait");
	fill_cell(0, 2, "late");
	ok(is_called(2, "late"), "the late one counts once complete");
	ok_equal(save(3, "c", NULL), COMMCACHE_SAVE_ADDED, "the next change");
	ok(cache_is_sound(cache) && is_called(1, "b") &&
			is_called(2, "late") && is_called(3, "c"),
			"makes all");
	commcache_destroy(cache);
}

static int status_of(pid_t child)
{
	int status = 0;

	bail_out_unless(child > 0 && waitpid(child, &status, 0) == child,
			"no child process");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The threads that were in the middle of these changes are not in the child. */
static void test_fork(void)
{
	pid_t child;

	cache = commcache_create(16);
	save(1, "a", NULL);
	lock();
	save(1, "b", NULL);
	take_ticket();
	save(1, "c", NULL);
	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit(!(is_called(1, "c") &&
			save(2, "d", NULL) == COMMCACHE_SAVE_ADDED &&
			is_called(1, "c") && is_called(2, "d") &&
			cache_is_sound(cache)));
	ok_equal(status_of(child), 0,
			"a child takes over a lock and a backlog");
	unlock();
	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit(!(save(2, "d", NULL) == COMMCACHE_SAVE_ADDED &&
			is_called(1, "c") && is_called(2, "d") &&
			cache_is_sound(cache)));
	ok_equal(status_of(child), 0, "a child takes over a backlog");

	/* As if this were a handler that interrupted who took the ticket. */
	fflush(stdout);
	cache_lock_sections = 1;
	child = fork();
	if (child == 0) {
		if (save(2, "d", NULL) != COMMCACHE_SAVE_ADDED ||
				!is_called(2, "d"))
			_exit(1);
		fill_cell(1, 3, "late");
		cache_lock_sections = 0;
		_exit(!(save(2, "e", NULL) == COMMCACHE_SAVE_RENAMED &&
			is_called(1, "c") && is_called(2, "e") &&
			is_called(3, "late") && cache_is_sound(cache)));
	}
	cache_lock_sections = 0;
	ok_equal(status_of(child), 0,
			"but not from its own interrupted code");
	fill_cell(1, 3, "late");
	save(2, "d", NULL);
	ok(cache_is_sound(cache) && is_called(3, "late"),
			"the parent goes on with both");
	commcache_destroy(cache);
}

int main(void)
{
	test_changes_wait();
	test_away_from_home();
	test_full();
	test_incomplete();
	test_fork();
	return tap_end();
}
