/* SPDX-License-Identifier: MIT */

/*
 * PID namespaces: numbers of inner namespaces, joined with those of the root.
 *
 * The first argument is the number of random worlds, the second the seed.
 */

#include "history-test.h"

static struct commcache_history *history;
static struct commcache_history_domain *root, *inner, *other_inner, *unknown;

static unsigned long worlds = 1500;
static uint64_t seed = 42;

static int set_up(void **state)
{
	(void) state;
	history = commcache_history_create();
	root = commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
	inner = commcache_history_domain(history, "host", NULL, 4026532210);
	other_inner = commcache_history_domain(history, "host", NULL,
			4026532212);
	unknown = commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_UNKNOWN);
	return root && inner && other_inner && unknown ? 0 : -1;
}

static int tear_down(void **state)
{
	(void) state;
	commcache_history_destroy(history);
	return 0;
}

static struct commcache_history_thread *number(
		struct commcache_history_domain *domain, int64_t tid)
{
	return commcache_history_thread(domain, tid, -1);
}

static void is(struct commcache_history_domain *domain, int64_t tid,
		int64_t time, const char *name)
{
	struct commcache_comm comm = comm_of(name);

	assert_true(commcache_history_is(number(domain, tid), at(time),
			&comm) >= 0);
}

static void born(struct commcache_history_domain *domain, int64_t tid,
		int64_t time, enum commcache_history_teller teller)
{
	assert_true(commcache_history_born(number(domain, tid), at(time),
			teller, NULL, NULL) >= 0);
}

static void dies(struct commcache_history_domain *domain, int64_t tid,
		int64_t time)
{
	assert_true(commcache_history_dies(number(domain, tid), at(time),
			NULL) >= 0);
}

static enum commcache_history_status join(
		struct commcache_history_domain *domain, int64_t vtid,
		int64_t tid, int64_t time)
{
	return commcache_history_join(number(domain, vtid), number(root, tid),
			at(time));
}

static void assert_name(struct commcache_history_domain *domain, int64_t tid,
		int64_t time, const char *name)
{
	assert_string_equal(commcache_history_resolve(number(domain, tid),
			at(time)).comm->str, name);
}

static void assert_unknown(struct commcache_history_domain *domain, int64_t tid,
		int64_t time, enum commcache_history_reason reason)
{
	struct commcache_history_name name = commcache_history_resolve(
			number(domain, tid), at(time));

	assert_int_equal(name.id, 0);
	assert_int_equal(name.reason, reason);
}

/* The kernel's evidence names a vtid; the process's own names a tid. */
static void test_both_ways(void **state)
{
	(void) state;
	is(root, 500, 10, "kernel-told");
	assert_unknown(inner, 5, 10, COMMCACHE_HISTORY_REASON_NOT_JOINED);
	assert_int_equal(join(inner, 5, 500, 20), COMMCACHE_HISTORY_CHANGED);
	assert_int_equal(join(inner, 5, 500, 25), COMMCACHE_HISTORY_UNCHANGED);
	assert_name(inner, 5, 5, "kernel-told");
	assert_name(inner, 5, 30, "kernel-told");
	is(inner, 5, 40, "process-told");
	assert_name(root, 500, 39, "kernel-told");
	assert_name(root, 500, 40, "process-told");
	assert_name(inner, 5, 40, "process-told");
}

/* "Equal numbers in two namespaces are never the same thread." */
static void test_equal_numbers(void **state)
{
	(void) state;
	(void) join(inner, 5, 500, 1);
	(void) join(other_inner, 5, 600, 1);
	is(inner, 5, 10, "one");
	is(other_inner, 5, 10, "two");
	is(root, 5, 10, "root");
	assert_name(root, 500, 10, "one");
	assert_name(root, 600, 10, "two");
	assert_name(root, 5, 10, "root");
	assert_name(inner, 5, 10, "one");
	assert_name(other_inner, 5, 10, "two");
}

