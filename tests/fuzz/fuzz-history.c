/* SPDX-License-Identifier: MIT */

/*
 * The history against the naive model, on evidence and questions drawn from
 * bytes: libFuzzer looks for bytes that bring it to new places.
 */

#include <commcache/history.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history-model.h"

#define THREADS 6
#define NAMES 5
/* The model reads all evidence for each question. */
#define MAX_EVIDENCE 200

struct bytes {
	/* Weak, owned by libFuzzer. */
	const uint8_t *data;
	size_t left;
};

struct stream {
	struct bytes bytes;
	struct commcache_history *history;
	/* Weak, owned by the history. */
	struct commcache_history_domain *domain;
	struct model model;
	struct commcache_moment now;
	/* From when on all renames are told. */
	struct commcache_moment all_told;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Below COUNT; 0 when there are no more. */
static unsigned int take(struct bytes *bytes, unsigned int count)
{
	if (bytes->left == 0)
		return 0;
	bytes->left--;
	return *bytes->data++ % count;
}

static struct commcache_comm take_name(struct bytes *bytes)
{
	struct commcache_comm comm;
	char name[COMMCACHE_COMM_LEN];

	(void) snprintf(name, sizeof(name), "name-%u", take(bytes, NAMES));
	commcache_comm_from_string(&comm, name);
	return comm;
}

static struct commcache_history_thread *thread_of(struct stream *stream,
		int thread)
{
	if (thread < 0)
		return NULL;
	return commcache_history_thread(stream->domain, 100 + thread, -1);
}

/* Evidence is told in the order of time; some of it at one moment. */
static void pass_time(struct stream *stream)
{
	unsigned int step = take(&stream->bytes, 8);

	if (step < 4 && stream->now.time < INT64_MAX - 3) {
		stream->now.time += step;
		if (step)
			stream->now.order = 0;
	} else {
		stream->now.order += step - 4 * (step >= 4);
	}
}

static struct model_evidence take_evidence(struct stream *stream)
{
	struct bytes *bytes = &stream->bytes;
	struct model_evidence evidence = {
		.kind = take(bytes, MODEL_TAKES_OVER + 1),
		.thread = (int) take(bytes, THREADS),
		.other = (int) take(bytes, THREADS),
		.comm = take_name(bytes),
		.old = take_name(bytes),
		.teller = take(bytes, 5),
	};
	unsigned int flags = take(bytes, 256);

