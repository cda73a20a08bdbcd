/* SPDX-License-Identifier: MIT */
#include "resolve/iterator.h"

#include <glib.h>
#include <unistd.h>

#include "resolve/component.h"
#include "resolve/reader.h"

struct resolve_iterator {
	struct reader reader;
	/*
	 * Owned by this. A failure after messages that were good: these are
	 * given out first.
	 */
	const bt_error *late_error;
	enum status late_status;
};

static void release_late_error(struct resolve_iterator *iterator)
{
	if (iterator->late_error) {
		bt_error_release(iterator->late_error);
		iterator->late_error = NULL;
	}
}

static void iterator_destroy(struct resolve_iterator *iterator)
{
	reader_finish(&iterator->reader);
	release_late_error(iterator);
	g_free(iterator);
}

static enum status init(struct reader *reader,
		bt_self_message_iterator *self,
		const struct resolve_component *component)
{
	const struct resolve_params *params = &component->params;
	struct naming *naming = naming_create(&params->naming, self);
	enum status status;

	status = reader_init(reader, naming, naming ?
		mirror_create(self, naming_ops(naming), naming) : NULL,
		params->progress);
	if (status != STATUS_OK)
		return status;
	reader->gives_out = true;
	reader->learned = params->naming.learned != NULL;
	reader->wants_two_passes = params->lookahead != RESOLVE_LOOKAHEAD_NO;
	reader->may_choose = params->lookahead == RESOLVE_LOOKAHEAD_AUTO;
	if (params->lookahead == RESOLVE_LOOKAHEAD_YES)
		reader->refusal = "lookahead=yes: the input cannot be read "
			"twice (is it live?): use lookahead=auto or "
			"lookahead=no";
	return input_init(&reader->input, self,
		resolve_component_borrow_input(component));
}

bt_message_iterator_class_initialize_method_status resolve_iterator_init(
		bt_self_message_iterator *self,
		bt_self_message_iterator_configuration *configuration,
		bt_self_component_port_output *port __attribute__((unused)))
{
	struct resolve_iterator *iterator = g_new0(struct resolve_iterator, 1);
	enum status status;

	status = init(&iterator->reader, self, bt_self_component_get_data(
		bt_self_message_iterator_borrow_component(self)));
	if (status != STATUS_OK) {
		iterator_destroy(iterator);
		goto end;
	}

	bt_self_message_iterator_configuration_set_can_seek_forward(
		configuration, bt_message_iterator_can_seek_forward(
			iterator->reader.input.upstream));
	bt_self_message_iterator_set_data(self, iterator);

end:
	return status_to_library(status);
}

void resolve_iterator_finalize(bt_self_message_iterator *self)
{
	iterator_destroy(bt_self_message_iterator_get_data(self));
}

/* Gives out the failure that had to wait. */
static enum status give_late_error(struct resolve_iterator *iterator)
{
	BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(iterator->late_error);
	return iterator->late_status;
}

/* Of what was lost, who prints events warns on the standard error. */
static void clear_for_warning(struct reader *reader,
		const bt_message *message)
{
	const bt_message_type type = bt_message_get_type(message);

	if (type == BT_MESSAGE_TYPE_DISCARDED_EVENTS ||
			type == BT_MESSAGE_TYPE_DISCARDED_PACKETS)
		progress_erase(&reader->progress);
}

/*
 * The messages of one batch of the input: fewer, not later, so that what is
 * live passes at once.
 */
static enum status pass(struct resolve_iterator *iterator,
		bt_message_array_const messages, uint64_t capacity,
		uint64_t *count)
{
	struct reader *reader = &iterator->reader;
	enum status status = STATUS_OK;
	const bt_message *message;

	while (*count < capacity &&
			(*count == 0 || !input_batch_is_empty(&reader->input))) {
		status = input_next(&reader->input, &message);
		if (status != STATUS_OK)
			break;
		if (G_UNLIKELY(reader->progress.is_wanted))
			clear_for_warning(reader, message);
		status = mirror_message(reader->mirror,
			message, &messages[*count]);
		bt_message_put_ref(message);
		if (G_UNLIKELY(status != STATUS_OK))
			break;
		/* One that was dropped leaves its place to the next. */
		if (messages[*count])
			(*count)++;
	}

	if (status == STATUS_END) {
		naming_report(reader->naming);
	} else if (status_is_failure(status) && *count > 0) {
		iterator->late_error = bt_current_thread_take_error();
		iterator->late_status = status;
		status = STATUS_OK;
	}

	return status;
}

bt_message_iterator_class_next_method_status resolve_iterator_next(
		bt_self_message_iterator *self,
		bt_message_array_const messages, uint64_t capacity,
		uint64_t *count)
{
	struct resolve_iterator *iterator =
		bt_self_message_iterator_get_data(self);
	enum status status;

	*count = 0;
	if (G_UNLIKELY(iterator->late_error)) {
		status = give_late_error(iterator);
		goto end;
	}

	status = reader_prepare(&iterator->reader);
	if (status == STATUS_OK)
		status = pass(iterator, messages, capacity, count);
	if (G_UNLIKELY(status != STATUS_OK))
		progress_erase(&iterator->reader.progress);
end:
	return status_to_library(status);
}

bt_message_iterator_class_can_seek_beginning_method_status
resolve_iterator_can_seek_beginning(bt_self_message_iterator *self,
		bt_bool *can_seek)
{
	struct resolve_iterator *iterator =
		bt_self_message_iterator_get_data(self);
	bool can = false;
	enum status status = input_can_restart(&iterator->reader.input,
		&can);

	*can_seek = can;
	return status_to_library(status);
}

bt_message_iterator_class_seek_beginning_method_status
resolve_iterator_seek_beginning(bt_self_message_iterator *self)
{
	struct resolve_iterator *iterator =
		bt_self_message_iterator_get_data(self);
	const enum status status =
		reader_seek_beginning(&iterator->reader);

	if (status == STATUS_OK)
		release_late_error(iterator);
	return status_to_library(status);
}