/* "that which was added before too" */
static void test_evidence_before_the_join(void **state)
{
	struct commcache_comm a = comm_of("a"), b = comm_of("b");

	(void) state;
	(void) commcache_history_becomes(number(inner, 5), at(10), &a, &b);
	is(inner, 5, 20, "c");
	is(inner, 5, 30, "c");
	assert_name(inner, 5, 15, "b");
	assert_unknown(root, 500, 15, COMMCACHE_HISTORY_REASON_NO_THREAD);
	(void) join(inner, 5, 500, 40);
	assert_name(root, 500, 5, "a");
	assert_name(root, 500, 15, "b");
	assert_name(root, 500, 25, "c");
	assert_name(inner, 5, 5, "a");
	/* Its newest sighting has come along. */
	is(root, 500, 25, "d");
	assert_name(inner, 5, 29, "d");
	assert_name(inner, 5, 30, "c");
}

/* Stale procname contexts come along as such. */
static void test_stale_procname_before_the_join(void **state)
{
	struct commcache_comm comm = comm_of("stale");

	(void) state;
	(void) commcache_history_procname(number(inner, 5), at(10), &comm);
	(void) join(inner, 5, 500, 20);
	assert_name(root, 500, 15, "stale");
	is(root, 500, 30, "right");
	assert_name(inner, 5, 15, "right");
}

/* Only the life that is joined counts, and not the number's others. */
static void test_evidence_of_another_life(void **state)
{
	(void) state;
	born(inner, 5, 10, COMMCACHE_HISTORY_TELLER_SELF);
	is(inner, 5, 15, "first");
	dies(inner, 5, 20);
	born(inner, 5, 30, COMMCACHE_HISTORY_TELLER_SELF);
	is(inner, 5, 35, "second");
	(void) join(inner, 5, 500, 40);
	assert_name(inner, 5, 25, "first");
	assert_name(inner, 5, 35, "second");
	assert_name(root, 500, 35, "second");
	assert_unknown(root, 500, 15, COMMCACHE_HISTORY_REASON_NO_LIFE);
}

/* "A namespace's inode number is used again, and vtids start again with it" */
static void test_inode_used_again(void **state)
{
	(void) state;
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 500, 10);
	is(root, 500, 11, "first");
	dies(root, 500, 20);
	born(root, 600, 30, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 600, 30);
	is(inner, 1, 31, "second");
	assert_name(inner, 1, 15, "first");
	assert_name(inner, 1, 25, "first");
	assert_name(inner, 1, 35, "second");
	assert_name(root, 600, 35, "second");
	assert_name(root, 500, 35, "first");
}

/* The tid is used again, by a thread that has nothing to do with the vtid. */
static void test_tid_used_again(void **state)
{
	(void) state;
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 500, 10);
	is(root, 500, 11, "contained");
	born(root, 500, 30, COMMCACHE_HISTORY_TELLER_FORK);
	is(root, 500, 31, "free");
	assert_name(inner, 1, 40, "contained");
	/* What is told of the number then is another life of it. */
	is(inner, 1, 50, "reborn");
	assert_name(inner, 1, 49, "contained");
	assert_name(inner, 1, 50, "reborn");
	assert_name(root, 500, 50, "free");
}

/* The birth is told by the kernel and, later, by the thread itself. */
static void test_birth_told_by_both(void **state)
{
	(void) state;
	born(inner, 5, 12, COMMCACHE_HISTORY_TELLER_SELF);
	is(inner, 5, 13, "a");
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 5, 500, 10);
	is(root, 500, 20, "b");
	assert_name(inner, 5, 15, "a");
	assert_name(inner, 5, 20, "b");
	assert_name(root, 500, 15, "a");
	assert_unknown(inner, 5, 9, COMMCACHE_HISTORY_REASON_NO_LIFE);
}

/* A birth told late bounds what the join holds for. */
static void test_late_birth(void **state)
{
	(void) state;
	is(root, 500, 5, "another");
	(void) join(inner, 5, 500, 20);
	is(root, 500, 21, "a");
	assert_name(inner, 5, 5, "another");
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	assert_unknown(inner, 5, 5, COMMCACHE_HISTORY_REASON_NO_LIFE);
	assert_name(inner, 5, 10, "a");
}

