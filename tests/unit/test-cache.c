/* SPDX-License-Identifier: MIT */

/*
 * What the cache promises to one thread.
 */

#include <errno.h>
#include <string.h>

#include <commcache/cache.h>

#include "cache-soundness.h"
#include "tap.h"

static struct commcache_comm comm_of(const char *str)
{
	struct commcache_comm comm;

	commcache_comm_from_string(&comm, str);
	return comm;
}

static enum commcache_save_status save(struct commcache *cache, pid_t tid,
		const char *name)
{
	struct commcache_comm comm = comm_of(name);

	return commcache_save(cache, tid, &comm, NULL);
}

static bool is_called(struct commcache *cache, pid_t tid, const char *name)
{
	struct commcache_comm comm, expected = comm_of(name);

	return commcache_find(cache, tid, &comm) &&
			commcache_comm_equal(&comm, &expected);
}

static bool is_unknown(struct commcache *cache, pid_t tid)
{
	struct commcache_comm comm;

	return !commcache_find(cache, tid, &comm) &&
			!strcmp(comm.str, "<...>");
}

static struct commcache_stats stats_of(struct commcache *cache)
{
	struct commcache_stats stats;

	commcache_get_stats(cache, &stats);
	return stats;
}

static void test_comm_from_string(void)
{
	static const char zeros[COMMCACHE_COMM_LEN];
	struct commcache_comm comm;

	memset(&comm, 'x', sizeof(comm));
	commcache_comm_from_string(&comm, "io-3");
	ok(!memcmp(comm.str, "io-3", 5) && !memcmp(comm.str + 4, zeros, 12),
			"a short name is padded with zeros");
	commcache_comm_from_string(&comm, "0123456789abcdef");
	ok(!strcmp(comm.str, "0123456789abcde"),
			"a long name is cut to 15 bytes");
	commcache_comm_from_string(&comm, "0123456789abcde");
	ok(!strcmp(comm.str, "0123456789abcde"), "15 bytes are kept");
	commcache_comm_from_string(&comm, "");
	ok(!memcmp(&comm, zeros, sizeof(comm)), "the empty name is all zeros");
	commcache_comm_from_string(&comm, "\xff\x1b[31m #/:() ");
	ok(!strcmp(comm.str, "\xff\x1b[31m #/:() "), "bytes stay as they are");
}

static void test_create(void)
{
	struct commcache *cache;

	errno = 0;
	ok(!commcache_create(0) && errno == EINVAL, "capacity 0 is refused");
	errno = 0;
	ok(!commcache_create(((size_t) 1 << 22) + 1) && errno == EINVAL,
			"more threads than Linux can have are refused");
	cache = commcache_create((size_t) 1 << 22);
	ok(cache && save(cache, 1, "init") == COMMCACHE_SAVE_ADDED,
			"as many threads as Linux can have are not");
	commcache_destroy(cache);
	commcache_destroy(NULL);
	cache = commcache_create(1);
	save(cache, 1, "one");
	save(cache, 2, "two");
	ok(is_unknown(cache, 1) && is_called(cache, 2, "two"),
			"a capacity of 1 keeps 1");
	commcache_destroy(cache);
}

