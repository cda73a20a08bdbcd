/* SPDX-License-Identifier: MIT */

/*
 * What is kept as bytes: the bytes themselves, whatever machine writes them, and
 * that nothing comes of those that are cut, changed, of another
 * version or made up. That a history and CPUs are the same afterwards is tested
 * where they are tested: test-history-model, test-history-worlds,
 * test-history-cpu-worlds.
 *
 * The argument is the number of bytes that are made up.
 */

#include "history-test.h"
#include "history-bytes.h"
#include "failing-alloc.h"

static unsigned int made_up = 30000;

static const uint8_t boot[16] = { 0xde, 0xad, 0xbe, 0xef, 1, 2, 3 };

/* One of each that there is. */
static struct commcache_history *make_history(void)
{
	struct commcache_history *history = commcache_history_create();
	struct commcache_history_domain *root = commcache_history_domain(
			history, "host", boot, COMMCACHE_HISTORY_NS_ROOT);
	struct commcache_history_domain *inner = commcache_history_domain(
			history, "host", boot, 4026532210);
	struct commcache_history_domain *unknown = commcache_history_domain(
			history, "host", boot, COMMCACHE_HISTORY_NS_UNKNOWN);
	struct commcache_history_thread *pool = commcache_history_thread(root,
			700, -1);
	struct commcache_history_thread *job = commcache_history_thread(root,
			701, -1);
	struct commcache_history_thread *weak = commcache_history_thread(root,
			702, -1);
	struct commcache_comm comm = comm_of("pool");
	struct commcache_comm named = comm_of("pool-worker-417");

	(void) commcache_history_is(pool, at(1000), &comm);
	(void) commcache_history_is(pool, at(5000), &comm);
	(void) commcache_history_born(job, at(2000),
			COMMCACHE_HISTORY_TELLER_FORK, pool, NULL);
	(void) commcache_history_becomes(job, commcache_moment(3000, 1), &comm,
			&named);
	commcache_history_all_told(root, at(2500));
	(void) commcache_history_renamed(job, at(3500), at(3600), NULL);
	(void) commcache_history_dies(job, at(4000), &named);
	(void) commcache_history_procname(weak, at(100), &comm);
	(void) commcache_history_file(weak, &named);
	(void) commcache_history_thread(unknown, 700, -1);
	(void) commcache_history_thread(root, 0, 3);
	(void) commcache_history_join(commcache_history_thread(inner, 7, -1),
			job, at(2500));
	return history;
}

static struct commcache_cpus *make_cpus(void)
{
	struct commcache_cpus *cpus = commcache_cpus_create(
			COMMCACHE_CPUS_RECORD);

	(void) commcache_cpus_switch(cpus, 0, at(-5), 0, 700);
	(void) commcache_cpus_switch(cpus, 0, at(1000), 700, 0);
	(void) commcache_cpus_gap(cpus, 0, at(1500));
	(void) commcache_cpus_gap(cpus, 0, at(1600));
	(void) commcache_cpus_switch(cpus, 0, at(2000), 701, 700);
	(void) commcache_cpus_switch(cpus, 2, at(2001), 702, 0);
	(void) commcache_cpus_switch(cpus, 2, at(2002), 703, 4194304);
	(void) commcache_cpus_switch(cpus, 2, at(INT64_C(1) << 62), 4194304, 9);
	return cpus;
}

/* Bytes that do not depend on the machine: here they are. */
static const uint8_t golden_history[] = {
#include "history-golden.h"
};

static const uint8_t golden_cpus[] = {
#include "cpus-golden.h"
};

static void print_bytes(const struct bytes *bytes)
{
	char line[64];
	size_t i, length = 0;

	for (i = 0; i < bytes->size; i++) {
		length += (size_t) snprintf(line + length, sizeof(line) -
				length, "0x%02x, ", bytes->array[i]);
		if (i % 8 == 7 || i + 1 == bytes->size) {
			print_message("#\t%s\n", line);
			length = 0;
		}
	}
}

