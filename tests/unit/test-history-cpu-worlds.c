/* SPDX-License-Identifier: MIT */

/*
 * The current thread per CPU, in random CPUs whose truth is known.
 *
 * The first argument is the number of random CPUs, the second the seed.
 */

#include "cpu-records.h"
#include "history-bytes.h"

static unsigned long trials = 20000;
static uint64_t seed = 7;

#define RECORDS 60

struct cpu_world {
	uint64_t *random;
	struct record records[RECORDS];
	unsigned int count;
	/* What is left of them. */
	struct record kept[RECORDS + 8];
	unsigned int kept_count;
	/* No records are lost between that one and the next. */
	bool is_whole;
};

static void make_cpu(struct cpu_world *world, uint64_t *random)
{
	int64_t time = 1000;
	uint32_t order = 0;
	int64_t current = random_below(random, 6);

	memset(world, 0, sizeof(*world));
	world->random = random;
	world->count = 1 + random_below(random, RECORDS);
	for (unsigned int i = 0; i < world->count; i++) {
		struct record *record = &world->records[i];

		/* Ties in time too. */
		if (random_below(random, 4)) {
			time += 1 + random_below(random, 5);
			order = 0;
		} else {
			order += 2;
		}
		record->kind = random_below(random, 2) ? SWITCH : EVENT;
		record->time = time;
		record->order = order;
		record->truth = current;
		record->prev = current;
		record->next = record->kind == SWITCH ?
				random_below(random, 6) : current;
		current = record->next;
	}
}

/* Of a session that tracks a process: the records in its threads alone. */
static void keep_tracked(struct cpu_world *world)
{
	for (unsigned int i = 0; i < world->count; i++) {
		if (world->records[i].truth < 3)
			world->kept[world->kept_count++] = world->records[i];
	}
}

/* Some stretches are discarded, and a message tells it. */
static void keep_some(struct cpu_world *world)
{
	bool is_lost = false;

	for (unsigned int i = 0; i < world->count; i++) {
		if (random_below(world->random, 12) == 0 &&
				world->kept_count + 2 < RECORDS + 8) {
			struct record gap = { .kind = GAP };

			is_lost = !is_lost;
			if (is_lost && world->kept_count) {
				gap.time = world->kept[world->kept_count -
						1].time;
				gap.order = world->kept[world->kept_count -
						1].order;
				world->kept[world->kept_count++] = gap;
			} else if (is_lost) {
				gap.time = 999;
				world->kept[world->kept_count++] = gap;
			}
		}
		if (!is_lost)
			world->kept[world->kept_count++] = world->records[i];
	}
}

/* Is there a switch on that side, and no gap before it? */
static bool is_told(const struct cpu_world *world, unsigned int i, int step)
{
	if (step > 0 && world->kept[i].kind == SWITCH)
		return true;
	for (unsigned int j = i + (unsigned int) step; j < world->kept_count;
			j += (unsigned int) step) {
		if (world->kept[j].kind != EVENT)
			return world->kept[j].kind == SWITCH;
	}
	return false;
}

/* Is there no other record of the same time? */
static bool is_alone(const struct cpu_world *world, unsigned int i)
{
	const struct record *record = &world->kept[i];

	return (i == 0 || record[-1].time != record->time) &&
			(i + 1 == world->kept_count ||
			record[1].time != record->time);
}

/* As bytes, and again from these. */
static struct commcache_cpus *cpus_kept(struct commcache_cpus *cpus)
{
	struct bytes bytes = bytes_of_cpus(cpus);

	commcache_cpus_destroy(cpus);
	assert_int_equal(cpus_of_bytes(&bytes, &cpus), COMMCACHE_STORE_OK);
	assert_int_equal(bytes.position, bytes.size);
	free(bytes.array);
	return cpus;
}

/* In one pass: the truth, or nothing. Kept in its midst, it goes on as it was. */
static struct commcache_cpus *check_one_pass(struct cpu_world *world,
		struct commcache_cpus *cpus)
{
	const unsigned int place = random_below(world->random, RECORDS + 8);

	for (unsigned int i = 0; i < world->kept_count; i++) {
		const struct record *record = &world->kept[i];
		int64_t now;

		if (i == place)
			cpus = cpus_kept(cpus);
		now = commcache_cpus_now(cpus, 0, commcache_moment(
				record->time, record->order));

		if (record->kind != GAP && world->is_whole &&
				(now >= 0 || is_told(world, i, -1)))
			assert_int_equal(now, record->truth);
		give(cpus, 0, record);
	}
	return cpus;
}

/* With look-ahead: the truth, where any side tells it and no filter hides some. */
static void check_second_pass(struct cpu_world *world,
		struct commcache_cpus *cpus)
{
	for (unsigned int i = 0; i < world->kept_count; i++) {
		const struct record *record = &world->kept[i];
		int64_t now = commcache_cpus_now(cpus, 0, commcache_moment(
				record->time, record->order));

		if (record->kind != GAP && (now >= 0 || (world->is_whole &&
				(is_told(world, i, 1) ||
				is_told(world, i, -1)))))
			assert_int_equal(now, record->truth);
		/* By time alone, where that tells. */
		if (record->kind == EVENT && now >= 0 && is_alone(world, i))
			assert_int_equal(commcache_cpus_at(cpus, 0,
					record->time), record->truth);
		give(cpus, 0, record);
	}
}

static void check_cpu(struct cpu_world *world)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);

	cpus = check_one_pass(world, cpus);
	assert_int_equal(commcache_cpus_rewind(cpus), CHANGED);
	check_second_pass(world, cpus);
	commcache_cpus_destroy(cpus);
}

static void test_random_cpus(void **state)
{
	static struct cpu_world world;
	uint64_t random = seed;

	(void) state;
	for (unsigned long i = 0; i < trials; i++) {
		make_cpu(&world, &random);
		switch (random_below(&random, 3)) {
		case 0:
			memcpy(world.kept, world.records,
					sizeof(world.records));
			world.kept_count = world.count;
			world.is_whole = true;
			break;
		case 1:
			keep_some(&world);
			world.is_whole = true;
			break;
		default:
			keep_tracked(&world);
			/* Its last switch leads to another process. */
			while (world.kept_count && world.kept[
					world.kept_count - 1].kind != SWITCH)
				world.kept_count--;
			break;
		}
		check_cpu(&world);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_cpus),
	};

	if (argc > 1)
		trials = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