static void test_save(void)
{
	struct commcache *cache = commcache_create(16);
	struct commcache_comm comm = comm_of("nginx"), prev;
	struct commcache_stats stats;

	memset(&prev, 'x', sizeof(prev));
	ok_equal(commcache_save(cache, 4711, &comm, &prev),
			COMMCACHE_SAVE_ADDED, "a new tid is added");
	ok(prev.str[0] == 'x', "prev is left alone by an add");
	ok_equal(commcache_save(cache, 4711, &comm, &prev),
			COMMCACHE_SAVE_UNCHANGED, "saved again: unchanged");
	ok(prev.str[0] == 'x', "prev is left alone if unchanged");
	comm = comm_of("job-417");
	ok_equal(commcache_save(cache, 4711, &comm, &prev),
			COMMCACHE_SAVE_RENAMED,
			"another name under the same tid: renamed");
	ok(!strcmp(prev.str, "nginx"), "prev is the name before");
	ok(is_called(cache, 4711, "job-417"), "the new name is found");
	ok_equal(save(cache, 4711, "job-418"), COMMCACHE_SAVE_RENAMED,
			"a name that differs in its last byte only");
	ok_equal(save(cache, 4711, "job-4180123456"), COMMCACHE_SAVE_RENAMED,
			"a name that differs in its second half only");
	ok_equal(save(cache, 4711, ""), COMMCACHE_SAVE_RENAMED,
			"the empty name is a name");
	ok(is_called(cache, 4711, ""), "and is found");
	ok_equal(save(cache, 4711, ""), COMMCACHE_SAVE_UNCHANGED,
			"and unchanged");
	ok_equal(save(cache, 12, ""), COMMCACHE_SAVE_ADDED,
			"a new thread of empty name is added");

	ok_equal(save(cache, 0, "swapper/0"), COMMCACHE_SAVE_INVALID_TID,
			"tid 0 is refused");
	ok_equal(save(cache, 0, ""), COMMCACHE_SAVE_INVALID_TID,
			"tid 0 is refused, even with the empty name");
	ok_equal(save(cache, -1, "x"), COMMCACHE_SAVE_INVALID_TID,
			"tid -1 is refused");
	ok_equal(save(cache, INT32_MIN, ""), COMMCACHE_SAVE_INVALID_TID,
			"the lowest tid is refused");

	stats = stats_of(cache);
	ok_equal(stats.adds, 2, "adds are counted");
	ok_equal(stats.renames, 4, "renames are counted");
	ok_equal(stats.not_saved_invalid_tid, 4, "refusals are counted");
	ok_equal(stats.not_saved_busy, 0, "nothing was busy");
	ok_equal(stats.threads, 2, "threads are counted");
	ok_equal(stats.capacity, 16, "the capacity is told");
	commcache_destroy(cache);
}

static void test_find_placeholders(void)
{
	struct commcache *cache = commcache_create(16);
	struct commcache_comm comm;

	ok(!commcache_find(cache, 5, &comm) && !strcmp(comm.str, "<...>"),
			"an unknown thread is <...>");
	ok(!commcache_find(cache, 0, &comm) && !strcmp(comm.str, "<idle>"),
			"tid 0 is <idle>");
	ok(!commcache_find(cache, -5, &comm) && !strcmp(comm.str, "<XXX>"),
			"a negative tid is <XXX>");
	commcache_destroy(cache);
}

static void test_sched_switch(void)
{
	struct commcache *cache = commcache_create(16);
	struct commcache_comm a = comm_of("a"), b = comm_of("b");
	struct commcache_comm idle = comm_of("swapper/1");
	struct commcache_switch_status status;

	status = commcache_sched_switch(cache, 1, &a, 2, &b);
	ok(status.prev == COMMCACHE_SAVE_ADDED &&
			status.next == COMMCACHE_SAVE_ADDED,
			"a switch saves both");
	ok(is_called(cache, 1, "a") && is_called(cache, 2, "b"),
			"both are found");
	status = commcache_sched_switch(cache, 1, &a, 2, &b);
	ok(status.prev == COMMCACHE_SAVE_UNCHANGED &&
			status.next == COMMCACHE_SAVE_UNCHANGED,
			"the same switch changes nothing");
	status = commcache_sched_switch(cache, 1, &b, 2, &b);
	ok(status.prev == COMMCACHE_SAVE_RENAMED &&
			status.next == COMMCACHE_SAVE_UNCHANGED &&
			is_called(cache, 1, "b"),
			"a rename of prev is seen");
	status = commcache_sched_switch(cache, 1, &b, 2, &a);
	ok(status.prev == COMMCACHE_SAVE_UNCHANGED &&
			status.next == COMMCACHE_SAVE_RENAMED &&
			is_called(cache, 2, "a"),
			"a rename of next is seen");
	status = commcache_sched_switch(cache, 3, &a, 3, &b);
	ok(status.prev == COMMCACHE_SAVE_ADDED &&
			status.next == COMMCACHE_SAVE_RENAMED &&
			is_called(cache, 3, "b"),
			"of one tid twice, the name of next stays");

	status = commcache_sched_switch(cache, 0, &idle, 2, &b);
	ok(status.prev == COMMCACHE_SAVE_UNCHANGED &&
			status.next == COMMCACHE_SAVE_RENAMED,
			"from idle: only next is saved");
	status = commcache_sched_switch(cache, 2, &a, 0, &idle);
	ok(status.prev == COMMCACHE_SAVE_RENAMED &&
			status.next == COMMCACHE_SAVE_UNCHANGED,
			"to idle: only prev is saved");
	ok_equal(stats_of(cache).not_saved_invalid_tid, 0,
			"idle does not count as not saved");
	status = commcache_sched_switch(cache, -1, &a, 2, &a);
	ok(status.prev == COMMCACHE_SAVE_INVALID_TID &&
			status.next == COMMCACHE_SAVE_UNCHANGED &&
			stats_of(cache).not_saved_invalid_tid == 1,
			"a negative tid is told and counted");
	commcache_destroy(cache);
}

