/* SPDX-License-Identifier: MIT */
/*
 * What is read, held against what was learned.
 */
#include "learn/kept.h"

#include <string.h>

#include "learn/identity.h"

struct learn_source *learn_kept_claim(struct learn *learn,
		const bt_trace *trace, const bt_clock_class *clock_class,
		const struct learn_table *table)
{
	uint8_t identity[IDENTITY_SIZE];
	guint i;

	identity_of_trace(trace, clock_class, identity);
	for (i = 0; i < learn->sources->len; i++) {
		struct learn_source *source = learn->sources->pdata[i];

		if (source->trace || memcmp(source->identity, identity,
				sizeof(identity)) != 0)
			continue;
		learn_source_attach(source, trace, clock_class, table);
		return source;
	}
	return NULL;
}

static struct learn_kept_stream *find(const struct learn_source *source,
		uint64_t class_id, uint64_t id)
{
	guint i;

	for (i = 0; i < source->kept_streams->len; i++) {
		struct learn_kept_stream *kept = source->kept_streams->pdata[i];

		if (kept->class_id == class_id && kept->id == id)
			return kept;
	}
	return NULL;
}

struct learn_kept_stream *learn_kept_stream_add(struct learn_source *source,
		uint64_t class_id, uint64_t id)
{
	struct learn_kept_stream *kept = g_new0(struct learn_kept_stream, 1);

	kept->class_id = class_id;
	kept->id = id;
	spans_init(&kept->spans);
	g_ptr_array_add(source->kept_streams, kept);
	return kept;
}

void learn_kept_stream_destroy(void *stream)
{
	struct learn_kept_stream *kept = stream;

	spans_finish(&kept->spans);
	g_free(kept);
}

enum status learn_stream_identify(struct learn_stream *stream,
		uint64_t class_id, uint64_t id)
{
	struct learn_source *source = stream->source;

	if (!source->learn->options->keeps && !source->learn->is_kept)
		return STATUS_OK;
	stream->kept = find(source, class_id, id);
	if (!stream->kept && source->learn->options->keeps)
		stream->kept = learn_kept_stream_add(source, class_id, id);
	return stream->kept ? STATUS_OK : STATUS_REFUSED;
}

enum status learn_stream_newest(struct learn_stream *stream,
		int64_t newest)
{
	struct learn_source *source = stream->source;

	if (source->learn->options->keeps)
		source->newest_packet = MAX(source->newest_packet, newest);
	return source->newest_packet != INT64_MIN &&
		newest > source->newest_packet ? STATUS_REFUSED : STATUS_OK;
}

enum status learn_kept_see(struct learn_stream *stream, int64_t time)
{
	struct spans *spans = &stream->kept->spans;

	if (stream->source->learn->pass != LEARN_PASS_FIRST)
		return spans_have(spans, time) ? STATUS_OK : STATUS_REFUSED;
	if (time < spans->kept_end)
		return STATUS_REFUSED;
	spans_extend(spans, time);
	return STATUS_OK;
}

void learn_kept_packet(struct learn_stream *stream, int64_t time, bool ends)
{
	struct spans *spans = &stream->kept->spans;

	if (stream->source->learn->pass != LEARN_PASS_FIRST ||
			time < spans->kept_end)
		return;
	if (ends)
		spans_extend(spans, time);
	else
		spans_begin(spans, time);
}

void learn_kept_resume(struct learn_stream *stream)
{
	const struct learn_kept_stream *kept = stream->kept;

	if (!kept->has_state || stream->source->learn->pass != LEARN_PASS_FIRST)
		return;
	stream->last = kept->last;
	stream->packet_end = kept->packet_end;
	stream->run_tid = kept->run_tid;
	stream->run_since = kept->run_since;
}

void learn_kept_end(const struct learn_stream *stream)
{
	struct learn_kept_stream *kept = stream->kept;

	kept->has_state = true;
	kept->last = stream->last;
	kept->packet_end = stream->packet_end;
	kept->run_tid = stream->run_tid;
	kept->run_since = stream->run_since;
}
