/* SPDX-License-Identifier: MIT */
#include "threads/sink.h"

#include <glib.h>

#include "ir/mirror.h"
#include "resolve/input.h"
#include "resolve/naming.h"
#include "threads/collect.h"
#include "threads/cpu.h"

enum state {
	STATE_START,
	/* All names are learned first. */
	STATE_LEARN,
	STATE_REWIND,
	/* Then each event belongs to one of them. */
	STATE_COUNT,
	/* Instead of all that. */
	STATE_LOOK,
};

struct sink {
	/* Weak: owns this, by its component. */
	bt_self_component_sink *self;
	/* The same. */
	bt_self_component *self_component;
	/* Weak, the component's. */
	const struct naming_config *config;
	const struct sink_ops *ops;
	void *owner;
	struct input input;
	struct progress progress;
	struct naming_listener listener;
	/* Owned by this. */
	struct naming *naming;
	/* Owned by this; its owner, in its own sense, is `naming`. */
	struct mirror *mirror;
	/* Owned by this; NULL before STATE_COUNT. */
	struct threads *threads;
	enum state state;
	/*
	 * Owned by this. What ended the first pass early, until the second one
	 * fails too.
	 */
	const bt_error *learn_error;
};

static enum mirror_status count_event(void *data,
		const struct mirror_event *event,
		const struct learn_event *seen)
{
	struct sink *sink = data;

	threads_collect_event(sink->threads, event, seen);
	return MIRROR_STATUS_OK;
}

static void count_gap(void *data, const struct learn_stream *stream)
{
	struct sink *sink = data;

	threads_collect_gap(sink->threads, stream);
}

static void release_learn_error(struct sink *sink)
{
	if (sink->learn_error)
		bt_error_release(sink->learn_error);
	sink->learn_error = NULL;
}

void sink_destroy(struct sink *sink)
{
	if (!sink)
		return;
	/* After an interruption no one else does it. */
	progress_erase(&sink->progress);
	input_finish(&sink->input);
	mirror_destroy(sink->mirror);
	threads_destroy(sink->threads);
	naming_destroy(sink->naming);
	release_learn_error(sink);
	g_free(sink);
}

bt_component_class_initialize_method_status sink_create(
		bt_self_component_sink *self,
		const struct naming_config *config, const struct sink_ops *ops,
		void *owner, bool progress, struct sink **out)
{
	struct sink *sink = g_new0(struct sink, 1);
	bt_self_component_add_port_status status;

	sink->self = self;
	sink->self_component = bt_self_component_sink_as_self_component(self);
	sink->config = config;
	sink->ops = ops;
	sink->owner = owner;
	progress_init(&sink->progress, progress);
	sink->listener = (struct naming_listener) {
		.event = count_event,
		.gap = count_gap,
		.data = sink,
	};
	/* One port: a muxer brings several inputs together. */
	status = bt_self_component_sink_add_input_port(self, "in", NULL, NULL);
	if (status != BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		sink_destroy(sink);
		sink = NULL;
	}
	*out = sink;
	return (int) status;
}

bt_component_class_sink_graph_is_configured_method_status
sink_graph_is_configured(struct sink *sink)
{
	enum input_status status = input_init_of_sink(&sink->input, sink->self,
		bt_self_component_sink_borrow_input_port_by_name(sink->self,
			"in"));

	if (status != INPUT_STATUS_OK)
		goto end;
	sink->input.progress = &sink->progress;
	status = INPUT_STATUS_MEMORY_ERROR;
	sink->naming = naming_create_for_sink(sink->config,
		sink->self_component, &sink->listener);
	if (!sink->naming)
		goto end;
	sink->mirror = mirror_create(NULL, naming_ops(), sink->naming);
	if (sink->mirror)
		status = INPUT_STATUS_OK;
end:
	return (bt_component_class_sink_graph_is_configured_method_status)
		status;
}

static enum input_status begin_pass(struct sink *sink,
		enum naming_pass pass)
{
	progress_begin(&sink->progress,
		pass == NAMING_PASS_LEARN ? "learning" : "reading");
	mirror_rewind(sink->mirror);
	return (enum input_status) naming_begin_pass(sink->naming, pass);
}

