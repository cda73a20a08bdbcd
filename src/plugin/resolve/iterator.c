/* SPDX-License-Identifier: MIT */
#include "resolve/iterator.h"

#include <glib.h>
#include <unistd.h>

#include "ir/mirror.h"
#include "resolve/component.h"
#include "resolve/input.h"
#include "resolve/naming.h"

enum iterator_state {
	/* Nothing is read, nothing decided. */
	ITERATOR_START,
	/* In the first of two passes: nothing is given out. */
	ITERATOR_LEARN,
	/* Between the two. */
	ITERATOR_REWIND,
	/* In the pass that gives out messages. */
	ITERATOR_PASS,
};

struct resolve_iterator {
	/* Weak: owner of this. */
	bt_self_message_iterator *self;
	/* Weak: lives longer. */
	struct resolve_component *component;
	struct input input;
	struct progress progress;
	/* Owned by this. */
	struct naming *naming;
	/* Owned by this; its owner, in its own sense, is `naming`. */
	struct mirror *mirror;

	enum iterator_state state;
	/* There are two passes. */
	bool two_passes;
	/* The first of them is complete. */
	bool learned;

	/*
	 * Owned by this. What ended the first pass early, until the second
	 * one fails too.
	 */
	const bt_error *learn_error;
	/*
	 * Owned by this. A failure after messages that were good: these are
	 * given out first.
	 */
	const bt_error *late_error;
	enum input_status late_status;
};

static void release_error(const bt_error **error)
{
	if (*error) {
		bt_error_release(*error);
		*error = NULL;
	}
}

static void iterator_destroy(struct resolve_iterator *iterator)
{
	mirror_destroy(iterator->mirror);
	naming_destroy(iterator->naming);
	release_error(&iterator->learn_error);
	release_error(&iterator->late_error);
	g_free(iterator);
}

bt_message_iterator_class_initialize_method_status resolve_iterator_init(
		bt_self_message_iterator *self,
		bt_self_message_iterator_configuration *configuration,
		bt_self_component_port_output *port __attribute__((unused)))
{
	struct resolve_iterator *iterator;
	enum input_status status = INPUT_STATUS_MEMORY_ERROR;

	iterator = g_try_new0(struct resolve_iterator, 1);
	if (!iterator) {
		goto end;
	}

	iterator->self = self;
	iterator->component = bt_self_component_get_data(
		bt_self_message_iterator_borrow_component(self));
	iterator->naming = naming_create(&iterator->component->params.naming,
		self);
	if (!iterator->naming) {
		goto error;
	}

	iterator->mirror = mirror_create(self, naming_ops(), iterator->naming);
	if (!iterator->mirror) {
		goto error;
	}

	status = input_init(&iterator->input, self,
		resolve_component_borrow_input(iterator->component));
	if (status != INPUT_STATUS_OK) {
		goto error;
	}

	bt_self_message_iterator_configuration_set_can_seek_forward(
		configuration,
		bt_message_iterator_can_seek_forward(iterator->input.upstream));
	bt_self_message_iterator_set_data(self, iterator);
	progress_init(&iterator->progress,
		iterator->component->params.progress);
	iterator->input.progress = &iterator->progress;
	goto end;

error:
	iterator_destroy(iterator);
end:
	return (bt_message_iterator_class_initialize_method_status) status;
}

void resolve_iterator_finalize(bt_self_message_iterator *self)
{
	struct resolve_iterator *iterator =
		bt_self_message_iterator_get_data(self);

	progress_erase(&iterator->progress);
	input_finish(&iterator->input);
	iterator_destroy(iterator);
}

static void tell_pass(struct resolve_iterator *iterator, enum naming_pass pass)
{
	progress_begin(&iterator->progress,
		pass == NAMING_PASS_LEARN ? "learning" : "reading");
	/* What is given out may come to the same terminal. */
	if (pass != NAMING_PASS_LEARN && isatty(STDOUT_FILENO)) {
		progress_erase(&iterator->progress);
		iterator->progress.is_wanted = false;
	}
}

static enum input_status begin_pass(struct resolve_iterator *iterator,
		enum naming_pass pass)
{
	iterator->state = pass == NAMING_PASS_LEARN ? ITERATOR_LEARN :
		ITERATOR_PASS;
	mirror_rewind(iterator->mirror);
	tell_pass(iterator, pass);
	return (enum input_status) naming_begin_pass(iterator->naming, pass);
}

/* One pass or two? */
static enum input_status start(struct resolve_iterator *iterator)
{
	enum resolve_lookahead lookahead =
		iterator->component->params.lookahead;
	enum input_status status;
	bool can = false;

	if (lookahead != RESOLVE_LOOKAHEAD_NO) {
		status = input_can_restart(&iterator->input, &can);
		if (status != INPUT_STATUS_OK) {
			return status;
		}
	}

	if (lookahead == RESOLVE_LOOKAHEAD_YES && !can) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			iterator->self,
			"lookahead=yes: the input cannot be read twice (is it "
			"live?): use lookahead=auto or lookahead=no");
		return INPUT_STATUS_ERROR;
	}

	iterator->two_passes = can;
	return begin_pass(iterator, can ? NAMING_PASS_LEARN :
		NAMING_PASS_BOTH);
}

static enum input_status learn(struct resolve_iterator *iterator)
{
	const bt_message *message;
	enum input_status status;

