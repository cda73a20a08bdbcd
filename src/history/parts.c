/* SPDX-License-Identifier: MIT */

/*
 * Blocks: four bytes of part and size, what they hold, and the checksum of all
 * that was written up to there but other checksums, so that no block can be
 * missing or moved either.
 */

#include "parts.h"

#include <stdlib.h>
#include <string.h>

#define MORE	0x80U

/* CRC-32 of IEEE 802.3, by half bytes: the same on all machines. */
static uint32_t sum(uint32_t checksum, const uint8_t *bytes, size_t size)
{
	static const uint32_t of_half[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
		0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};

	checksum = ~checksum;
	for (size_t i = 0; i < size; i++) {
		checksum ^= bytes[i];
		checksum = checksum >> 4 ^ of_half[checksum & 0xf];
		checksum = checksum >> 4 ^ of_half[checksum & 0xf];
	}
	return ~checksum;
}

static void put_word(uint8_t bytes[4], uint32_t word)
{
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t) (word >> (8 * i));
}

static uint32_t get_word(const uint8_t bytes[4])
{
	return bytes[0] | (uint32_t) bytes[1] << 8 | (uint32_t) bytes[2] << 16 |
			(uint32_t) bytes[3] << 24;
}

static void put_out(struct parts_writer *writer, const uint8_t *bytes,
		size_t size)
{
	if (writer->status == COMMCACHE_STORE_OK && !writer->output->write(
			bytes, size, writer->output->data))
		writer->status = COMMCACHE_STORE_FAILED;
}

static void put(struct parts_writer *writer, const uint8_t *bytes, size_t size)
{
	writer->checksum = sum(writer->checksum, bytes, size);
	put_out(writer, bytes, size);
}

static void put_checksum(struct parts_writer *writer)
{
	uint8_t bytes[4];

	put_word(bytes, writer->checksum);
	put_out(writer, bytes, sizeof(bytes));
}

struct parts_writer *parts_write_begin(
		const struct commcache_store_output *output,
		const struct parts_format *format)
{
	struct parts_writer *writer = calloc(1, sizeof(*writer));
	uint8_t version[4];

	if (!writer)
		return NULL;
	writer->output = output;
	put_word(version, format->version);
	put(writer, (const uint8_t *) format->magic, sizeof(format->magic));
	put(writer, version, sizeof(version));
	put_checksum(writer);
	return writer;
}

static void put_block(struct parts_writer *writer)
{
	uint8_t head[4];

	put_word(head, (uint32_t) (uint8_t) writer->part | writer->size << 8);
	put(writer, head, sizeof(head));
	put(writer, writer->block, writer->size);
	put_checksum(writer);
	writer->size = 0;
}

void parts_write_part(struct parts_writer *writer, char part)
{
	/* One with nothing in it, too. */
	if (writer->part != PARTS_END)
		put_block(writer);
	writer->part = part;
}

static void put_byte(struct parts_writer *writer, uint8_t byte)
{
	if (writer->size == sizeof(writer->block))
		put_block(writer);
	writer->block[writer->size++] = byte;
}

void parts_write_number(struct parts_writer *writer, uint64_t number)
{
	while (number >= MORE) {
		put_byte(writer, (uint8_t) (number | MORE));
		number >>= 7;
	}
	put_byte(writer, (uint8_t) number);
}

void parts_write_signed(struct parts_writer *writer, int64_t number)
{
	parts_write_number(writer, (uint64_t) number << 1 ^
			(number < 0 ? UINT64_MAX : 0));
}

void parts_write_bytes(struct parts_writer *writer, const void *bytes,
		size_t size)
{
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < size; i++)
		put_byte(writer, byte[i]);
}

void parts_write_text(struct parts_writer *writer, const char *text)
{
	size_t size = strlen(text);

	parts_write_number(writer, size);
	parts_write_bytes(writer, text, size);
}

void parts_write_moment(struct parts_writer *writer,
		struct commcache_moment moment)
{
	parts_write_signed(writer, moment.time);
	parts_write_number(writer, moment.order);
}

enum commcache_store_status parts_write_end(struct parts_writer *writer)
{
	enum commcache_store_status status;

	parts_write_part(writer, PARTS_END);
	put_block(writer);
	status = writer->status;
	free(writer);
	return status;
}

void parts_fail(struct parts_reader *reader, enum commcache_store_status status)
{
	if (reader->status == COMMCACHE_STORE_OK)
		reader->status = status;
	reader->size = 0;
	reader->position = 0;
}

static void get_in(struct parts_reader *reader, uint8_t *bytes, size_t size)
{
	size_t count = 0;

	while (count < size && parts_is_good(reader)) {
		int64_t got = reader->input->read(bytes + count, size - count,
				reader->input->data);

		if (got < 0 || (uint64_t) got > size - count)
			parts_fail(reader, COMMCACHE_STORE_FAILED);
		else if (got == 0)
			parts_fail(reader, COMMCACHE_STORE_CUT);
		else
			count += (size_t) got;
	}
	if (!parts_is_good(reader))
		memset(bytes, 0, size);
}

