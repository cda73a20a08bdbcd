/* SPDX-License-Identifier: MIT */

/*
 * Reads, stopped at each of their instructions in turn, while a signal handler
 * changes what they read, as another thread could between any two of them.
 * Some changes come in two parts, a few instructions apart.
 */

#include <string.h>

#include "cache-soundness.h"
#include "step.h"
#include "tap.h"

#ifdef STEP_WORKS

#define TID		1
#define CAPACITY	50

static struct commcache *cache;
static struct commcache_comm before, after, stranger, mix;
/* A tid that has the same home as TID. */
static pid_t neighbour;

/* What was read. */
static bool found;
static struct commcache_comm seen;
static enum commcache_save_status status;
static int visits;

static void save(pid_t tid, const struct commcache_comm *comm)
{
	(void) commcache_save(cache, tid, comm, NULL);
}

/* As another thread would; or the code that was interrupted has the lock. */
static uint32_t holder_before;

static void lock(void)
{
	holder_before = cache->lock.process;
	cache->lock.process = cache_lock_process;
}

static void unlock(void)
{
	cache->lock.process = holder_before;
}

static void read_find(void)
{
	found = commcache_find(cache, TID, &seen);
}

/* Half of each of two names: was never saved. */
static void read_save(void)
{
	status = commcache_save(cache, TID, &mix, NULL);
}

static void read_switch(void)
{
	status = commcache_sched_switch(cache, neighbour, &stranger,
			TID, &mix).next;
}

static bool visit(pid_t tid, const struct commcache_comm *comm, void *data)
{
	(void) data;
	if (tid == TID) {
		visits++;
		seen = *comm;
	}
	return true;
}

static void read_for_each(void)
{
	visits = 0;
	found = commcache_for_each(cache, visit, NULL) != COMMCACHE_OK ||
			visits == 1;
	if (!visits)
		seen = before;
}

/* The changes, part by part. */

static void do_rename(void)
{
	save(TID, &after);
}

static void do_rename_back(void)
{
	save(TID, &before);
}

/* Its slot becomes another thread's, and it comes back elsewhere. */
static void do_forget(void)
{
	commcache_forget(cache, neighbour, NULL);
	commcache_forget(cache, TID, NULL);
	save(neighbour, &stranger);
}

static void do_add_again(void)
{
	save(TID, &after);
}

/* Would wait in vain for the code that was interrupted. */
static void resize_unless_locked(size_t capacity)
{
	if (!cache->lock.process)
		commcache_resize(cache, capacity);
}

static void do_grow(void)
{
	resize_unless_locked(20 * CAPACITY);
}

static void do_shrink(void)
{
	resize_unless_locked(CAPACITY);
}

static void do_shrink_and_rename(void)
{
	do_shrink();
	save(TID, &after);
}

static void do_defer(void)
{
	lock();
	save(TID, &after);
	unlock();
}

static void do_settle(void)
{
	save(3, &stranger);
	commcache_forget(cache, 3, NULL);
}

/* All cells are of others then. */
static void do_settle_and_defer_others(void)
{
	pid_t tid;

	do_settle();
	lock();
	for (tid = 1000; tid < 1000 + BACKLOG_CELLS; tid++)
		commcache_save(cache, 2, tid % 2 ? &mix : &stranger, NULL);
	unlock();
}

/* The state in which the read begins. */

static void begin_settled(void)
{
}

static void begin_deferred(void)
{
	lock();
	save(TID, &before);
	save(TID, &after);
	save(TID, &before);
	unlock();
}

static const struct {
	const char *name;
	void (*begin)(void);
	void (*first)(void);
	void (*second)(void);
	/* There may be a moment in which the thread is not kept. */
	bool absent;
} changes[] = {
	{ "a rename", begin_settled, do_rename, NULL, false },
	{ "a rename there and back", begin_settled, do_rename, do_rename_back,
		false },
	{ "a forget", begin_settled, do_forget, do_add_again, true },
	{ "a resize", begin_settled, do_grow, NULL, false },
	{ "a resize there and back", begin_settled, do_grow, do_shrink,
		false },
	{ "a resize, and a rename", begin_settled, do_grow,
		do_shrink_and_rename, false },
	{ "a deferred rename", begin_settled, do_defer, do_settle, false },
	{ "a settlement", begin_deferred, do_settle, NULL, false },
	{ "a settlement and others", begin_deferred,
		do_settle_and_defer_others, do_rename, false },
};