	while ((status = input_next(&iterator->input, &message)) ==
			INPUT_STATUS_OK) {
		status = (enum input_status) mirror_observe(iterator->mirror,
			message);
		bt_message_put_ref(message);
		if (status != INPUT_STATUS_OK) {
			return status;
		}
	}

	if (status == INPUT_STATUS_ERROR) {
		/*
		 * A trace that is broken somewhere: the second pass gives out
		 * what comes before, and meets the error again.
		 */
		release_error(&iterator->learn_error);
		iterator->learn_error = bt_current_thread_take_error();
	} else if (status != INPUT_STATUS_END) {
		return status;
	}

	iterator->learned = true;
	iterator->state = ITERATOR_REWIND;
	return INPUT_STATUS_OK;
}

static enum input_status rewind_input(struct resolve_iterator *iterator)
{
	enum input_status status = input_restart(&iterator->input);

	if (status == INPUT_STATUS_OK) {
		return begin_pass(iterator, NAMING_PASS_RESOLVE);
	}

	if (status == INPUT_STATUS_ERROR && iterator->learn_error) {
		/* The first error is what the user has to know. */
		bt_current_thread_clear_error();
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(iterator->learn_error);
	}

	return status;
}

/* Gives out the failure that had to wait. */
static enum input_status give_late_error(struct resolve_iterator *iterator)
{
	BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(iterator->late_error);
	return iterator->late_status;
}

/* Of what was lost, who prints events warns on the standard error. */
static void clear_for_warning(struct resolve_iterator *iterator,
		const bt_message *message)
{
	const bt_message_type type = bt_message_get_type(message);

	if (type == BT_MESSAGE_TYPE_DISCARDED_EVENTS ||
			type == BT_MESSAGE_TYPE_DISCARDED_PACKETS) {
		progress_erase(&iterator->progress);
	}
}

/*
 * The messages of one batch of the input: fewer, not later, so that what is
 * live passes at once.
 */
static enum input_status pass(struct resolve_iterator *iterator,
		bt_message_array_const messages, uint64_t capacity,
		uint64_t *count)
{
	enum input_status status = INPUT_STATUS_OK;
	const bt_message *message;

	while (*count < capacity &&
			(*count == 0 || !input_batch_is_empty(
				&iterator->input))) {
		status = input_next(&iterator->input, &message);
		if (status != INPUT_STATUS_OK) {
			break;
		}

		if (G_UNLIKELY(iterator->progress.is_wanted)) {
			clear_for_warning(iterator, message);
		}

		status = (enum input_status) mirror_message(iterator->mirror,
			message, &messages[*count]);
		bt_message_put_ref(message);
		if (G_UNLIKELY(status != INPUT_STATUS_OK)) {
			break;
		}

		/* One that was dropped leaves its place to the next. */
		if (messages[*count]) {
			(*count)++;
		}
	}

	if (status == INPUT_STATUS_END) {
		naming_report(iterator->naming);
	} else if (status < 0 && *count > 0) {
		iterator->late_error = bt_current_thread_take_error();
		iterator->late_status = status;
		status = INPUT_STATUS_OK;
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
	enum input_status status = INPUT_STATUS_OK;

	*count = 0;
	if (G_UNLIKELY(iterator->late_error)) {
		status = give_late_error(iterator);
		goto end;
	}

	while (status == INPUT_STATUS_OK && iterator->state != ITERATOR_PASS) {
		switch (iterator->state) {
		case ITERATOR_START:
			status = start(iterator);
			break;
		case ITERATOR_LEARN:
			status = learn(iterator);
			break;
		default:
			status = rewind_input(iterator);
			break;
		}
	}

	if (status == INPUT_STATUS_OK) {
		status = pass(iterator, messages, capacity, count);
	}

	if (G_UNLIKELY(status != INPUT_STATUS_OK)) {
		progress_erase(&iterator->progress);
	}

end:
	return (bt_message_iterator_class_next_method_status) status;
}

bt_message_iterator_class_can_seek_beginning_method_status
resolve_iterator_can_seek_beginning(bt_self_message_iterator *self,
		bt_bool *can_seek)
{
	struct resolve_iterator *iterator =
		bt_self_message_iterator_get_data(self);
	bool can = false;
	enum input_status status = input_can_restart(&iterator->input, &can);

	*can_seek = can;
	return (bt_message_iterator_class_can_seek_beginning_method_status)
		status;
}

bt_message_iterator_class_seek_beginning_method_status
resolve_iterator_seek_beginning(bt_self_message_iterator *self)
{
	struct resolve_iterator *iterator =
		bt_self_message_iterator_get_data(self);
	enum input_status status = INPUT_STATUS_OK;

	if (iterator->state == ITERATOR_START) {
		/* It is there. */
		goto end;
	}

	status = input_restart(&iterator->input);
	if (status != INPUT_STATUS_OK) {
		goto end;
	}

	release_error(&iterator->late_error);
	if (iterator->learned) {
		status = begin_pass(iterator, NAMING_PASS_RESOLVE);
	} else {
		status = begin_pass(iterator, iterator->two_passes ?
			NAMING_PASS_LEARN : NAMING_PASS_BOTH);
	}

end:
	return (bt_message_iterator_class_seek_beginning_method_status) status;
}