static void get(struct parts_reader *reader, uint8_t *bytes, size_t size)
{
	get_in(reader, bytes, size);
	reader->checksum = sum(reader->checksum, bytes, size);
}

static void get_checksum(struct parts_reader *reader)
{
	uint8_t bytes[4];

	get_in(reader, bytes, sizeof(bytes));
	if (parts_is_good(reader) && get_word(bytes) != reader->checksum)
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
}

struct parts_reader *parts_read_begin(const struct commcache_store_input *input,
		const struct parts_format *format)
{
	struct parts_reader *reader = calloc(1, sizeof(*reader));
	uint8_t magic[sizeof(format->magic)], version[4];

	if (!reader)
		return NULL;
	reader->input = input;
	get(reader, magic, sizeof(magic));
	if (memcmp(magic, format->magic, sizeof(magic)) != 0)
		parts_fail(reader, COMMCACHE_STORE_FOREIGN);
	get(reader, version, sizeof(version));
	/* These sixteen bytes are the same in all versions to come. */
	get_checksum(reader);
	if (get_word(version) != format->version)
		parts_fail(reader, COMMCACHE_STORE_VERSION);
	return reader;
}

/* The next block, of whatever part. */
static void get_block(struct parts_reader *reader)
{
	uint8_t head[4];
	uint32_t size;

	get(reader, head, sizeof(head));
	size = get_word(head) >> 8;
	if (size > sizeof(reader->block))
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	if (!parts_is_good(reader))
		return;
	get(reader, reader->block, size);
	get_checksum(reader);
	if (!parts_is_good(reader))
		return;
	reader->part = (char) head[0];
	reader->size = size;
	reader->position = 0;
}

void parts_read_part(struct parts_reader *reader, char part)
{
	/* What was not read is not understood. */
	if (reader->position < reader->size)
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	get_block(reader);
	if (parts_is_good(reader) && reader->part != part)
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
}

void parts_read_end(struct parts_reader *reader)
{
	parts_read_part(reader, PARTS_END);
	if (parts_is_good(reader) && reader->size)
		parts_fail(reader, COMMCACHE_STORE_CORRUPT);
}

static uint8_t get_byte(struct parts_reader *reader)
{
	if (reader->position == reader->size) {
		char part = reader->part;

		get_block(reader);
		if (!parts_is_good(reader))
			return 0;
		if (reader->part != part || !reader->size) {
			parts_fail(reader, COMMCACHE_STORE_CORRUPT);
			return 0;
		}
	}
	return reader->block[reader->position++];
}

uint64_t parts_read_number(struct parts_reader *reader)
{
	uint64_t number = 0;
	unsigned int shift;
	uint8_t byte;

	for (shift = 0; shift < 64; shift += 7) {
		byte = get_byte(reader);
		number |= (uint64_t) (byte & ~MORE) << shift;
		if (!(byte & MORE)) {
			if (shift == 63 && byte > 1)
				break;
			return number;
		}
	}
	parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	return 0;
}

int64_t parts_read_signed(struct parts_reader *reader)
{
	uint64_t number = parts_read_number(reader);

	return (int64_t) (number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

uint64_t parts_read_limited(struct parts_reader *reader, uint64_t most)
{
	uint64_t number = parts_read_number(reader);

	if (number <= most)
		return number;
	parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	return 0;
}

void parts_read_bytes(struct parts_reader *reader, void *bytes, size_t size)
{
	uint8_t *byte = bytes;

	for (size_t i = 0; i < size; i++)
		byte[i] = get_byte(reader);
}

struct commcache_moment parts_read_moment(struct parts_reader *reader,
		uint32_t most)
{
	const int64_t time = parts_read_signed(reader);

	return commcache_moment(time,
			(uint32_t) parts_read_limited(reader, most));
}

char *parts_read_text(struct parts_reader *reader, size_t most)
{
	size_t size = (size_t) parts_read_limited(reader, most);
	char *text = parts_is_good(reader) ? calloc(1, size + 1) : NULL;

	if (!text) {
		parts_fail(reader, COMMCACHE_STORE_NO_MEMORY);
		return NULL;
	}
	parts_read_bytes(reader, text, size);
	if (parts_is_good(reader) && strlen(text) == size)
		return text;
	parts_fail(reader, COMMCACHE_STORE_CORRUPT);
	free(text);
	return NULL;
}

const char *commcache_store_explain(enum commcache_store_status status)
{
	static const char *const words[] = {
		[-COMMCACHE_STORE_OK] = "is good",
		[-COMMCACHE_STORE_NO_MEMORY] = "needs more memory than there is",
		[-COMMCACHE_STORE_FAILED] = "cannot be read or written",
		[-COMMCACHE_STORE_FOREIGN] = "is not such a file",
		[-COMMCACHE_STORE_VERSION] =
			"is of another version of commcache",
		[-COMMCACHE_STORE_CUT] = "is cut: its end is missing",
		[-COMMCACHE_STORE_CORRUPT] = "is corrupt",
	};
	const unsigned int index = (unsigned int) -(int) status;

	return index < sizeof(words) / sizeof(*words) ? words[index] :
			"is of no known status";
}
