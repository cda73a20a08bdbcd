/* SPDX-License-Identifier: MIT */
/*
 * Streams: their packets, what was recorded of them, and their events.
 */
#include "learn/kept.h"

const struct learn_boot *learn_stream_boot(const struct learn_stream *stream)
{
	return stream->source->boot;
}

int64_t learn_stream_cpu(const struct learn_stream *stream)
{
	return stream->cpu;
}

bool learn_stream_tells_cpus(const struct learn_stream *stream)
{
	return stream->source->tells_cpus;
}

bool learn_stream_holds_switches(const struct learn_stream *stream)
{
	return *stream->holds_switches;
}

bool learn_stream_has_switches(const struct learn_stream *stream)
{
	return learn_source_has_switches(stream->source);
}

struct learn_stream *learn_stream_create(struct learn_source *source,
		const bool *holds_switches)
{
	struct learn_stream *stream = g_new0(struct learn_stream, 1);

	stream->source = source;
	learn_source_use(source);
	stream->holds_switches = holds_switches;
	stream->cpu = -1;
	stream->recorded_cpu = -1;
	stream->last.time = TIME_NONE;
	stream->run_tid = -1;
	source->streams++;
	return stream;
}

void learn_stream_destroy(struct learn_stream *stream)
{
	struct learn_source *source = stream->source;

	source->streams--;
	source->open_streams -= stream->is_open;
	g_free(stream);
	learn_source_put(source);
}

/*
 * The last moment before events with that clock value that are still to come
 * in the stream: one that was there can have it, too.
 */
static struct commcache_moment moment_before(const struct learn_stream *stream,
		bool has_clock, uint64_t cycles)
{
	if (has_clock && learn_time_of(cycles) > stream->last.time)
		return commcache_moment(learn_time_of(cycles) - 1, UINT32_MAX);
	return commcache_moment_after(stream->last);
}

/* The stream begins again with each pass, and what was learned may be gone. */
void learn_stream_begin_pass(struct learn_stream *stream)
{
	stream->passes = stream->source->learn->passes;
	stream->last.time = TIME_NONE;
	stream->recorded_cpu = -1;
	stream->packet_begin = TIME_NONE;
	stream->packet_end = TIME_NONE;
	stream->has_hole = false;
	stream->source->open_streams -= stream->is_open;
	stream->is_open = false;
	stream->run_tid = -1;
	stream->ran = NULL;
	stream->last_namespace = NULL;
	if (stream->kept)
		learn_kept_resume(stream);
}

/* Of the stream's CPU, where someone asks for its switches. */
static enum status add_gap(struct learn_stream *stream,
		struct commcache_moment moment)
{
	struct learn_source *source = stream->source;
	int64_t cpu = MAX(stream->cpu, 0);
	/* Its events tell their CPUs themselves: it can be any of them. */
	const int64_t end = stream->cpu < 0 ? source->cpu_limit : cpu + 1;
	struct commcache_cpus *cpus;

	if (!*stream->holds_switches)
		return STATUS_OK;
	cpus = learn_source_cpus(source);
	for (; cpus && cpu < end; cpu++) {
		if (commcache_cpus_gap(cpus, cpu, moment) ==
				COMMCACHE_HISTORY_NO_MEMORY)
			return STATUS_MEMORY_ERROR;
	}
	return STATUS_OK;
}

enum status learn_stream_begin_recording(struct learn_stream *stream)
{
	struct learn_source *source = stream->source;
	struct learn_hole hole;

	if (stream->recorded_cpu >= 0 || !*stream->holds_switches ||
			stream->cpu < 0)
		return STATUS_OK;
	stream->recorded_cpu = stream->cpu;
	stream->has_hole = learn_recorded_begin(source->boot->recorded,
		stream->cpu, stream->packet_begin, &stream->hole);
	if (!learn_recorded_begin(source->recorded, stream->cpu,
			stream->packet_begin, &hole))
		return STATUS_OK;
	if (hole.from != INT64_MIN && add_gap(stream, learn_recorded_after(
			hole.from)) != STATUS_OK)
		return STATUS_MEMORY_ERROR;
	return add_gap(stream, commcache_moment(hole.to, 0));
}

static void end_recording(struct learn_stream *stream)
{
	struct learn_source *source = stream->source;

	if (stream->recorded_cpu < 0)
		return;
	learn_recorded_end(source->recorded, stream->recorded_cpu,
		stream->packet_end);
	learn_recorded_end(source->boot->recorded, stream->recorded_cpu,
		stream->packet_end);
	stream->recorded_cpu = -1;
}

enum status learn_stream_begin_packet(struct learn_stream *stream,
		int64_t cpu, bool has_clock, uint64_t cycles)
{
	learn_stream_enter_pass(stream);
	if (cpu != stream->cpu)
		end_recording(stream);
	stream->cpu = cpu;
	stream->last_switch = moment_before(stream, has_clock, cycles);
	/* Where no time is told: as far back as can be. */
	stream->packet_begin = has_clock ? learn_time_of(cycles) : stream->last.time;
	if (stream->kept && has_clock)
		learn_kept_packet(stream, learn_time_of(cycles), false);
	learn_whole_begin(stream);
	return learn_stream_begin_recording(stream);
}

void learn_stream_end_packet(struct learn_stream *stream, bool has_clock,
		uint64_t cycles)
{
	learn_stream_enter_pass(stream);
	stream->packet_end = has_clock ? learn_time_of(cycles) : stream->last.time;
	if (stream->kept && has_clock)
		learn_kept_packet(stream, learn_time_of(cycles), true);
	learn_whole_end(stream);
	/* Where none is told, the next one goes on. */
	if (has_clock && !stream->source->table->packets_apart)
		end_recording(stream);
}

void learn_stream_end(struct learn_stream *stream)
{
	learn_stream_enter_pass(stream);
	stream->packet_end = MAX(stream->packet_end, stream->last.time);
	if (stream->kept)
		learn_kept_end(stream);
	learn_whole_end(stream);
	end_recording(stream);
}

bool learn_stream_take_hole(struct learn_stream *stream,
		struct learn_hole *hole)
{
	const bool has_hole = stream->has_hole;

	*hole = stream->hole;
	stream->has_hole = false;
	return has_hole;
}

enum status learn_stream_gap(struct learn_stream *stream)
{
	learn_whole_missed(stream->source, commcache_moment(
		MAX(stream->packet_end, stream->last.time), UINT32_MAX));
	/* Of whole packets: what was told of the last one is complete. */
	return add_gap(stream, stream->packet_end > stream->last.time ?
		commcache_moment(stream->packet_end, UINT32_MAX) :
		commcache_moment_after(stream->last));
}

void learn_stream_lose(struct learn_stream *stream)
{
	stream->is_lossy = true;
}

enum status learn_stream_end_lossy_packet(struct learn_stream *stream,
		bool has_clock, uint64_t cycles)
{
	enum status status = add_gap(stream,
		commcache_moment_after(stream->last_switch));

	return status == STATUS_OK ? add_gap(stream,
		moment_before(stream, has_clock, cycles)) : status;
}
