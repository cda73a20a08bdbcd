/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_INPUT_H
#define COMMCACHE_PLUGIN_RESOLVE_INPUT_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "progress.h"
#include "status.h"

/*
 * The input of a message iterator, or of a sink: its upstream iterator, which
 * can be read again from the beginning.
 *
 * For that it is made anew, on the same port, wherever it can be. To seek is not
 * the same: src.ctf.fs of 2.0.4 keeps its clock when it seeks, so that a clock of
 * less than 64 bits seems to have wrapped, and what it was decoding when a record
 * was cut off, and goes on within that.
 *
 * What is live can be read once: a second iterator of src.ctf.lttng-live aborts
 * the process. Two answers tell it apart. can_seek_forward() is true of what is
 * read from files that have clocks, through whatever filters. Without a clock it
 * is false, but such an iterator can seek to its beginning, as none can that is
 * live.
 */
struct input {
	/* Weak: one of them is the owner of this, the other NULL. */
	bt_self_message_iterator *self;
	bt_self_component_sink *sink;
	/* Weak. */
	bt_self_component_port_input *port;
	/* Owned by this; NULL if it could not be made again. */
	bt_message_iterator *upstream;
	/* The last next() was an error. */
	bool failed;
	/* Weak; NULL: no one is told. */
	struct progress *progress;

	/* The messages from `position` to `count` are owned by this. */
	bt_message_array_const batch;
	uint64_t count;
	uint64_t position;
};

/* To be finished in any case; before, all of it but `progress` has to be zero. */
enum status input_init(struct input *input,
		bt_self_message_iterator *self,
		bt_self_component_port_input *port);
enum status input_init_of_sink(struct input *input,
		bt_self_component_sink *sink,
		bt_self_component_port_input *port);
void input_finish(struct input *input);

/* To the error of the current thread, from whoever owns this. */
void input_append_cause(const struct input *input, const char *text);

/* Whether the last batch was given out: the next input_next() reads. */
static inline bool input_batch_is_empty(const struct input *input)
{
	return input->position == input->count;
}

/* Reads the next batch, when there is no message left of the last one. */
enum status input_read_batch(struct input *input);

/*
 * The next message, which the caller then owns. `STATUS_AGAIN` also if
 * the graph is interrupted: it is looked at before each batch.
 */
static inline enum status input_next(struct input *input,
		const bt_message **message)
{
	enum status status;

	while (input_batch_is_empty(input)) {
		status = input_read_batch(input);
		if (status != STATUS_OK)
			return status;
	}

	*message = input->batch[input->position++];
	return STATUS_OK;
}

/* Whether input_restart() can work: OK, AGAIN or an error. */
enum status input_can_restart(struct input *input, bool *can);

/* Goes back to the beginning. `STATUS_AGAIN`: call it again. */
enum status input_restart(struct input *input);

#endif /* COMMCACHE_PLUGIN_RESOLVE_INPUT_H */