static void assert_golden(struct bytes bytes, const uint8_t *golden, size_t size)
{
	if (bytes.size != size || memcmp(bytes.array, golden, size) != 0)
		print_bytes(&bytes);
	assert_int_equal(bytes.size, size);
	assert_memory_equal(bytes.array, golden, size);
	free(bytes.array);
}

static void test_golden(void **state)
{
	struct commcache_history *history = make_history();
	struct commcache_cpus *cpus = make_cpus();

	(void) state;
	assert_golden(bytes_of_history(history), golden_history,
			sizeof(golden_history));
	assert_golden(bytes_of_cpus(cpus), golden_cpus, sizeof(golden_cpus));
	commcache_history_destroy(history);
	commcache_cpus_destroy(cpus);
}

/* Refused, with nothing loaded. What a test expects of both kinds of bytes. */
static enum commcache_store_status refuse_history(struct bytes *bytes)
{
	struct commcache_history *history = (void *) bytes;
	enum commcache_store_status status = history_of_bytes(bytes, &history);

	assert_int_not_equal(status, COMMCACHE_STORE_OK);
	assert_null(history);
	return status;
}

static enum commcache_store_status refuse_cpus(struct bytes *bytes)
{
	struct commcache_cpus *cpus = (void *) bytes;
	enum commcache_store_status status = cpus_of_bytes(bytes, &cpus);

	assert_int_not_equal(status, COMMCACHE_STORE_OK);
	assert_null(cpus);
	return status;
}

struct kind {
	const uint8_t *golden;
	size_t size;
	enum commcache_store_status (*refuse)(struct bytes *bytes);
};

static const struct kind kinds[] = {
	{ golden_history, sizeof(golden_history), refuse_history },
	{ golden_cpus, sizeof(golden_cpus), refuse_cpus },
};

/* A copy, to be changed. */
static struct bytes copy_of(const struct kind *kind)
{
	struct bytes bytes = { .limit = SIZE_MAX };

	assert_true(bytes_write(kind->golden, kind->size, &bytes));
	return bytes;
}

/* What the golden bytes say, and that what is loaded is kept as the same bytes. */
static void test_golden_loaded(void **state)
{
	struct bytes bytes = copy_of(&kinds[0]);
	struct bytes cpu_bytes = copy_of(&kinds[1]);
	struct commcache_history *history;
	struct commcache_history_domain *root;
	struct commcache_cpus *cpus;

	(void) state;
	assert_int_equal(history_of_bytes(&bytes, &history),
			COMMCACHE_STORE_OK);
	root = commcache_history_domain(history, "host", boot,
			COMMCACHE_HISTORY_NS_ROOT);
	assert_string_equal(commcache_history_resolve(
			commcache_history_find_thread(root, 701, -1),
			at(3200)).comm->str, "pool-worker-417");
	assert_string_equal(commcache_history_resolve(
			commcache_history_find_thread(commcache_history_domain(
			history, "host", boot, 4026532210), 7, -1),
			at(2600)).comm->str, "pool");
	assert_string_equal(commcache_history_resolve(
			commcache_history_find_thread(root, 0, 3),
			at(0)).comm->str, "swapper/3");
	assert_golden(bytes_of_history(history), golden_history,
			sizeof(golden_history));
	commcache_history_destroy(history);
	free(bytes.array);

	assert_int_equal(cpus_of_bytes(&cpu_bytes, &cpus), COMMCACHE_STORE_OK);
	assert_int_equal(commcache_cpus_at(cpus, 2, 2002), 4194304);
	assert_int_equal(commcache_cpus_at(cpus, 2, INT64_MAX), 9);
	assert_golden(bytes_of_cpus(cpus), golden_cpus, sizeof(golden_cpus));
	commcache_cpus_destroy(cpus);
	free(cpu_bytes.array);
}

static void test_cut(void **state)
{
	(void) state;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		struct bytes bytes = copy_of(&kinds[k]);

		while (bytes.size-- > 0)
			assert_int_equal(kinds[k].refuse(&bytes),
					COMMCACHE_STORE_CUT);
		free(bytes.array);
	}
}

