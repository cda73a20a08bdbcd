/* SPDX-License-Identifier: MIT */
#include "threads/component.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>

#include "ir/mirror.h"
#include "resolve/input.h"
#include "resolve/naming.h"
#include "threads/collect.h"
#include "threads/cpu.h"
#include "threads/output.h"
#include "threads/params.h"
#include "threads/rows.h"

enum state {
	STATE_START,
	/* All names are learned first. */
	STATE_LEARN,
	STATE_REWIND,
	/* Then each event belongs to one of them. */
	STATE_COUNT,
};

struct component {
	/* Weak: owns this. */
	bt_self_component_sink *self;
	/* The same. */
	bt_self_component *self_component;
	struct threads_params params;
	struct input input;
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
	struct component *component = data;

	threads_collect_event(component->threads, event, seen);
	return MIRROR_STATUS_OK;
}

static void count_gap(void *data, const struct learn_stream *stream)
{
	struct component *component = data;

	threads_collect_gap(component->threads, stream);
}

static void release_learn_error(struct component *component)
{
	if (component->learn_error)
		bt_error_release(component->learn_error);
	component->learn_error = NULL;
}

static void component_destroy(struct component *component)
{
	input_finish(&component->input);
	mirror_destroy(component->mirror);
	threads_destroy(component->threads);
	naming_destroy(component->naming);
	release_learn_error(component);
	g_free(component);
}

bt_component_class_initialize_method_status threads_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data)
{
	struct component *component = g_new0(struct component, 1);
	bt_component_class_initialize_method_status status;

	(void) configuration;
	(void) data;
	component->self = self;
	component->self_component =
		bt_self_component_sink_as_self_component(self);
	component->listener = (struct naming_listener) {
		.event = count_event,
		.gap = count_gap,
		.data = component,
	};
	status = threads_params_init(&component->params,
		component->self_component, params);
	if (status != PARAM_OK)
		goto error;

	/* One port: a muxer brings several inputs together. */
	status = (int) bt_self_component_sink_add_input_port(self, "in", NULL,
		NULL);
	if (status != BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK) {
		threads_params_finish(&component->params);
		goto error;
	}
	bt_self_component_set_data(component->self_component, component);
	return status;

error:
	component_destroy(component);
	return status;
}

void threads_component_finalize(bt_self_component_sink *self)
{
	struct component *component = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));

	threads_params_finish(&component->params);
	component_destroy(component);
}

bt_component_class_sink_graph_is_configured_method_status
threads_component_graph_is_configured(bt_self_component_sink *self)
{
	struct component *component = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));
	enum input_status status = input_init_of_sink(&component->input, self,
		bt_self_component_sink_borrow_input_port_by_name(self, "in"));

	if (status != INPUT_STATUS_OK)
		goto end;
	status = INPUT_STATUS_MEMORY_ERROR;
	component->naming = naming_create_for_sink(&component->params.naming,
		component->self_component, &component->listener);
	if (!component->naming)
		goto end;
	component->mirror = mirror_create(NULL, naming_ops(),
		component->naming);
	if (component->mirror)
		status = INPUT_STATUS_OK;
end:
	return (bt_component_class_sink_graph_is_configured_method_status)
		status;
}

static enum input_status begin_pass(struct component *component,
		enum naming_pass pass)
{
	mirror_rewind(component->mirror);
	return (enum input_status) naming_begin_pass(component->naming, pass);
}

static enum input_status start(struct component *component)
{
	bool can;
	enum input_status status = input_can_restart(&component->input, &can);

	if (status != INPUT_STATUS_OK)
		return status;
	if (!can) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			component->self_component,
			"The input cannot be read twice (is it live?): record "
			"it first, then read the trace's folder");
		return INPUT_STATUS_ERROR;
	}
	component->state = STATE_LEARN;
	return begin_pass(component, NAMING_PASS_LEARN);
}

/* The messages of one batch. */
static enum input_status observe(struct component *component)
{
	const bt_message *message;
	enum input_status status;

	do {
		status = input_next(&component->input, &message);
		if (status != INPUT_STATUS_OK)
			return status;
		status = (enum input_status) mirror_observe(component->mirror,
			message);
		bt_message_put_ref(message);
	} while (status == INPUT_STATUS_OK &&
		!input_batch_is_empty(&component->input));
	return status;
}

static enum input_status learn(struct component *component)
{
	enum input_status status = observe(component);

	if (status == INPUT_STATUS_ERROR && component->input.failed) {
		/*
		 * A trace that is broken somewhere: the second pass counts what
		 * comes before, and meets the error again.
		 */
		component->learn_error = bt_current_thread_take_error();
		status = INPUT_STATUS_END;
	}
	if (status != INPUT_STATUS_END)
		return status;
	component->state = STATE_REWIND;
	return INPUT_STATUS_OK;
}

static enum input_status rewind_input(struct component *component)
{
	enum input_status status = input_restart(&component->input);

	if (status == INPUT_STATUS_ERROR && component->learn_error) {
		/* The first error is what the user has to know. */
		bt_current_thread_clear_error();
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(component->learn_error);
	}
	if (status != INPUT_STATUS_OK)
		return status;
	component->threads = threads_create(naming_history(component->naming));
	component->state = STATE_COUNT;
	return begin_pass(component, NAMING_PASS_RESOLVE);
}

static enum input_status print(struct component *component)
{
	struct rows rows;

	threads_cpu_end(component->threads);
	threads_complete(component->threads);
	rows_init(&rows, component->threads, &component->params);
	errno = 0;
	if (component->params.format == THREADS_JSON)
		output_json(&rows, stdout);
	else
		output_text(&rows, stdout);
	rows_finish(&rows);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return INPUT_STATUS_OK;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		component->self_component,
		"Cannot write to the standard output: %s", g_strerror(errno));
	return INPUT_STATUS_ERROR;
}

/* What came before an error is not lost. */
static void print_before_error(struct component *component)
{
	const bt_error *error = bt_current_thread_take_error();

	if (print(component) != INPUT_STATUS_OK)
		bt_current_thread_clear_error();
	if (error)
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(error);
}

static enum input_status count(struct component *component)
{
	enum input_status status = observe(component);

	if (status == INPUT_STATUS_END) {
		naming_report(component->naming);
		status = print(component);
		if (status == INPUT_STATUS_OK)
			status = INPUT_STATUS_END;
	} else if (status == INPUT_STATUS_ERROR && component->input.failed) {
		print_before_error(component);
	}
	return status;
}

bt_component_class_sink_consume_method_status threads_component_consume(
		bt_self_component_sink *self)
{
	static enum input_status (*const steps[])(struct component *) = {
		[STATE_START] = start,
		[STATE_LEARN] = learn,
		[STATE_REWIND] = rewind_input,
		[STATE_COUNT] = count,
	};
	struct component *component = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));

	return (bt_component_class_sink_consume_method_status)
		steps[component->state](component);
}