static void (*first_part)(void);
static void (*second_part)(void);
static long first_step, second_step;

static void change_at_step(void)
{
	if (step == first_step)
		first_part();
	if (step == second_step && second_part)
		second_part();
}

static void prepare(void)
{
	pid_t tid;

	cache = commcache_create(CAPACITY);
	bail_out_unless(cache, "no memory");
	neighbour = TID + 1;
	while (table_word_home(cache->table, neighbour) !=
			table_word_home(cache->table, TID))
		neighbour++;
	save(neighbour, &stranger);
	save(TID, &before);
	for (tid = 2; tid < 12; tid++) {
		if (tid != 3)
			save(tid, &stranger);
	}
	/* So that the other table is one that was used before. */
	do_grow();
	do_shrink();
}

static void check_read(void (*read)(void), bool absent)
{
	struct commcache_comm comm;

	if (read == read_find || read == read_for_each) {
		fail_unless(found || absent, "the thread is not found");
		fail_unless(!found || commcache_comm_equal(&seen, &before) ||
				commcache_comm_equal(&seen, &after),
				"the name is none of the two");
		return;
	}
	fail_unless(status == COMMCACHE_SAVE_RENAMED ||
			(absent && status == COMMCACHE_SAVE_ADDED),
			"a name that was not kept is told to be");
	fail_unless(commcache_find(cache, TID, &comm) &&
			(commcache_comm_equal(&comm, &mix) ||
			commcache_comm_equal(&comm, &before) ||
			commcache_comm_equal(&comm, &after)),
			"the name saved is lost");
}

static const struct {
	const char *name;
	void (*read)(void);
	/* Not at each step, if there are many. */
	long every;
} reads[] = {
	{ "a find", read_find, 1 },
	{ "a save", read_save, 1 },
	{ "a switch", read_switch, 1 },
	{ "a for_each", read_for_each, 61 },
};

static void check_all(size_t change, size_t read)
{
	static const long gaps[] = { 1, 5, 17 };
	size_t gap, gaps_used = 1;
	long steps = 100 * reads[read].every;

	if (changes[change].second && reads[read].every == 1)
		gaps_used = sizeof(gaps) / sizeof(gaps[0]);

	failed = false;
	first_part = changes[change].first;
	second_part = changes[change].second;
	for (gap = 0; gap < gaps_used && !failed; gap++) {
		for (first_step = 1; first_step < steps && !failed;
				first_step += reads[read].every) {
			second_step = first_step + gaps[gap];
			prepare();
			changes[change].begin();
			step_through(reads[read].read, change_at_step,
					second_step);
			/* The read may have ended before all was done. */
			if (step < second_step)
				steps = first_step;
			check_read(reads[read].read, changes[change].absent);
			save(30, &stranger);
			fail_unless(cache_is_sound(cache), "not sound");
			commcache_destroy(cache);
		}
	}
	ok(!failed, "%s within %s", changes[change].name, reads[read].name);
}

int main(void)
{
	size_t r, c;

	commcache_comm_from_string(&before, "before--before-");
	commcache_comm_from_string(&after, "after---after--");
	commcache_comm_from_string(&stranger, "strangerstrange");
	mix.half[0] = before.half[0];
	mix.half[1] = after.half[1];
	step_setup();
	for (r = 0; r < sizeof(reads) / sizeof(reads[0]); r++) {
		for (c = 0; c < sizeof(changes) / sizeof(changes[0]); c++)
			check_all(c, r);
	}
	return tap_end();
}

#else

int main(void)
{
	skip("reads, instruction by instruction",
			"the trap flag is x86-64's");
	return tap_end();
}

#endif
