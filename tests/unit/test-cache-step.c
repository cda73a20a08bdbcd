/* SPDX-License-Identifier: MIT */

/*
 * Changes, stopped at each of their instructions in turn by a signal handler
 * that reads, changes or forks: every state in which another thread, a signal
 * handler or a forked child can meet the cache.
 *
 * With the argument "long", at each instruction of the long changes too.
 */

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache-soundness.h"
#include "step.h"
#include "tap.h"

#ifdef STEP_WORKS

#define CAPACITY	20
/* This takes another table. */
#define GROWN		200
/* Kept from the beginning, and newer than what is evicted. */
#define BYSTANDERS	10

static struct commcache *cache;
static struct commcache_comm before, after, nested, bystander;

static bool called(pid_t tid, const struct commcache_comm *name)
{
	struct commcache_comm comm;

	return commcache_find(cache, tid, &comm) &&
			commcache_comm_equal(&comm, name);
}

/*
 * 1 is renamed; 2 is the oldest, and evicted; 3 is forgotten; 4 is not there,
 * and added; 5 and 6 belong to what is done at a step. The others stay.
 */
static void prepare(void)
{
	pid_t tid;

	cache = commcache_create(CAPACITY);
	bail_out_unless(cache, "no memory");
	commcache_save(cache, 2, &before, NULL);
	for (tid = 100; tid < 100 + CAPACITY - BYSTANDERS - 4; tid++)
		commcache_save(cache, tid, &bystander, NULL);
	commcache_save(cache, 1, &before, NULL);
	commcache_save(cache, 3, &before, NULL);
	commcache_save(cache, 5, &before, NULL);
	for (tid = 10; tid < 10 + BYSTANDERS; tid++)
		commcache_save(cache, tid, &bystander, NULL);
	commcache_resize(cache, CAPACITY);
	bail_out_unless(cache->order.threads == CAPACITY, "not full");
}

static bool bystanders_are_kept(void)
{
	pid_t tid;

	for (tid = 10; tid < 10 + BYSTANDERS; tid++) {
		if (!called(tid, &bystander))
			return false;
	}
	return true;
}

static void change_rename(void)
{
	commcache_save(cache, 1, &after, NULL);
}

static void change_add(void)
{
	commcache_save(cache, 4, &after, NULL);
}

static void change_forget(void)
{
	commcache_forget(cache, 3, NULL);
}

static void change_grow(void)
{
	commcache_resize(cache, GROWN);
}

/* As if another thread had the lock: the changes go to the backlog. */
static bool lock_is_anothers;

static void change_deferred(void)
{
	/* A child may lose the ages, and then evict what we look for. */
	cache->capacity += 4;
	lock_is_anothers = true;
	cache->lock.process = cache_lock_process;
	commcache_save(cache, 1, &after, NULL);
	commcache_save(cache, 4, &after, NULL);
	commcache_forget(cache, 3, NULL);
	cache->lock.process = 0;
	lock_is_anothers = false;
	commcache_save(cache, 1, &after, NULL);
}

/* A name changes at most once, from before to after. */
static bool seen_after;

static void read_at_step(void)
{
	bool is_before = called(1, &before), is_after = called(1, &after);

	fail_unless(is_before || is_after, "the thread renamed is not found");
	fail_unless(!seen_after || is_after, "the old name came back");
	seen_after = is_after;
	fail_unless(called(4, &after) || !commcache_find(cache, 4,
			&(struct commcache_comm) { .half = { 0 } }),
			"the thread added has another name");
	fail_unless(bystanders_are_kept(), "another thread is not found");
}

/* As a signal handler does, in the middle of the change. */
static void change_at_step(void)
{
	enum commcache_save_status status;

	if (step != last_step)
		return;
	status = commcache_save(cache, 5, &nested, NULL);
	fail_unless(status == COMMCACHE_SAVE_RENAMED, "nested: not renamed");
	fail_unless(called(5, &nested), "nested: not renamed, it seems");
	status = commcache_save(cache, 6, &nested, NULL);
	fail_unless(status == COMMCACHE_SAVE_ADDED, "nested: not added");
	fail_unless(called(6, &nested), "nested: not added, it seems");
	status = commcache_save(cache, 1, &nested, NULL);
	fail_unless(status == COMMCACHE_SAVE_RENAMED, "nested: not 1");
	fail_unless(called(1, &nested), "nested: not 1, it seems");
	fail_unless(commcache_forget(cache, 10, NULL) == COMMCACHE_OK,
			"nested: not forgotten");
	fail_unless(!called(10, &bystander), "nested: not forgotten, it seems");
	fail_unless(commcache_save(cache, 10, &bystander, NULL) ==
			COMMCACHE_SAVE_ADDED, "nested: not added again");
	fail_unless(bystanders_are_kept(), "nested: another is not found");
}