/* exec by a thread that is not the leader: its life goes on. */
static void test_takes_over(void **state)
{
	(void) state;
	(void) join(inner, 1, 500, 1);
	(void) join(inner, 2, 501, 1);
	is(root, 500, 2, "leader");
	is(root, 501, 2, "other");
	assert_int_equal(commcache_history_takes_over(number(root, 500),
			number(root, 501), at(10)),
			COMMCACHE_HISTORY_CHANGED);
	is(root, 500, 20, "program");
	assert_name(inner, 1, 9, "leader");
	assert_name(inner, 1, 15, "other");
	assert_name(inner, 1, 20, "program");
	assert_name(inner, 2, 20, "other");
}

/* A child's parent may be told by its number in its namespace. */
static void test_parent_in_a_namespace(void **state)
{
	(void) state;
	(void) join(inner, 5, 500, 1);
	assert_true(commcache_history_born(number(inner, 6), at(10),
			COMMCACHE_HISTORY_TELLER_SELF, number(inner, 5),
			NULL) >= 0);
	is(root, 500, 9, "parent");
	assert_name(inner, 6, 10, "parent");
}

/* "Where no one tells it, a vtid is taken as one of the root namespace" */
static void test_unknown_namespace(void **state)
{
	struct commcache_history_name name;

	(void) state;
	is(root, 5, 10, "root");
	name = commcache_history_resolve(number(unknown, 5), at(10));
	assert_string_equal(name.comm->str, "root");
	assert_int_equal(name.assumed_root, 1);
	name = commcache_history_resolve(number(root, 5), at(10));
	assert_int_equal(name.assumed_root, 0);
	is(unknown, 5, 20, "told");
	assert_name(root, 5, 20, "told");
	name = commcache_history_resolve(number(unknown, 5), at(20));
	assert_string_equal(name.comm->str, "told");
	assert_null(number(unknown, 0));
	name = commcache_history_resolve(number(unknown, 6), at(20));
	assert_int_equal(name.reason, COMMCACHE_HISTORY_REASON_NO_THREAD);
	assert_int_equal(name.assumed_root, 1);
}

/* "A dying thread has vtid 0 and pid_ns 0" */
static void test_no_number(void **state)
{
	(void) state;
	assert_null(commcache_history_thread(inner, 0, 0));
	assert_null(commcache_history_thread(unknown, 0, 0));
}

