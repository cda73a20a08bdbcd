/* SPDX-License-Identifier: MIT */
#include "threads/sink.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>

#include "ir/mip.h"
#include "threads/collect.h"
#include "threads/cpu.h"

/* One: a muxer brings several inputs together. */
static const char port_name[] = "in";

static enum status count_event(void *data,
		const struct mirror_event *event,
		const struct learn_event *seen)
{
	struct sink *sink = data;

	threads_collect_event(sink->threads, event, seen);
	return STATUS_OK;
}

static void count_gap(void *data, const struct learn_stream *stream)
{
	struct sink *sink = data;

	threads_collect_gap(sink->threads, stream);
}

static void count_hole(void *data, const struct learn_stream *stream,
		const struct learn_hole *hole)
{
	struct sink *sink = data;

	threads_collect_hole(sink->threads, stream, hole);
}

static struct sink *sink_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));
}

bt_component_class_get_supported_mip_versions_method_status
sink_get_mip_versions(bt_self_component_class_sink *self,
		const bt_value *params, void *data, bt_logging_level level,
		bt_integer_range_set_unsigned *versions)
{
	(void) self;
	(void) params;
	(void) data;
	(void) level;
	return mip_add_supported(versions);
}

bt_component_class_initialize_method_status sink_init(
		const struct sink_class *class, bt_self_component_sink *self,
		const bt_value *params)
{
	struct sink *sink = g_malloc0(class->size);
	enum status status;

	sink->self = self;
	sink->self_component = bt_self_component_sink_as_self_component(self);
	sink->class = class;
	sink->listener = (struct naming_listener) {
		.event = count_event,
		.gap = count_gap,
		.hole = count_hole,
		.data = sink,
	};
	status = class->init(sink, params);
	if (status != STATUS_OK)
		goto error;
	status = status_of_library(bt_self_component_sink_add_input_port(self,
		port_name, NULL, NULL));
	if (status != STATUS_OK) {
		class->finish(sink);
		goto error;
	}
	bt_self_component_set_data(sink->self_component, sink);
	return status_to_library(status);

error:
	g_free(sink);
	return status_to_library(status);
}

void sink_finalize(bt_self_component_sink *self)
{
	struct sink *sink = sink_of(self);

	reader_finish(&sink->reader);
	threads_destroy(sink->threads);
	sink->class->finish(sink);
	g_free(sink);
}

bt_component_class_sink_graph_is_configured_method_status
sink_graph_is_configured(bt_self_component_sink *self)
{
	struct sink *sink = sink_of(self);
	struct naming *naming = naming_create_for_sink(&sink->params->naming,
		sink->self_component, &sink->listener);
	enum status status;

	status = reader_init(&sink->reader, naming, naming ?
		mirror_create(NULL, naming_ops(naming), naming) : NULL,
		sink->params->progress);
	progress_begin(&sink->reader.progress, "reading");
	sink->reader.wants_two_passes = true;
	sink->reader.learned = sink->params->naming.learned != NULL;
	sink->reader.only_learns = sink->only_learns;
	sink->reader.refusal = "The input cannot be read twice (is it live?): "
		"record it first, then read the trace's folder";
	if (status == STATUS_OK)
		status = input_init_of_sink(&sink->reader.input, self,
			bt_self_component_sink_borrow_input_port_by_name(self,
				port_name));
	return status_to_library(status);
}

/* Comes to where messages count. */
static enum status prepare(struct sink *sink)
{
	enum status status;

	if (sink->only_looks)
		return STATUS_OK;
	status = reader_prepare(&sink->reader);
	if (status != STATUS_OK || sink->threads || sink->only_learns)
		return status;
	sink->threads = threads_create(naming_history(sink->reader.naming));
	if (sink->class->begin)
		sink->class->begin(sink);
	return STATUS_OK;
}

static enum status look_at(struct sink *sink, const bt_message *message)
{
	if (sink->class->message && !sink->class->message(sink, message))
		return STATUS_END;
	return sink->only_looks ? STATUS_OK :
		mirror_observe(sink->reader.mirror, message);
}

/* The messages of one batch. */
static enum status count(struct sink *sink)
{
	struct input *input = &sink->reader.input;
	const bt_message *message;
	enum status status;

	do {
		status = input_next(input, &message);
		if (status != STATUS_OK)
			return status;
		status = look_at(sink, message);
		bt_message_put_ref(message);
	} while (status == STATUS_OK && !input_batch_is_empty(input));
	return status;
}

static enum status print(struct sink *sink)
{
	progress_erase(&sink->reader.progress);
	if (sink->threads) {
		threads_cpu_end(sink->threads);
		threads_complete(sink->threads);
	}
	return sink->class->print(sink);
}

enum status sink_end_output(const struct sink *sink)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return STATUS_OK;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		sink->self_component,
		"Cannot write to the standard output: %s", g_strerror(errno));
	return STATUS_ERROR;
}

/* What came before an error is not lost. */
static void print_before_error(struct sink *sink)
{
	const bt_error *error = bt_current_thread_take_error();

	if (print(sink) != STATUS_OK)
		bt_current_thread_clear_error();
	if (error)
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(error);
}

static enum status consume(struct sink *sink)
{
	enum status status = prepare(sink);

	if (status != STATUS_OK)
		return status;
	status = count(sink);
	if (status == STATUS_END) {
		naming_report(sink->reader.naming);
		status = print(sink);
		if (status == STATUS_OK)
			status = STATUS_END;
	} else if (status == STATUS_ERROR && sink->reader.input.failed &&
			!sink->only_learns) {
		print_before_error(sink);
	}
	return status;
}

bt_component_class_sink_consume_method_status sink_consume(
		bt_self_component_sink *self)
{
	struct sink *sink = sink_of(self);
	const enum status status = consume(sink);

	if (status != STATUS_OK)
		progress_erase(&sink->reader.progress);
	return status_to_library(status);
}