	evidence.has_old = flags & 1;
	evidence.has_comm = evidence.kind == MODEL_IS ||
			evidence.kind == MODEL_PROCNAME ||
			evidence.kind == MODEL_BECOMES || (flags & 2);
	if (evidence.kind == MODEL_BORN && (flags & 4))
		evidence.other = -1;
	if (evidence.kind == MODEL_TAKES_OVER &&
			evidence.other == evidence.thread)
		evidence.other = (evidence.other + 1) % THREADS;
	/* Names that may be stale are kept apart: no order with others. */
	if (evidence.kind == MODEL_PROCNAME)
		stream->now.order++;
	evidence.moment = stream->now;
	if (evidence.kind == MODEL_PROCNAME)
		stream->now.order++;
	evidence.all_told = stream->all_told;
	evidence.is_late = flags & 16;
	evidence.since = evidence.moment;
	if ((flags & 8) && evidence.moment.time >= INT64_MIN + 8)
		evidence.since = commcache_moment(
				evidence.moment.time - (flags >> 5), 0);
	return evidence;
}

static enum commcache_history_status tell(struct stream *stream,
		const struct model_evidence *evidence)
{
	struct commcache_history_thread *thread = thread_of(stream,
			evidence->thread);
	struct commcache_history_thread *other = thread_of(stream,
			evidence->other);
	struct commcache_moment moment = evidence->moment;
	const struct commcache_comm *comm = evidence->has_comm ?
			&evidence->comm : NULL;
	const struct commcache_comm *old = evidence->has_old ?
			&evidence->old : NULL;

	switch (evidence->kind) {
	case MODEL_IS:
		return commcache_history_is(thread, moment, comm);
	case MODEL_PROCNAME:
		return commcache_history_procname(thread, moment, comm);
	case MODEL_BECOMES:
		return evidence->is_late ? commcache_history_became(thread,
				evidence->since, moment, old, comm) :
				commcache_history_becomes(thread, moment, old,
				comm);
	case MODEL_RENAMED:
		return commcache_history_renamed(thread, evidence->since, moment,
				comm);
	case MODEL_BORN:
		return commcache_history_born(thread, moment, evidence->teller,
				other, comm);
	case MODEL_DIES:
		return commcache_history_dies(thread, moment, comm);
	case MODEL_TAKES_OVER:
		return commcache_history_takes_over(thread, other, moment);
	}
	return COMMCACHE_HISTORY_INVALID;
}

static void ask(struct stream *stream, int thread, struct commcache_moment moment)
{
	struct commcache_history_name name = commcache_history_resolve(
			thread_of(stream, thread), moment);
	struct model_answer answer = model_resolve(&stream->model, thread,
			moment);
	bool is_same = name.source == answer.source;

	if (is_same && answer.is_known)
		is_same = commcache_comm_equal(name.comm, &answer.comm) &&
				(name.weak != 0) == answer.weak;
	else if (is_same)
		is_same = name.reason == answer.reason && name.id == 0;
	if (is_same)
		return;
	fprintf(stderr, "thread %d at %lld.%u: history %s source %d, model %s source %d\n",
			thread, (long long) moment.time, moment.order,
			name.comm->str, (int) name.source,
			answer.is_known ? answer.comm.str : "?",
			(int) answer.source);
	abort();
}

static struct commcache_moment take_moment(struct stream *stream)
{
	unsigned int back = take(&stream->bytes, 64);
	int64_t time = stream->now.time;

	if (back == 63)
		return commcache_moment(INT64_MIN, 0);
	if (back == 62)
		return commcache_moment(INT64_MAX, UINT32_MAX);
	time = time < INT64_MIN + 64 ? INT64_MIN : time - back;
	return commcache_moment(time, take(&stream->bytes, 6));
}

static void begin(struct stream *stream)
{
	static const int64_t origins[] = { 0, 1000, INT64_MIN, INT64_MAX - 40,
			-20 };

	model_init(&stream->model);
	stream->now = commcache_moment(origins[take(&stream->bytes, 5)], 0);
	stream->all_told = commcache_moment(INT64_MAX, UINT32_MAX);
	stream->history = commcache_history_create();
	if (!stream->history)
		abort();
	stream->domain = commcache_history_domain(stream->history, "host", NULL,
			COMMCACHE_HISTORY_NS_ROOT);
	if (!stream->domain)
		abort();
	if (take(&stream->bytes, 2)) {
		stream->all_told = stream->now;
		commcache_history_all_told(stream->domain, stream->all_told);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stream stream = { .bytes = { data, size } };
	unsigned int count = 0;

	begin(&stream);
	while (stream.bytes.left && count++ < MAX_EVIDENCE) {
		struct model_evidence evidence;

		pass_time(&stream);
		evidence = take_evidence(&stream);
		model_add(&stream.model, &evidence);
		if (tell(&stream, &evidence) < 0)
			abort();
		ask(&stream, evidence.thread, evidence.moment);
		ask(&stream, (int) take(&stream.bytes, THREADS),
				take_moment(&stream));
	}
	for (int thread = 0; thread < THREADS; thread++) {
		for (unsigned int i = 0; i < stream.model.count; i++)
			ask(&stream, thread, stream.model.evidence[i].moment);
	}
	commcache_history_destroy(stream.history);
	model_fini(&stream.model);
	return 0;
}