static void test_invalid_joins(void **state)
{
	struct commcache_history_domain *elsewhere = commcache_history_domain(
			history, "elsewhere", NULL, COMMCACHE_HISTORY_NS_ROOT);

	(void) state;
	assert_int_equal(commcache_history_join(number(inner, 5),
			number(elsewhere, 500), at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_join(number(inner, 5),
			number(other_inner, 5), at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_join(number(unknown, 5),
			number(root, 500), at(0)), COMMCACHE_HISTORY_INVALID);
	assert_int_equal(commcache_history_join(number(inner, 5),
			commcache_history_thread(root, 0, 0), at(0)),
			COMMCACHE_HISTORY_INVALID);
	assert_int_equal(join(root, 500, 500, 0),
			COMMCACHE_HISTORY_UNCHANGED);
}

/* Joined lives outlive a horizon, if they do; the others go. */
static void test_forget_joined(void **state)
{
	struct commcache_history_stats stats;

	(void) state;
	born(root, 500, 10, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 500, 10);
	is(inner, 1, 11, "goes");
	dies(root, 500, 20);
	born(root, 600, 30, COMMCACHE_HISTORY_TELLER_FORK);
	(void) join(inner, 1, 600, 30);
	is(inner, 1, 31, "old");
	is(inner, 1, 32, "stays");
	(void) join(inner, 2, 700, 33);
	assert_int_equal(commcache_history_forget(root, at(50)),
			COMMCACHE_HISTORY_CHANGED);
	assert_null(commcache_history_find_thread(root, 500, -1));
	assert_name(inner, 1, 50, "stays");
	assert_name(root, 600, 50, "stays");
	is(root, 600, 60, "new");
	assert_name(inner, 1, 60, "new");
	is(inner, 2, 60, "late");
	assert_name(root, 700, 60, "late");
	commcache_history_get_stats(history, &stats);
	assert_int_equal(stats.joins, 2);
	assert_int_equal(stats.names, 3);
}

/*
 * Random worlds. What really happens is known; each thing that happens is told
 * by the one number of its thread or by the other, some of it late, and joins at
 * any time of a life. Both numbers then have the true name, as far as a history
 * that is told all by tids, in time, has it.
 */

#define LIVES 40
#define TIDS 6
#define VTIDS 3
#define NAMESPACES 2
#define EVENTS 260
/* Longest delay; numbers are not used again for longer. */
#define DELAY 6
#define NAME_ROOM 160

struct true_life {
	int64_t tid;
	/* -1: in the root namespace. */
	int ns;
	int64_t vtid;
	int64_t birth;
	int64_t death;
	bool is_joined;
	/* The name from each time on. */
	unsigned int names[EVENTS];
};

enum told_kind { TOLD_IS, TOLD_BECOMES, TOLD_RENAMED, TOLD_BORN, TOLD_STARTS,
	TOLD_DIES, TOLD_JOIN };

struct told {
	enum told_kind kind;
	unsigned int life;
	int64_t time;
	unsigned int name;
	/* 0: not told. */
	unsigned int old;
	bool by_inner;
	int64_t delivered;
};

struct world {
	uint64_t *random;
	/* What is told by tids comes that much late; 0: the other one does. */
	int64_t root_delay;
	struct true_life lives[LIVES];
	unsigned int life_count;
	struct told told[EVENTS * 3];
	unsigned int told_count;
	unsigned int name_count;
};

static struct commcache_comm true_name(unsigned int name)
{
	char str[32];

	(void) snprintf(str, sizeof(str), "name-%u", name);
	return comm_of(str);
}

static struct told *tell(struct world *world, enum told_kind kind,
		unsigned int life, int64_t time)
{
	struct told *told = &world->told[world->told_count++];

	*told = (struct told) {
		.kind = kind,
		.life = life,
		.time = time,
		.delivered = time,
	};
	if (world->lives[life].ns >= 0 && kind != TOLD_BORN &&
			kind != TOLD_JOIN && random_below(world->random, 2)) {
		told->by_inner = true;
		if (!world->root_delay && random_below(world->random, 2))
			told->delivered += random_below(world->random, DELAY);
	}
	if (!told->by_inner)
		told->delivered += world->root_delay;
	return told;
}

static bool is_free(const struct world *world, int64_t tid, int ns,
		int64_t vtid, int64_t time)
{
	for (unsigned int i = 0; i < world->life_count; i++) {
		const struct true_life *life = &world->lives[i];

		if (life->death + 2 * DELAY > time && (life->tid == tid ||
				(ns >= 0 && life->ns == ns &&
				life->vtid == vtid)))
			return false;
	}
	return true;
}

static void begin_life(struct world *world, int64_t time, bool is_told)
{
	unsigned int index = world->life_count;
	struct true_life *life = &world->lives[index];
	int64_t tid = 500 + random_below(world->random, TIDS);
	int ns = (int) random_below(world->random, NAMESPACES + 1) - 1;
	int64_t vtid = 1 + random_below(world->random, VTIDS);

	if (index == LIVES || !is_free(world, tid, ns, vtid, time))
		return;
	*life = (struct true_life) {
		.tid = tid, .ns = ns, .vtid = vtid, .birth = time,
		.death = INT64_MAX / 2,
	};
	world->life_count++;
	life->names[time] = ++world->name_count;
	if (!is_told)
		return;
	tell(world, TOLD_BORN, index, time)->name = random_below(
			world->random, 2) ? life->names[time] : 0;
	if (ns >= 0 && random_below(world->random, 2)) {
		life->is_joined = true;
		(void) tell(world, TOLD_JOIN, index, time);
	}
	if (random_below(world->random, 2))
		tell(world, TOLD_STARTS, index, time)->name =
				life->names[time];
}

static void live(struct world *world, unsigned int index, int64_t time)
{
	struct true_life *life = &world->lives[index];
	unsigned int name = life->names[time];
	struct told *told;

	switch (random_below(world->random, 8)) {
	case 0:
	case 1:
		tell(world, TOLD_IS, index, time)->name = name;
		break;
	case 2:
	case 3:
		life->names[time] = ++world->name_count;
		told = tell(world, TOLD_BECOMES, index, time);
		told->name = life->names[time];
		told->old = random_below(world->random, 2) ? name : 0;
		break;
	case 4:
		life->names[time] = ++world->name_count;
		(void) tell(world, TOLD_RENAMED, index, time);
		break;
	case 5:
		if (life->ns < 0)
			break;
		life->is_joined = true;
		(void) tell(world, TOLD_JOIN, index, time);
		break;
	case 6:
		if (random_below(world->random, 3))
			break;
		life->death = time;
		(void) tell(world, TOLD_DIES, index, time);
		/* The kernel tells it in any case. */
		told = tell(world, TOLD_DIES, index, time);
		told->by_inner = false;
		told->delivered = time + world->root_delay;
		break;
	default:
		break;
	}
}

static void make_world(struct world *world, uint64_t *random)
{
	memset(world, 0, sizeof(*world));
	world->random = random;
	if (random_below(random, 2))
		world->root_delay = random_below(random, DELAY);
	for (int64_t time = 0; time < EVENTS; time++) {
		/* One thing happens at a time, but for births. */
		int chosen = world->life_count ? (int) random_below(random,
				world->life_count) : -1;

		for (unsigned int i = 0; i < world->life_count; i++)
			world->lives[i].names[time] = world->lives[i].names[
					time ? time - 1 : 0];
		if (time == 0)
			for (int i = 0; i < 4; i++)
				begin_life(world, 0, false);
		else if (random_below(random, 6) == 0)
			begin_life(world, time, true);
		else if (chosen >= 0 && world->lives[chosen].death > time)
			live(world, (unsigned int) chosen, time);
	}
}

static int compare_told(const void *a, const void *b)
{
	const struct told *x = a, *y = b;

	if (x->delivered != y->delivered)
		return x->delivered < y->delivered ? -1 : 1;
	/* As they were told: the array is in that order. */
	return x < y ? -1 : x > y;
}

static void sort_told(struct world *world)
{
	/* A stable sort, which qsort() need not be. */
	for (unsigned int i = 1; i < world->told_count; i++) {
		struct told told = world->told[i];
		unsigned int at_ = i;

		while (at_ > 0 && compare_told(&told, &world->told[at_ - 1]) <
				0 && told.delivered < world->told[at_ -
				1].delivered) {
			world->told[at_] = world->told[at_ - 1];
			at_--;
		}
		world->told[at_] = told;
	}
}

static struct commcache_history_thread *told_thread(const struct world *world,
		const struct told *told, bool all_by_root)
{
	const struct true_life *life = &world->lives[told->life];

	if (told->by_inner && !all_by_root)
		return number(life->ns ? other_inner : inner, life->vtid);
	return number(root, life->tid);
}

static void deliver(const struct world *world, const struct told *told,
		bool all_by_root)
{
	const struct true_life *life = &world->lives[told->life];
	struct commcache_history_thread *thread = told_thread(world, told,
			all_by_root);
	struct commcache_comm comm = true_name(told->name);
	struct commcache_comm old = true_name(told->old);
	int status = -1;

	switch (told->kind) {
	case TOLD_IS:
		status = commcache_history_is(thread, at(told->time), &comm);
		break;
	case TOLD_BECOMES:
		status = commcache_history_becomes(thread, at(told->time),
				told->old ? &old : NULL, &comm);
		break;
	case TOLD_RENAMED:
		status = commcache_history_renamed(thread, at(told->time),
				at(told->time), NULL);
		break;
	case TOLD_BORN:
		status = commcache_history_born(thread, at(told->time),
				COMMCACHE_HISTORY_TELLER_FORK, NULL,
				told->name ? &comm : NULL);
		break;
	case TOLD_STARTS:
		status = commcache_history_born(thread, at(told->time),
				COMMCACHE_HISTORY_TELLER_SELF, NULL, &comm);
		break;
	case TOLD_DIES:
		status = commcache_history_dies(thread, at(told->time), NULL);
		break;
	case TOLD_JOIN:
		status = all_by_root ? 0 : commcache_history_join(number(
				life->ns ? other_inner : inner, life->vtid),
				number(root, life->tid), at(told->time));
		break;
	}
	assert_true(status >= 0);
}

static void print_world(const struct world *world)
{
	static const char *const kinds[] = { "is", "becomes", "renamed",
			"born", "starts", "dies", "join" };

	for (unsigned int i = 0; i < world->told_count; i++) {
		const struct told *told = &world->told[i];
		const struct true_life *life = &world->lives[told->life];

		print_message("# %lld (told at %lld) %s tid %lld ns %d vtid %lld name-%u old name-%u%s\n",
				(long long) told->time,
				(long long) told->delivered,
				kinds[told->kind], (long long) life->tid,
				life->ns, (long long) life->vtid, told->name,
				told->old, told->by_inner ? " by vtid" : "");
	}
}

static void check_answer(const struct world *world,
		const struct true_life *life, int64_t time, bool by_inner,
		uint32_t expected)
{
	struct commcache_history_name name = commcache_history_resolve(
			by_inner ? number(life->ns ? other_inner : inner,
			life->vtid) : number(root, life->tid), at(time));
	struct commcache_comm comm = true_name(life->names[time]);
	bool is_true = commcache_comm_equal(name.comm, &comm);

	if (is_true == (expected != 0) && (is_true || !name.id))
		return;
	print_world(world);
	fail_msg("tid %lld ns %d vtid %lld at %lld by %s: %s, expected %s, truth %s",
			(long long) life->tid, life->ns,
			(long long) life->vtid, (long long) time,
			by_inner ? "vtid" : "tid", name.comm->str,
			expected ? "that" : "unknown", comm.str);
}

/* What a history knows that is told all by tids, in time. */
static unsigned int expect(struct world *world, unsigned char *expected)
{
	unsigned int known = 0;

	(void) set_up(NULL);
	for (unsigned int i = 0; i < world->told_count; i++)
		deliver(world, &world->told[i], true);
	for (unsigned int i = 0; i < world->life_count; i++) {
		const struct true_life *life = &world->lives[i];

		for (int64_t time = life->birth; time < EVENTS &&
				time < life->death; time++) {
			struct commcache_history_name name =
					commcache_history_resolve(number(root,
					life->tid), at(time));
			struct commcache_comm comm = true_name(
					life->names[time]);

			expected[i * EVENTS + time] = name.id != 0;
			known += name.id != 0;
			if (name.id && !commcache_comm_equal(name.comm,
					&comm)) {
				print_world(world);
				fail_msg("tid %lld at %lld: %s, truth %s",
						(long long) life->tid,
						(long long) time,
						name.comm->str, comm.str);
			}
		}
	}
	(void) tear_down(NULL);
	return known;
}

static void check_world(struct world *world, const unsigned char *expected)
{
	(void) set_up(NULL);
	sort_told(world);
	for (unsigned int i = 0; i < world->told_count; i++)
		deliver(world, &world->told[i], false);
	for (unsigned int i = 0; i < world->life_count; i++) {
		const struct true_life *life = &world->lives[i];

		for (int64_t time = life->birth; time < EVENTS &&
				time < life->death && (life->ns < 0 ||
				life->is_joined); time++) {
			check_answer(world, life, time, false,
					expected[i * EVENTS + time]);
			if (life->ns >= 0)
				check_answer(world, life, time, true,
						expected[i * EVENTS + time]);
		}
	}
	(void) tear_down(NULL);
}

static void test_worlds(void **state)
{
	static struct world world;
	static unsigned char expected[LIVES * EVENTS];
	uint64_t random = seed;
	unsigned long known = 0;

	(void) state;
	for (unsigned long i = 0; i < worlds; i++) {
		make_world(&world, &random);
		memset(expected, 0, sizeof(expected));
		known += expect(&world, expected);
		check_world(&world, expected);
	}
	print_message("# %lu worlds, %lu names known in them\n", worlds, known);
	assert_true(known > worlds * 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_both_ways),
		TEST(test_equal_numbers),
		TEST(test_evidence_before_the_join),
		TEST(test_stale_procname_before_the_join),
		TEST(test_evidence_of_another_life),
		TEST(test_inode_used_again),
		TEST(test_tid_used_again),
		TEST(test_birth_told_by_both),
		TEST(test_late_birth),
		TEST(test_takes_over),
		TEST(test_parent_in_a_namespace),
		TEST(test_unknown_namespace),
		TEST(test_no_number),
		TEST(test_invalid_joins),
		TEST(test_forget_joined),
		cmocka_unit_test(test_worlds),
	};

	if (argc > 1)
		worlds = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