static void test_forget(void)
{
	struct commcache *cache = commcache_create(16);
	struct commcache_comm last;

	save(cache, 7, "seven");
	save(cache, 8, "eight");
	memset(&last, 'x', sizeof(last));
	ok_equal(commcache_forget(cache, 9, &last), COMMCACHE_NOT_FOUND,
			"what is not kept cannot be forgotten");
	ok(last.str[0] == 'x', "last is left alone then");
	ok_equal(commcache_forget(cache, 7, &last), COMMCACHE_OK,
			"a thread is forgotten");
	ok(!strcmp(last.str, "seven"), "last is its last name");
	ok(is_unknown(cache, 7) && is_called(cache, 8, "eight"),
			"it alone is unknown then");
	ok_equal(commcache_forget(cache, 7, NULL), COMMCACHE_NOT_FOUND,
			"it cannot be forgotten twice");
	ok_equal(save(cache, 7, "seven"), COMMCACHE_SAVE_ADDED,
			"its tid can come again");
	ok_equal(commcache_forget(cache, 0, NULL), COMMCACHE_INVALID,
			"tid 0 is invalid");
	ok_equal(commcache_forget(cache, -3, NULL), COMMCACHE_INVALID,
			"a negative tid is invalid");
	ok_equal(stats_of(cache).forgets, 1, "forgets are counted");
	commcache_destroy(cache);
}

/* Tids that the kernel's map, of 15 bits, takes for the same. */
static void test_tids_are_whole(void)
{
	struct commcache *cache = commcache_create(70000);
	bool all = true;
	char name[16];
	pid_t tid;
	int i;

	for (i = 0; i < 65536; i++) {
		snprintf(name, sizeof(name), "%d", i);
		all = all && save(cache, 3 + i * 32767, name) ==
				COMMCACHE_SAVE_ADDED;
	}
	for (i = 0; i < 65536; i++) {
		snprintf(name, sizeof(name), "%d", i);
		all = all && is_called(cache, 3 + i * 32767, name);
	}
	ok(all, "tids of 32 bits, a multiple of 32767 apart");
	commcache_destroy(cache);

	cache = commcache_create(70000);
	for (tid = 5; tid > 0 && tid < INT32_MAX - 32768; tid += 32768) {
		snprintf(name, sizeof(name), "%d", tid);
		all = all && save(cache, tid, name) == COMMCACHE_SAVE_ADDED;
	}
	for (tid = 5; tid > 0 && tid < INT32_MAX - 32768; tid += 32768) {
		snprintf(name, sizeof(name), "%d", tid);
		all = all && is_called(cache, tid, name);
	}
	ok(all, "tids that are equal modulo 32768");
	ok(save(cache, INT32_MAX, "max") == COMMCACHE_SAVE_ADDED &&
			is_called(cache, INT32_MAX, "max"),
			"the highest tid");
	commcache_destroy(cache);
}

static void test_several_caches(void)
{
	struct commcache *one = commcache_create(16);
	struct commcache *two = commcache_create(32);

	save(one, 1, "of one");
	save(two, 1, "of two");
	save(two, 2, "two alone");
	ok(is_called(one, 1, "of one") && is_called(two, 1, "of two") &&
			is_unknown(one, 2),
			"caches do not know of each other");
	commcache_destroy(one);
	ok(is_called(two, 1, "of two"), "nor does one end with another");
	commcache_destroy(two);
}