/* Each bit of each byte. */
static void test_flipped(void **state)
{
	(void) state;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		struct bytes bytes = copy_of(&kinds[k]);

		for (size_t i = 0; i < 8 * bytes.size; i++) {
			bytes.array[i / 8] ^= (uint8_t) (1 << i % 8);
			(void) kinds[k].refuse(&bytes);
			bytes.array[i / 8] ^= (uint8_t) (1 << i % 8);
		}
		free(bytes.array);
	}
}

/* A block that is sound by itself, and is not where it was. */
static void test_moved(void **state)
{
	struct commcache_history *histories[2] = { make_history(),
			make_history() };
	struct commcache_comm comm = comm_of("pool");
	struct bytes bytes[2];
	size_t end = 16;

	(void) state;
	(void) commcache_history_is(commcache_history_thread(
			commcache_history_domain(histories[1], "tsoh", boot,
			COMMCACHE_HISTORY_NS_ROOT), 700, -1), at(1000), &comm);
	for (int i = 0; i < 2; i++) {
		bytes[i] = bytes_of_history(histories[i]);
		commcache_history_destroy(histories[i]);
	}
	/* The names are the same; what comes behind them is the other's. */
	end += 8 + bytes[0].array[end + 1];
	assert_memory_equal(bytes[0].array, bytes[1].array, end);
	bytes[0].size -= 8;
	assert_true(bytes_write(bytes[1].array + bytes[1].size - 8, 8,
			&bytes[0]));
	(void) refuse_history(&bytes[0]);
	free(bytes[0].array);
	free(bytes[1].array);
}

/* As the format has it: bit by bit, unlike how the library does it. */
static uint32_t checksum(uint32_t sum, const uint8_t *bytes, size_t size)
{
	sum = ~sum;
	for (size_t i = 0; i < 8 * size; i++)
		sum = sum >> 1 ^ ((sum ^ bytes[i / 8] >> i % 8) & 1 ?
				0xedb88320 : 0);
	return ~sum;
}

static void put_word(uint8_t *bytes, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t) (word >> (8 * i));
}

/*
 * Make the checksums right again, after bytes were changed: each is of all before
 * it but other checksums.
 */
static void sum_again(struct bytes *bytes)
{
	size_t begin = 0, size = 12;
	uint32_t sum = 0;

	while (begin + size + 4 <= bytes->size) {
		const uint8_t *head = bytes->array + begin + size + 4;

		sum = checksum(sum, bytes->array + begin, size);
		put_word(bytes->array + begin + size, sum);
		begin += size + 4;
		if (begin + 4 > bytes->size)
			break;
		size = 4 + (head[1] | (size_t) head[2] << 8 |
				(size_t) head[3] << 16);
	}
}

static void test_version(void **state)
{
	(void) state;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		struct bytes bytes = copy_of(&kinds[k]);

		sum_again(&bytes);
		assert_memory_equal(bytes.array, kinds[k].golden,
				kinds[k].size);
		bytes.array[8]++;
		sum_again(&bytes);
		assert_int_equal(kinds[k].refuse(&bytes),
				COMMCACHE_STORE_VERSION);
		bytes.array[0]++;
		sum_again(&bytes);
		assert_int_equal(kinds[k].refuse(&bytes),
				COMMCACHE_STORE_FOREIGN);
		free(bytes.array);
	}
}

/* Whoever reads or writes fails, or gives a byte at a time. */
static void test_callbacks(void **state)
{
	struct commcache_history *history = make_history();
	struct bytes bytes = bytes_of_history(history);
	const size_t size = bytes.size;
	struct commcache_store_output output = { bytes_write, &bytes };
	struct commcache_history *loaded;

	(void) state;
	for (bytes.limit = 0; bytes.limit < size; bytes.limit++) {
		assert_int_equal(refuse_history(&bytes),
				COMMCACHE_STORE_FAILED);
		bytes.size = 0;
		assert_int_equal(commcache_history_save(history, &output),
				COMMCACHE_STORE_FAILED);
		bytes.size = size;
	}
	bytes.limit = SIZE_MAX;
	bytes.size = 0;
	assert_int_equal(commcache_history_save(history, &output),
			COMMCACHE_STORE_OK);
	/* What follows is another's, and is left there. */
	assert_true(bytes_write("more", 4, &bytes));
	bytes.step = 1;
	assert_int_equal(history_of_bytes(&bytes, &loaded),
			COMMCACHE_STORE_OK);
	assert_int_equal(bytes.position, size);
	commcache_history_destroy(loaded);
	commcache_history_destroy(history);
	free(bytes.array);
}

