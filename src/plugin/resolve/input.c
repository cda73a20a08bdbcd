/* SPDX-License-Identifier: MIT */
#include "resolve/input.h"

#include <glib.h>

static const char cannot_restart[] = "The input cannot be read again from "
	"its beginning";

void input_append_cause(const struct input *input, const char *text)
{
	if (input->sink)
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			bt_self_component_sink_as_self_component(input->sink),
			"%s", text);
	else
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			input->self, "%s", text);
}

static bool is_interrupted(const struct input *input)
{
	return input->sink ?
		bt_self_component_sink_is_interrupted(input->sink) :
		bt_self_message_iterator_is_interrupted(input->self);
}

static enum status create_upstream(struct input *input)
{
	if (input->sink)
		return status_of_library(
			bt_message_iterator_create_from_sink_component(
				input->sink, input->port, &input->upstream));
	return status_of_library(
		bt_message_iterator_create_from_message_iterator(input->self,
			input->port, &input->upstream));
}

static enum status init(struct input *input)
{
	/* The library aborts on a port that is not connected. */
	if (!bt_port_is_connected(bt_port_input_as_port_const(
			bt_self_component_port_input_as_port_input(
				input->port)))) {
		input_append_cause(input, "The input port is not connected");
		return STATUS_ERROR;
	}

	return create_upstream(input);
}

enum status input_init(struct input *input,
		bt_self_message_iterator *self,
		bt_self_component_port_input *port)
{
	input->self = self;
	input->port = port;
	return init(input);
}

enum status input_init_of_sink(struct input *input,
		bt_self_component_sink *sink,
		bt_self_component_port_input *port)
{
	input->sink = sink;
	input->port = port;
	return init(input);
}

static void drop_batch(struct input *input)
{
	for (; input->position < input->count; input->position++)
		bt_message_put_ref(input->batch[input->position]);
}

void input_finish(struct input *input)
{
	drop_batch(input);
	BT_MESSAGE_ITERATOR_PUT_REF_AND_RESET(input->upstream);
}

/*
 * src.ctf.fs of babeltrace2 2.0.4 can return good messages and leave an error
 * behind, of a record that it could not read and has logged. With an error
 * pending, the library aborts in many functions. True if there was one: such an
 * iterator is broken.
 */
static bool drop_stray_error(void)
{
	const bt_error *error = bt_current_thread_take_error();

	if (!error)
		return false;
	bt_error_release(error);
	return true;
}

enum status input_read_batch(struct input *input)
{
	enum status status;

	if (is_interrupted(input))
		return STATUS_AGAIN;
	if (!input->upstream) {
		input_append_cause(input, cannot_restart);
		return STATUS_ERROR;
	}

	input->position = 0;
	input->count = 0;
	status = status_of_library(bt_message_iterator_next(input->upstream,
		&input->batch, &input->count));
	if (status != STATUS_OK)
		input->count = 0;
	if (input->progress)
		progress_add(input->progress, input->count);
	if (status_is_failure(status) || drop_stray_error())
		input->failed = true;
	return status;
}

static enum status can_seek(struct input *input, bool *can)
{
	bt_bool answer = BT_FALSE;
	enum status status = status_of_library(
		bt_message_iterator_can_seek_beginning(input->upstream,
			&answer));

	*can = status == STATUS_OK && answer;
	return status;
}

/* What is read from files with clocks: see input.h. */
static bool is_of_files(const struct input *input)
{
	return bt_message_iterator_can_seek_forward(input->upstream);
}

enum status input_can_restart(struct input *input, bool *can)
{
	*can = input->upstream && is_of_files(input);
	return *can || !input->upstream ? STATUS_OK :
		can_seek(input, can);
}

/* The old one first: nothing upstream has to serve two at a time. */
static enum status recreate(struct input *input)
{
	BT_MESSAGE_ITERATOR_PUT_REF_AND_RESET(input->upstream);
	return create_upstream(input);
}

/*
 * Of who seeks, but may not bear another iterator, the old one is kept until
 * there is a new one. What has failed is never taken back: it could go on in the
 * midst of what it could not read.
 */
static enum status recreate_or_seek(struct input *input)
{
	bt_message_iterator *old = input->upstream;

	if (input->failed)
		return recreate(input);

	input->upstream = NULL;
	if (create_upstream(input) == STATUS_OK) {
		bt_message_iterator_put_ref(old);
		return STATUS_OK;
	}

	bt_current_thread_clear_error();
	input->upstream = old;
	return status_of_library(bt_message_iterator_seek_beginning(old));
}

static enum status restart(struct input *input)
{
	bool can = false;
	enum status status;

	if (is_of_files(input))
		return recreate(input);
	status = can_seek(input, &can);
	if (status != STATUS_OK)
		return status;
	return can ? recreate_or_seek(input) : STATUS_ERROR;
}

enum status input_restart(struct input *input)
{
	enum status status = STATUS_ERROR;

	drop_batch(input);
	if (input->upstream)
		status = restart(input);
	if (status_is_failure(status))
		input_append_cause(input, cannot_restart);
	else if (status == STATUS_OK)
		input->failed = false;
	return status;
}
