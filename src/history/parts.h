/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_PARTS_H
#define COMMCACHE_HISTORY_PARTS_H

/*
 * Bytes that are kept: numbers and texts in parts, which are written in blocks,
 * each with a checksum. doc/learned.md tells what the bytes are.
 *
 * Whoever writes or reads goes on after a failure, with nothing written and
 * zeros read, and looks at the status where it matters: before it keeps
 * anything, and in each turn of a loop that the bytes ask for.
 */

#include <commcache/history.h>
#include <commcache/store.h>

/* Of a block, without its head and checksum. */
#define PARTS_BLOCK_SIZE	32768U

/* What the bytes are, and in which version of that. */
struct parts_format {
	char magic[8];
	uint32_t version;
};

/* No part: the end. */
#define PARTS_END	'\0'

struct parts_writer {
	enum commcache_store_status status;
	/* Weak, the caller's. */
	const struct commcache_store_output *output;
	/* Of all that was written. */
	uint32_t checksum;
	uint32_t size;
	char part;
	uint8_t block[PARTS_BLOCK_SIZE];
};

struct parts_reader {
	enum commcache_store_status status;
	/* Weak, the caller's. */
	const struct commcache_store_input *input;
	/* Of all that was read. */
	uint32_t checksum;
	/* Of the block that is read. */
	uint32_t size;
	uint32_t position;
	char part;
	uint8_t block[PARTS_BLOCK_SIZE];
};

/* NULL: no memory. To be given to parts_write_end(), or freed with free(). */
struct parts_writer *parts_write_begin(
		const struct commcache_store_output *output,
		const struct parts_format *format);

/* What follows is of that part. */
void parts_write_part(struct parts_writer *writer, char part);

/* One byte for less than 128, ten at most. */
void parts_write_number(struct parts_writer *writer, uint64_t number);

/* The same of a number around 0. */
void parts_write_signed(struct parts_writer *writer, int64_t number);
void parts_write_bytes(struct parts_writer *writer, const void *bytes,
		size_t size);

/* A number of bytes, and they. */
void parts_write_text(struct parts_writer *writer, const char *text);

void parts_write_moment(struct parts_writer *writer,
		struct commcache_moment moment);

/* Frees it. What became of all that was written. */
enum commcache_store_status parts_write_end(struct parts_writer *writer);

/*
 * NULL: no memory. Where what comes is no such format or of another version, the
 * status says so. To be freed with free().
 */
struct parts_reader *parts_read_begin(const struct commcache_store_input *input,
		const struct parts_format *format);

/* What is not what it should be. */
void parts_fail(struct parts_reader *reader, enum commcache_store_status status);

/* What follows has to be of that part, and nothing be left of the one before. */
void parts_read_part(struct parts_reader *reader, char part);

/* The same, of the end. */
void parts_read_end(struct parts_reader *reader);

uint64_t parts_read_number(struct parts_reader *reader);
int64_t parts_read_signed(struct parts_reader *reader);

/* Has to be `most` at most. */
uint64_t parts_read_limited(struct parts_reader *reader, uint64_t most);
void parts_read_bytes(struct parts_reader *reader, void *bytes, size_t size);

/* Its order has to be `most` at most. */
struct commcache_moment parts_read_moment(struct parts_reader *reader,
		uint32_t most);

/*
 * A text of `most` bytes at most, without a NUL in it. NULL: there is none, or no
 * memory. To be freed with free().
 */
char *parts_read_text(struct parts_reader *reader, size_t most);

static inline bool parts_is_good(const struct parts_reader *reader)
{
	return reader->status == COMMCACHE_STORE_OK;
}

/* A difference of times: any two have one, of 64 bits. */
static inline int64_t parts_distance(int64_t from, int64_t to)
{
	return (int64_t) ((uint64_t) to - (uint64_t) from);
}

static inline int64_t parts_moved(int64_t from, int64_t distance)
{
	return (int64_t) ((uint64_t) from + (uint64_t) distance);
}

#endif /* COMMCACHE_HISTORY_PARTS_H */