static void test_second_pass(void **state)
{
	struct commcache_cpus *cpus = make_cpus();
	struct bytes bytes = { .limit = SIZE_MAX };
	struct commcache_store_output output = { bytes_write, &bytes };

	(void) state;
	(void) commcache_cpus_rewind(cpus);
	assert_int_equal(commcache_cpus_save(cpus, &output),
			COMMCACHE_STORE_FAILED);
	commcache_cpus_destroy(cpus);
	free(bytes.array);
}

static bool ask_span(const struct commcache_history_span *span, void *data)
{
	(void) data;
	return span->name.comm->str[15] == '\0';
}

/* Ask and tell all that can be: whatever it holds, nothing goes wrong. */
static void use_history(struct commcache_history *history, uint64_t *random)
{
	struct commcache_history_domain *root = commcache_history_domain(
			history, "host", boot, COMMCACHE_HISTORY_NS_ROOT);
	struct commcache_history_domain *inner = commcache_history_domain(
			history, "host", boot, 4026532210);
	struct commcache_comm comm = comm_of("other");

	commcache_history_for_each(history, ask_span, NULL);
	for (int i = 0; i < 12; i++) {
		struct commcache_moment moment = at(random_below(random, 6000));
		struct commcache_history_thread *thread =
				commcache_history_thread(i % 3 ? root : inner,
				i % 3 ? 698 + i % 7 : 7, -1);

		(void) commcache_history_is(thread, moment, &comm);
		(void) commcache_history_dies(thread, moment, NULL);
		(void) commcache_history_join(commcache_history_thread(inner,
				7, -1), thread, moment);
		(void) commcache_history_resolve(thread, moment);
	}
	commcache_history_for_each(history, ask_span, NULL);
	(void) commcache_history_forget(root, at(3000));
	commcache_history_for_each(history, ask_span, NULL);
}

static void use_cpus(struct commcache_cpus *cpus)
{
	for (int cpu = 0; cpu < 4; cpu++) {
		(void) commcache_cpus_at(cpus, cpu, 1700);
		(void) commcache_cpus_switch(cpus, cpu, at(3000), 5, 6);
		(void) commcache_cpus_exec(cpus, cpu, at(3001), at(0), 700, 6,
				NULL);
	}
	(void) commcache_cpus_rewind(cpus);
	for (int cpu = 0; cpu < 4; cpu++)
		(void) commcache_cpus_now(cpus, cpu, at(1700));
	commcache_cpus_forget(cpus, 2000);
}

/* Bytes that are made up, with right checksums: refused, or at least sound. */
static void test_made_up(void **state)
{
	struct bytes bytes = copy_of(&kinds[0]);
	struct bytes cpu_bytes = copy_of(&kinds[1]);
	uint64_t random = 20261201;
	unsigned int sound = 0, count = made_up;

	(void) state;
	for (unsigned int i = 0; i < count; i++) {
		struct commcache_history *history;
		struct commcache_cpus *cpus;

		memcpy(bytes.array, golden_history, bytes.size);
		memcpy(cpu_bytes.array, golden_cpus, cpu_bytes.size);
		for (int j = 0; j < 3; j++) {
			bytes.array[16 + random_below(&random, (unsigned int)
					bytes.size - 16)] =
					(uint8_t) random_next(&random);
			cpu_bytes.array[16 + random_below(&random,
					(unsigned int) cpu_bytes.size - 16)] =
					(uint8_t) random_next(&random);
		}
		sum_again(&bytes);
		sum_again(&cpu_bytes);
		if (history_of_bytes(&bytes, &history) == COMMCACHE_STORE_OK) {
			sound++;
			use_history(history, &random);
		}
		commcache_history_destroy(history);
		if (cpus_of_bytes(&cpu_bytes, &cpus) == COMMCACHE_STORE_OK) {
			sound++;
			use_cpus(cpus);
		}
		commcache_cpus_destroy(cpus);
	}
	print_message("# %u of %u were sound\n", sound, 2 * count);
	free(bytes.array);
	free(cpu_bytes.array);
}

