/* SPDX-License-Identifier: MIT */
#ifndef HISTORY_BYTES_H
#define HISTORY_BYTES_H

/*
 * What the tests of what is kept share: bytes in memory, written to and read
 * from. To be included after cmocka.h.
 */

#include <commcache/store.h>

struct bytes {
	uint8_t *array;
	size_t size;
	size_t capacity;
	/* Up to where they were read. */
	size_t position;
	/* Bytes at a time, 0: as many as are asked for. */
	size_t step;
	/* It fails behind that many. */
	size_t limit;
};

static inline bool bytes_write(const void *bytes, size_t size, void *data)
{
	struct bytes *own = data;

	if (own->size + size > own->limit)
		return false;
	if (own->size + size > own->capacity) {
		own->capacity = 2 * (own->size + size);
		own->array = realloc(own->array, own->capacity);
		assert_non_null(own->array);
	}
	memcpy(own->array + own->size, bytes, size);
	own->size += size;
	return true;
}

static inline int64_t bytes_read(void *bytes, size_t size, void *data)
{
	struct bytes *own = data;

	if (own->position >= own->limit)
		return -1;
	if (size > own->limit - own->position)
		size = own->limit - own->position;
	if (size > own->size - own->position)
		size = own->size - own->position;
	if (own->step && size > own->step)
		size = own->step;
	memcpy(bytes, own->array + own->position, size);
	own->position += size;
	return (int64_t) size;
}

static inline struct bytes bytes_of_history(
		const struct commcache_history *history)
{
	struct bytes bytes = { .limit = SIZE_MAX };
	struct commcache_store_output output = { bytes_write, &bytes };

	assert_int_equal(commcache_history_save(history, &output),
			COMMCACHE_STORE_OK);
	return bytes;
}

static inline struct bytes bytes_of_cpus(const struct commcache_cpus *cpus)
{
	struct bytes bytes = { .limit = SIZE_MAX };
	struct commcache_store_output output = { bytes_write, &bytes };

	assert_int_equal(commcache_cpus_save(cpus, &output),
			COMMCACHE_STORE_OK);
	return bytes;
}

static inline enum commcache_store_status history_of_bytes(
		struct bytes *bytes, struct commcache_history **history)
{
	struct commcache_store_input input = { bytes_read, bytes };

	bytes->position = 0;
	return commcache_history_load(&input, history);
}

static inline enum commcache_store_status cpus_of_bytes(struct bytes *bytes,
		struct commcache_cpus **cpus)
{
	struct commcache_store_input input = { bytes_read, bytes };

	bytes->position = 0;
	return commcache_cpus_load(&input, cpus);
}

/* The same history, kept and loaded again; the one that was is destroyed. */
static inline struct commcache_history *history_kept(
		struct commcache_history *history)
{
	struct bytes bytes = bytes_of_history(history);

	commcache_history_destroy(history);
	assert_int_equal(history_of_bytes(&bytes, &history),
			COMMCACHE_STORE_OK);
	assert_non_null(history);
	assert_int_equal(bytes.position, bytes.size);
	free(bytes.array);
	return history;
}

#endif /* HISTORY_BYTES_H */