/*
 * A model of the cache that is plainly right: a list, in which who came first
 * is first.
 */
struct model {
	size_t capacity, threads;
	struct model_thread {
		pid_t tid;
		int name;
	} thread[512];
};

static size_t model_find(const struct model *model, pid_t tid)
{
	size_t i;

	for (i = 0; i < model->threads && model->thread[i].tid != tid; i++)
		;
	return i;
}

static void model_remove(struct model *model, size_t i)
{
	memmove(&model->thread[i], &model->thread[i + 1],
			(model->threads - i - 1) * sizeof(model->thread[0]));
	model->threads--;
}

static enum commcache_save_status model_save(struct model *model, pid_t tid,
		int name)
{
	size_t i = model_find(model, tid);

	if (i < model->threads) {
		if (model->thread[i].name == name)
			return COMMCACHE_SAVE_UNCHANGED;
		model->thread[i].name = name;
		return COMMCACHE_SAVE_RENAMED;
	}
	if (model->threads == model->capacity)
		model_remove(model, 0);
	model->thread[model->threads].tid = tid;
	model->thread[model->threads++].name = name;
	return COMMCACHE_SAVE_ADDED;
}

static bool model_forget(struct model *model, pid_t tid)
{
	size_t i = model_find(model, tid);

	if (i == model->threads)
		return false;
	model_remove(model, i);
	return true;
}

static void model_resize(struct model *model, size_t capacity)
{
	while (model->threads > capacity)
		model_remove(model, 0);
	model->capacity = capacity;
}

static void name_of(int number, char name[16])
{
	snprintf(name, 16, "n%d-%d", number, number * 7919);
}

static bool count_visit(pid_t tid, const struct commcache_comm *comm,
		void *data)
{
	(void) tid;
	(void) comm;
	++*(size_t *) data;
	return true;
}

static bool agrees(struct commcache *cache, const struct model *model,
		pid_t tids)
{
	size_t visited = 0, i;
	char name[16];
	pid_t tid;

	for (tid = 1; tid <= tids; tid++) {
		i = model_find(model, tid);
		if (i == model->threads) {
			if (!is_unknown(cache, tid))
				return false;
			continue;
		}
		name_of(model->thread[i].name, name);
		if (!is_called(cache, tid, name))
			return false;
	}
	return commcache_for_each(cache, count_visit, &visited) ==
			COMMCACHE_OK && visited == model->threads &&
			stats_of(cache).threads == model->threads;
}

/* Adds, renames, forgets and resizes at random, against the model. */
static void test_model(unsigned int seed, size_t capacity, pid_t tids)
{
	static const size_t capacities[] = { 1, 7, 40, 100, 101, 102, 103,
		150, 300 };
	struct commcache *cache = commcache_create(capacity);
	static struct model model;
	bool same = true;
	char name[16];
	int step, number;
	pid_t tid;

	model.capacity = capacity;
	model.threads = 0;
	srandom(seed);
	for (step = 0; step < 60000 && same; step++) {
		tid = 1 + random() % tids;
		number = random() % 3;
		switch (random() % 16) {
		case 0:
			same = (commcache_forget(cache, tid, NULL) ==
				COMMCACHE_OK) == model_forget(&model, tid);
			break;
		case 1:
			if (random() % 50)
				break;
			capacity = capacities[random() % 9];
			model_resize(&model, capacity);
			same = commcache_resize(cache, capacity) ==
					COMMCACHE_OK;
			break;
		default:
			name_of(number, name);
			same = save(cache, tid, name) ==
					model_save(&model, tid, number);
		}
		if (step % 100 == 0)
			same = same && agrees(cache, &model, tids);
	}
	ok(same && agrees(cache, &model, tids) && cache_is_sound(cache) &&
			passes_are_exact(cache),
			"60000 random steps go as in the model, seed %u", seed);
	if (!same)
		printf("# differs at step %d\n", step);
	commcache_destroy(cache);
}

