/* SPDX-License-Identifier: MIT */
#include "resolve/reader.h"

#include <glib.h>
#include <stdio.h>
#include <unistd.h>

enum status reader_init(struct reader *reader, struct naming *naming,
		struct mirror *mirror, bool tells_progress)
{
	reader->naming = naming;
	reader->mirror = mirror;
	progress_init(&reader->progress, tells_progress);
	reader->input.progress = &reader->progress;
	return naming && mirror ? STATUS_OK : STATUS_MEMORY_ERROR;
}

void reader_finish(struct reader *reader)
{
	/* After an interruption no one else does it. */
	progress_erase(&reader->progress);
	input_finish(&reader->input);
	mirror_destroy(reader->mirror);
	naming_destroy(reader->naming);
	if (reader->learn_error)
		bt_error_release(reader->learn_error);
}

static enum status begin_pass(struct reader *reader,
		enum naming_pass pass)
{
	const bool is_learning = pass == NAMING_PASS_LEARN;

	reader->state = is_learning && !reader->only_learns ? READER_LEARN :
		READER_PASS;
	mirror_rewind(reader->mirror);
	progress_begin(&reader->progress, is_learning ? "learning" : "reading");
	if (!is_learning && reader->gives_out && isatty(STDOUT_FILENO)) {
		progress_erase(&reader->progress);
		reader->progress.is_wanted = false;
	}
	return naming_begin_pass(reader->naming, pass);
}

static enum naming_pass pass_of(const struct reader *reader)
{
	if (reader->only_learns)
		return NAMING_PASS_LEARN;
	if (reader->learned)
		return NAMING_PASS_RESOLVE;
	return reader->two_passes ? NAMING_PASS_LEARN : NAMING_PASS_BOTH;
}

static void tell_choice(const struct reader *reader, const char *text)
{
	const bt_component *component = bt_self_component_as_component(
		bt_self_message_iterator_borrow_component(reader->input.self));

	if (bt_component_get_logging_level(component) <= BT_LOGGING_LEVEL_INFO)
		fprintf(stderr, "%s: %s\n", bt_component_get_name(component),
			text);
}

/* One pass or two? */
static enum status start(struct reader *reader)
{
	enum status status = STATUS_OK;
	bool can = false;

	if (reader->learned || reader->only_learns)
		return begin_pass(reader, pass_of(reader));
	if (reader->wants_two_passes)
		status = input_can_restart(&reader->input, &can);
	if (status != STATUS_OK)
		return status;
	if (!can && reader->refusal) {
		input_append_cause(&reader->input, reader->refusal);
		return STATUS_ERROR;
	}
	reader->two_passes = can;
	reader->is_undecided = can && reader->may_choose;
	if (!can && reader->may_choose)
		tell_choice(reader, "reads once: the input cannot be read "
			"twice");
	return begin_pass(reader, pass_of(reader));
}

/*
 * Once all streams have begun, all classes are known: a muxer gives out first
 * what has no time. Of what begins later, more is learned as it comes.
 */
static bool decides(const bt_message *message)
{
	return bt_message_get_type(message) !=
		BT_MESSAGE_TYPE_STREAM_BEGINNING;
}

static void decide(struct reader *reader)
{
	reader->is_undecided = false;
	reader->two_passes = naming_needs_two_passes(reader->naming);
	if (reader->two_passes) {
		tell_choice(reader, "reads twice: a name can be told after "
			"it is asked for");
		return;
	}
	tell_choice(reader, "reads once: no event tells what another is named "
		"by");
	reader->state = READER_REWIND;
}

static enum status learn(struct reader *reader)
{
	const bt_message *message;
	enum status status;

	while ((status = input_next(&reader->input, &message)) ==
			STATUS_OK) {
		status = mirror_observe(reader->mirror,
			message);
		if (G_UNLIKELY(reader->is_undecided) && decides(message))
			decide(reader);
		bt_message_put_ref(message);
		if (status != STATUS_OK || reader->state != READER_LEARN)
			return status;
	}
	if (status == STATUS_ERROR)
		reader->learn_error = bt_current_thread_take_error();
	else if (status != STATUS_END)
		return status;
	reader->learned = true;
	reader->state = READER_REWIND;
	return STATUS_OK;
}

static enum status rewind_input(struct reader *reader)
{
	const enum status status = input_restart(&reader->input);

	if (status == STATUS_OK)
		return begin_pass(reader, pass_of(reader));
	if (status == STATUS_ERROR && reader->learn_error) {
		/* The first error is what the user has to know. */
		bt_current_thread_clear_error();
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(reader->learn_error);
	}
	return status;
}

enum status reader_prepare(struct reader *reader)
{
	static enum status (*const steps[])(struct reader *) = {
		[READER_START] = start,
		[READER_LEARN] = learn,
		[READER_REWIND] = rewind_input,
	};
	enum status status = STATUS_OK;

	while (status == STATUS_OK && reader->state != READER_PASS)
		status = steps[reader->state](reader);
	return status;
}

enum status reader_seek_beginning(struct reader *reader)
{
	enum status status;

	/* It is there. */
	if (reader->state == READER_START)
		return STATUS_OK;
	status = input_restart(&reader->input);
	if (status == STATUS_OK)
		status = begin_pass(reader, pass_of(reader));
	return status;
}
