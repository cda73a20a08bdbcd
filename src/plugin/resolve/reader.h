/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_READER_H
#define COMMCACHE_PLUGIN_RESOLVE_READER_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "ir/mirror.h"
#include "progress.h"
#include "resolve/input.h"
#include "resolve/naming.h"

/*
 * What reads an input in one pass or in two, whoever reads: the filter's message
 * iterator, or a sink. In the first of two passes all names are learned, and
 * nothing is given out.
 *
 *	reader_init(), and set what is public
 *	again and again:
 *		reader_prepare()
 *		input_next() of `input`, as often as wanted
 *	reader_finish()
 */

enum reader_state {
	/* Nothing is read, nothing decided. */
	READER_START,
	/* In the first of two passes. */
	READER_LEARN,
	/* Before it is read from its beginning again. */
	READER_REWIND,
	/* In the pass that gives out messages. */
	READER_PASS,
};

struct reader {
	/* Public, to be set before the first reader_prepare(). */

	/* Two passes where that can be done. */
	bool wants_two_passes;
	/* But one where a second can gain nothing; it is told which. */
	bool may_choose;
	/* The error where it cannot be done; weak; NULL: one pass is as good. */
	const char *refusal;
	/*
	 * All is learned: before, so that one pass is enough, or in the first of
	 * two, once that is complete.
	 */
	bool learned;
	/* One pass, that learns and gives out nothing. */
	bool only_learns;
	/* What is read goes out at once, maybe to a terminal. */
	bool gives_out;

	/* Public, to be used. Owned by this; NULL before reader_init(). */
	struct naming *naming;
	/* Owned by this; its owner, in its own sense, is `naming`. */
	struct mirror *mirror;
	struct input input;
	struct progress progress;

	/* Private. */
	enum reader_state state;
	bool two_passes;
	/* Whether two are of use is still to be seen, in the first of them. */
	bool is_undecided;
	/*
	 * Owned by this. What ended the first pass early, until the second one
	 * fails too.
	 */
	const bt_error *learn_error;
};

/*
 * Takes the naming and the mirror, which may be NULL: that is no memory. To be
 * finished in any case, before which it has to be all zero.
 */
enum status reader_init(struct reader *reader, struct naming *naming,
		struct mirror *mirror, bool tells_progress);
void reader_finish(struct reader *reader);

/*
 * Comes to where messages are given out: `OK`. `AGAIN`: call it again. What
 * breaks the first pass is no error here: the second gives out what comes before
 * it, and meets it again.
 */
enum status reader_prepare(struct reader *reader);

/* Goes back to the beginning; what was learned is kept. */
enum status reader_seek_beginning(struct reader *reader);

#endif /* COMMCACHE_PLUGIN_RESOLVE_READER_H */