/* A block of that part that claims what does not come. */
static void claim(struct bytes *bytes, char part, const uint8_t *claimed,
		size_t size)
{
	uint8_t head[4];

	put_word(head, (uint32_t) part | (uint32_t) size << 8);
	assert_true(bytes_write(head, 4, bytes));
	assert_true(bytes_write(claimed, size, bytes));
	assert_true(bytes_write(head, 4, bytes));
	sum_again(bytes);
}

/* Thousands of millions of each: no memory is taken for them. */
static void test_claims(void **state)
{
	static const uint8_t much[] = { 0xfe, 0xff, 0xff, 0xff, 0x07 };
	static const uint8_t none[] = { 0, 0 };
	static const char parts[] = { 'N', 'D', 'T' };
	struct bytes bytes = { .limit = SIZE_MAX };
	struct commcache_history *history;

	(void) state;
	for (int part = 0; part < 3; part++) {
		bytes.size = 0;
		assert_true(bytes_write(golden_history, 16, &bytes));
		for (int before = 0; before < part; before++)
			claim(&bytes, parts[before], none, 1 + (size_t) before);
		claim(&bytes, parts[part], much, sizeof(much));
		largest = 0;
		assert_int_equal(history_of_bytes(&bytes, &history),
				COMMCACHE_STORE_CUT);
		assert_null(history);
		assert_in_range(largest, 1, 1 << 16);
	}
	free(bytes.array);
}

/* Each allocation fails in turn, and all after it: refused, nothing is left. */
static void test_no_memory(void **state)
{
	struct bytes bytes = copy_of(&kinds[0]);
	struct bytes cpu_bytes = copy_of(&kinds[1]);
	struct commcache_history *history;
	struct commcache_cpus *cpus;
	enum commcache_store_status status = COMMCACHE_STORE_NO_MEMORY;
	long count;

	(void) state;
	for (count = 0; status != COMMCACHE_STORE_OK; count++) {
		allowed = count;
		status = history_of_bytes(&bytes, &history);
		allowed = -1;
		if (status != COMMCACHE_STORE_OK)
			assert_int_equal(status, COMMCACHE_STORE_NO_MEMORY);
	}
	assert_true(count > 20);
	commcache_history_destroy(history);
	status = COMMCACHE_STORE_NO_MEMORY;
	for (count = 0; status != COMMCACHE_STORE_OK; count++) {
		allowed = count;
		status = cpus_of_bytes(&cpu_bytes, &cpus);
		allowed = -1;
		if (status != COMMCACHE_STORE_OK)
			assert_int_equal(status, COMMCACHE_STORE_NO_MEMORY);
	}
	assert_true(count > 5);
	allowed = 0;
	cpu_bytes.size = 0;
	assert_int_equal(commcache_cpus_save(cpus,
			&(struct commcache_store_output) { bytes_write,
			&cpu_bytes }), COMMCACHE_STORE_NO_MEMORY);
	allowed = -1;
	commcache_cpus_destroy(cpus);
	free(bytes.array);
	free(cpu_bytes.array);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_golden_loaded),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_callbacks),
		cmocka_unit_test(test_second_pass),
		cmocka_unit_test(test_made_up),
		cmocka_unit_test(test_claims),
		cmocka_unit_test(test_no_memory),
	};

	if (argc > 1)
		made_up = (unsigned int) strtoul(argv[1], NULL, 0);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
