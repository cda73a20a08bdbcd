/* SPDX-License-Identifier: MIT */

#include <string.h>

#include <linux/perf_event.h>

#include "record.h"

/* What ends each record: PERF_SAMPLE_TID | PERF_SAMPLE_TIME, sample_id_all. */
struct sample_id {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
};

struct comm_body {
	uint32_t pid;
	uint32_t tid;
	/* As long as it takes, to a multiple of 8. */
	char comm[COMMCACHE_COMM_LEN];
};

struct task_body {
	uint32_t pid;
	uint32_t ppid;
	uint32_t tid;
	uint32_t ptid;
	uint64_t time;
};

struct lost_body {
	uint64_t id;
	uint64_t lost;
};

/* What is between header and sample_id. */
struct body {
	const unsigned char *bytes;
	size_t size;
};

static bool read_comm(struct feed_record *record, const struct body *body,
		const struct sample_id *id)
{
	struct comm_body comm = { 0 };

	if (body->size < offsetof(struct comm_body, comm))
		return false;
	memcpy(&comm, body->bytes, body->size < sizeof(comm) ? body->size :
			sizeof(comm));
	comm.comm[sizeof(comm.comm) - 1] = '\0';
	record->kind = FEED_COMM;
	record->pid = (pid_t) comm.pid;
	record->tid = (pid_t) comm.tid;
	record->by_tid = (pid_t) id->tid;
	commcache_comm_from_string(&record->comm, comm.comm);
	return true;
}

static bool read_task(struct feed_record *record, const struct body *body,
		enum feed_kind kind)
{
	struct task_body task;

	if (body->size < sizeof(task))
		return false;
	memcpy(&task, body->bytes, sizeof(task));
	record->kind = kind;
	record->pid = (pid_t) task.pid;
	record->tid = (pid_t) task.tid;
	record->by_tid = (pid_t) task.ptid;
	return true;
}

static bool read_lost(struct feed_record *record, const struct body *body)
{
	struct lost_body lost;

	if (body->size < sizeof(lost))
		return false;
	memcpy(&lost, body->bytes, sizeof(lost));
	record->kind = FEED_LOST;
	record->lost = lost.lost;
	return true;
}

static bool read_switch(struct feed_record *record, uint16_t misc,
		const struct sample_id *id)
{
	record->kind = misc & PERF_RECORD_MISC_SWITCH_OUT ? FEED_OUT : FEED_IN;
	record->preempted = misc & PERF_RECORD_MISC_SWITCH_OUT &&
			misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	record->pid = (pid_t) id->pid;
	record->tid = (pid_t) id->tid;
	return true;
}

static bool read_body(struct feed_record *record,
		const struct perf_event_header *header, const struct body *body,
		const struct sample_id *id)
{
	switch (header->type) {
	case PERF_RECORD_COMM:
		return read_comm(record, body, id);
	case PERF_RECORD_FORK:
		return read_task(record, body, FEED_BORN);
	case PERF_RECORD_EXIT:
		return read_task(record, body, FEED_DIED);
	case PERF_RECORD_LOST:
		return read_lost(record, body);
	case PERF_RECORD_SWITCH:
		return read_switch(record, header->misc, id);
	default:
		return false;
	}
}

size_t feed_record_size(const void *bytes)
{
	struct perf_event_header header;

	memcpy(&header, bytes, sizeof(header));
	return header.size;
}

void feed_record_read(struct feed_record *record, const void *bytes,
		size_t size)
{
	struct perf_event_header header;
	struct sample_id id;
	struct body body;

	memset(record, 0, sizeof(*record));
	if (size < sizeof(header) + sizeof(id))
		return;
	memcpy(&header, bytes, sizeof(header));
	/* Cut short, as one of another kind can be: its end is not here. */
	if (header.size != size)
		return;
	body.bytes = (const unsigned char *) bytes + sizeof(header);
	body.size = size - sizeof(header) - sizeof(id);
	memcpy(&id, body.bytes + body.size, sizeof(id));
	record->time = id.time;
	if (!read_body(record, &header, &body, &id))
		record->kind = FEED_OTHER;
}
