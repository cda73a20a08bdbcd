/* SPDX-License-Identifier: MIT */

/*
 * Random worlds. What really happens is known; each thing that happens is told
 * by the one number of its thread or by the other, some of it late, and joins at
 * any time of a life. Both numbers then have the true name, as far as a history
 * that is told all by tids, in time, has it.
 *
 * The first argument is the number of worlds, the second the seed.
 */

#include "history-test.h"
#include "history-bytes.h"

#define LIVES 40
#define TIDS 6
#define VTIDS 3
#define NAMESPACES 2
#define EVENTS 260
/* Longest delay; numbers are not used again for longer. */
#define DELAY 6
#define NAME_ROOM 160

static struct commcache_history *history;
static struct commcache_history_domain *root, *inner, *other_inner;

static unsigned long worlds = 1500;
static uint64_t seed = 42;

/* Again, after the history has become another one. */
static void find_domains(void)
{
	root = commcache_history_domain(history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
	inner = commcache_history_domain(history, "host", NULL, 4026532210);
	other_inner = commcache_history_domain(history, "host", NULL,
			4026532212);
}

static int set_up(void **state)
{
	(void) state;
	history = commcache_history_create();
	find_domains();
	return root && inner && other_inner ? 0 : -1;
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
		if (time == 0) {
			for (int i = 0; i < 4; i++)
				begin_life(world, 0, false);
		} else if (random_below(random, 6) == 0) {
			begin_life(world, time, true);
		} else if (chosen >= 0 && world->lives[chosen].death > time) {
			live(world, (unsigned int) chosen, time);
		}
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
	for (unsigned int i = 0; i < world->told_count; i++) {
		deliver(world, &world->told[i], false);
		/* Kept as bytes and loaded again, it goes on as it was. */
		if (random_below(world->random, 100) == 0) {
			history = history_kept(history);
			find_domains();
		}
	}
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

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worlds),
	};

	if (argc > 1)
		worlds = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