/* What must hold once nobody is in the middle of anything. */
static void check_at_rest(void)
{
	enum commcache_save_status status;

	status = commcache_save(cache, 7, &nested, NULL);
	fail_unless(status == COMMCACHE_SAVE_ADDED, "at rest: not added");
	fail_unless(called(7, &nested), "at rest: not found");
	fail_unless(called(1, &before) || called(1, &after) ||
			called(1, &nested), "at rest: 1 is lost");
	fail_unless(cache_is_sound(cache), "at rest: not sound");
}

static void check_child(pid_t child)
{
	int status = 0;

	bail_out_unless(child > 0 && waitpid(child, &status, 0) == child,
			"no child process");
	fail_unless(WIFEXITED(status) && WEXITSTATUS(status) == 0,
			"the child failed");
}

/* The change belongs to a thread that does not exist in the child. */
static void fork_at_step(void)
{
	pid_t child;

	if (step != last_step)
		return;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		cache_lock_sections = 0;
		/* Ages may be lost, so 1 and others may be evicted by 7. */
		fail_unless(bystanders_are_kept(), "child: not found");
		fail_unless(commcache_resize(cache, GROWN) == COMMCACHE_OK,
				"child: not resized as the parent was");
		fail_unless(bystanders_are_kept(), "child: not kept then");
		fail_unless(commcache_resize(cache, 3 * CAPACITY) ==
				COMMCACHE_OK, "child: not resized");
		fail_unless(bystanders_are_kept(), "child: not kept");
		check_at_rest();
		fflush(stdout);
		_exit(failed);
	}
	check_child(child);
}

/* The child goes on with the change. */
static pid_t forked;

static void fork_and_go_on_at_step(void)
{
	if (step != last_step)
		return;
	fflush(stdout);
	forked = fork();
	if (forked != 0)
		return;
	/* The other thread may have been done when this one forked. */
	if (lock_is_anothers)
		cache->lock.process = 0;
	fail_unless(commcache_save(cache, 5, &nested, NULL) ==
			COMMCACHE_SAVE_RENAMED, "child: not renamed");
	fail_unless(called(5, &nested), "child: not renamed, it seems");
}

static void run(void (*a_change)(void), void (*a_step)(void), long last)
{
	seen_after = false;
	lock_is_anothers = false;
	prepare();
	step_through(a_change, a_step, last);
	fail_unless(bystanders_are_kept(), "done: another is not found");
	check_at_rest();
	commcache_destroy(cache);
}

/* At each step but the last few, which are after the change; or each nth. */
static long run_at_each_step(void (*a_change)(void), void (*a_step)(void),
		long every)
{
	long steps, last;

	run(a_change, a_step, 0);
	steps = step;
	for (last = 1; last < steps && !failed; last += every) {
		forked = -1;
		run(a_change, a_step, last);
		if (forked == 0) {
			fflush(stdout);
			_exit(failed);
		}
		if (forked > 0)
			check_child(forked);
	}
	return steps;
}

static const struct {
	const char *name;
	void (*change)(void);
	/* Not at each step, of those that are long and much of them alike. */
	long every;
} changes[] = {
	{ "a rename", change_rename, 1 },
	{ "an add that evicts", change_add, 1 },
	{ "a forget", change_forget, 1 },
	{ "changes of the backlog", change_deferred, 29 },
	{ "a resize", change_grow, 61 },
};

int main(int argc, char **argv)
{
	bool all = argc > 1 && !strcmp(argv[1], "long");
	size_t i;
	long steps, every;

	commcache_comm_from_string(&before, "before--before-");
	commcache_comm_from_string(&after, "after---after--");
	commcache_comm_from_string(&nested, "nested--nested-");
	commcache_comm_from_string(&bystander, "stander-stander");
	step_setup();

	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		every = all ? 1 : changes[i].every;
		failed = false;
		run(changes[i].change, read_at_step, 0);
		ok(!failed && step > 50,
				"reads within %s, at each of %ld instructions",
				changes[i].name, step);
		failed = false;
		steps = run_at_each_step(changes[i].change, change_at_step,
				every);
		ok(!failed && steps > 50, "changes within %s",
				changes[i].name);
		failed = false;
		steps = run_at_each_step(changes[i].change, fork_at_step,
				every);
		ok(!failed && steps > 50,
				"a child of another thread than that of %s",
				changes[i].name);
		failed = false;
		steps = run_at_each_step(changes[i].change,
				fork_and_go_on_at_step, changes[i].every);
		ok(!failed && steps > 50, "a child that goes on with %s",
				changes[i].name);
	}
	return tap_end();
}

#else

int main(void)
{
	skip("changes, instruction by instruction",
			"the trap flag is x86-64's");
	return tap_end();
}

#endif