static bool stop_visit(pid_t tid, const struct commcache_comm *comm,
		void *data)
{
	count_visit(tid, comm, data);
	return *(size_t *) data < 3;
}

struct visited {
	struct commcache *cache;
	bool right;
	size_t count;
};

/* The cache may be used, and changed, in a visit. */
static bool check_visit(pid_t tid, const struct commcache_comm *comm,
		void *data)
{
	struct visited *visited = data;
	char name[16];

	snprintf(name, sizeof(name), "t%d", tid);
	visited->right = visited->right && !strcmp(comm->str, name) &&
			commcache_forget(visited->cache, tid, NULL) ==
				COMMCACHE_OK;
	visited->count++;
	return true;
}

static void test_for_each(void)
{
	struct visited visited = { .right = true };
	size_t count = 0;
	char name[16];
	int tid;

	visited.cache = commcache_create(1000);
	ok(commcache_for_each(visited.cache, count_visit, &count) ==
			COMMCACHE_OK && count == 0, "none of none is visited");
	for (tid = 1; tid <= 1000; tid++) {
		snprintf(name, sizeof(name), "t%d", tid);
		save(visited.cache, tid, name);
	}
	ok(commcache_for_each(visited.cache, stop_visit, &count) ==
			COMMCACHE_OK && count == 3, "a visit can be the last");
	ok_equal(commcache_for_each(visited.cache, check_visit, &visited),
			COMMCACHE_OK, "all are visited, and forgotten");
	ok(visited.right && visited.count == 1000,
			"each with its name, once");
	ok_equal(stats_of(visited.cache).threads, 0, "none is left");
	commcache_destroy(visited.cache);
}

static void test_resize(void)
{
	struct commcache *cache = commcache_create(1000);
	bool right = true;
	char name[16];
	int tid;

	ok_equal(commcache_resize(cache, 0), COMMCACHE_INVALID,
			"capacity 0 is refused");
	ok_equal(commcache_resize(cache, ((size_t) 1 << 22) + 1),
			COMMCACHE_INVALID, "too high a capacity is refused");
	for (tid = 1; tid <= 1000; tid++) {
		snprintf(name, sizeof(name), "t%d", tid);
		save(cache, tid, name);
	}
	save(cache, 1, "renamed");
	ok_equal(commcache_resize(cache, 300), COMMCACHE_OK, "shrunk");
	for (tid = 1; tid <= 1000; tid++) {
		snprintf(name, sizeof(name), "t%d", tid);
		right = right && (tid > 700 ? is_called(cache, tid, name) :
				is_unknown(cache, tid));
	}
	ok(right, "the newest 300 stay");
	ok(is_unknown(cache, 1), "a rename makes none of them newer");
	ok_equal(stats_of(cache).evictions, 700, "the others are counted");
	ok_equal(commcache_resize(cache, 100000), COMMCACHE_OK, "grown");
	for (tid = 701; tid <= 1000; tid++) {
		snprintf(name, sizeof(name), "t%d", tid);
		right = right && is_called(cache, tid, name);
	}
	ok(right, "all stay");
	ok_equal(stats_of(cache).capacity, 100000, "the capacity is new");
	ok_equal(stats_of(cache).resizes, 2, "resizes are counted");
	commcache_destroy(cache);
}

static void test_errno(void)
{
	struct commcache *cache = commcache_create(10);
	struct commcache_comm comm;

	errno = 4242;
	save(cache, 1, "a");
	save(cache, 1, "b");
	commcache_find(cache, 1, &comm);
	commcache_resize(cache, 5000);
	commcache_forget(cache, 1, NULL);
	commcache_resize(cache, 10);
	commcache_destroy(cache);
	cache = commcache_create(10);
	ok_equal(errno, 4242, "errno is kept");
	commcache_destroy(cache);
}

int main(void)
{
	test_comm_from_string();
	test_create();
	test_save();
	test_find_placeholders();
	test_sched_switch();
	test_forget();
	test_tids_are_whole();
	test_several_caches();
	test_model(1, 40, 60);
	test_model(2, 102, 150);
	test_model(3, 100, 400);
	test_for_each();
	test_resize();
	test_errno();
	return tap_end();
}