static enum input_status start(struct sink *sink)
{
	bool can;
	enum input_status status;

	if (sink->ops->only_looks) {
		progress_begin(&sink->progress, "reading");
		sink->state = STATE_LOOK;
		return INPUT_STATUS_OK;
	}
	status = input_can_restart(&sink->input, &can);
	if (status != INPUT_STATUS_OK)
		return status;
	if (!can) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			sink->self_component,
			"The input cannot be read twice (is it live?): record "
			"it first, then read the trace's folder");
		return INPUT_STATUS_ERROR;
	}
	sink->state = STATE_LEARN;
	return begin_pass(sink, NAMING_PASS_LEARN);
}

static enum input_status look_at(struct sink *sink, const bt_message *message)
{
	const bool counts = sink->state != STATE_LEARN;

	if (counts && sink->ops->message &&
			!sink->ops->message(sink->owner, message))
		return INPUT_STATUS_END;
	return sink->state == STATE_LOOK ? INPUT_STATUS_OK :
		(enum input_status) mirror_observe(sink->mirror, message);
}

/* The messages of one batch. */
static enum input_status observe(struct sink *sink)
{
	const bt_message *message;
	enum input_status status;

	do {
		status = input_next(&sink->input, &message);
		if (status != INPUT_STATUS_OK)
			return status;
		status = look_at(sink, message);
		bt_message_put_ref(message);
	} while (status == INPUT_STATUS_OK &&
		!input_batch_is_empty(&sink->input));
	return status;
}

static enum input_status learn(struct sink *sink)
{
	enum input_status status = observe(sink);

	if (status == INPUT_STATUS_ERROR && sink->input.failed) {
		/*
		 * A trace that is broken somewhere: the second pass counts what
		 * comes before, and meets the error again.
		 */
		sink->learn_error = bt_current_thread_take_error();
		status = INPUT_STATUS_END;
	}
	if (status != INPUT_STATUS_END)
		return status;
	sink->state = STATE_REWIND;
	return INPUT_STATUS_OK;
}

static enum input_status rewind_input(struct sink *sink)
{
	enum input_status status = input_restart(&sink->input);

	if (status == INPUT_STATUS_ERROR && sink->learn_error) {
		/* The first error is what the user has to know. */
		bt_current_thread_clear_error();
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(sink->learn_error);
	}
	if (status != INPUT_STATUS_OK)
		return status;
	sink->threads = threads_create(naming_history(sink->naming));
	if (sink->ops->begin)
		sink->ops->begin(sink->owner, sink->threads);
	sink->state = STATE_COUNT;
	return begin_pass(sink, NAMING_PASS_RESOLVE);
}

static enum input_status print(struct sink *sink)
{
	progress_erase(&sink->progress);
	if (sink->threads) {
		threads_cpu_end(sink->threads);
		threads_complete(sink->threads);
	}
	return sink->ops->print(sink->owner, sink->threads);
}

/* What came before an error is not lost. */
static void print_before_error(struct sink *sink)
{
	const bt_error *error = bt_current_thread_take_error();

	if (print(sink) != INPUT_STATUS_OK)
		bt_current_thread_clear_error();
	if (error)
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(error);
}

static enum input_status count(struct sink *sink)
{
	enum input_status status = observe(sink);

	if (status == INPUT_STATUS_END) {
		naming_report(sink->naming);
		status = print(sink);
		if (status == INPUT_STATUS_OK)
			status = INPUT_STATUS_END;
	} else if (status == INPUT_STATUS_ERROR && sink->input.failed) {
		print_before_error(sink);
	}
	return status;
}

bt_component_class_sink_consume_method_status sink_consume(struct sink *sink)
{
	static enum input_status (*const steps[])(struct sink *) = {
		[STATE_START] = start,
		[STATE_LEARN] = learn,
		[STATE_REWIND] = rewind_input,
		[STATE_COUNT] = count,
		[STATE_LOOK] = count,
	};

	const enum input_status status = steps[sink->state](sink);

	if (status != INPUT_STATUS_OK)
		progress_erase(&sink->progress);
	return (bt_component_class_sink_consume_method_status) status;
}
