/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_NAMING_H
#define COMMCACHE_PLUGIN_RESOLVE_NAMING_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include <commcache/history.h>
#include <commcache/store.h>

#include "ir/mirror.h"

/*
 * Naming decides which members are added where, and what they hold. It is
 * the owner (see ir/mirror.h) of the mirror of one message iterator.
 *
 * What the iterator does with it:
 *
 *	naming_create(config, ...)
 *	mirror_create(self_iterator, naming_ops(naming), naming)
 *	with look-ahead:
 *		naming_begin_pass(NAMING_PASS_LEARN)
 *		mirror_observe() of each message	-> observe, message
 *		naming_begin_pass(NAMING_PASS_RESOLVE)
 *	without:
 *		naming_begin_pass(NAMING_PASS_BOTH)
 *	mirror_message() of each message		-> resolve, fill, message
 *	at the end of the input: naming_report()
 *	seek to the beginning: naming_begin_pass(NAMING_PASS_RESOLVE or _BOTH)
 *	mirror_destroy(), naming_destroy()
 *
 * In NAMING_PASS_BOTH, `resolve` and `message` learn as well. What follows
 * the input in time (the current thread of a CPU) is to be started anew at
 * each naming_begin_pass(); what was learned in NAMING_PASS_LEARN is kept for
 * NAMING_PASS_RESOLVE, which may come several times (seek to the beginning).
 * A NAMING_PASS_LEARN that comes again (it was interrupted by a seek) and a
 * NAMING_PASS_BOTH begin with nothing but the seed. With `learned`, a
 * NAMING_PASS_RESOLVE needs none before it.
 */

struct naming;
struct learn_event;
struct learn_hole;
struct learn_stream;

/* The names of the parameter `names-from`. */
struct naming_seed;

/* The component's parameters, checked. Owned by the component. */
struct naming_config {
	/* Never NULL, never empty. */
	const char *field_name;
	/* NULL-terminated; never NULL. More member names that hold ids. */
	char **ids;
	/* NULL-terminated; never NULL. Glob patterns; none: keep all. */
	char **keep;
	/* A path; NULL: none. */
	const char *names_from;
	/* What it holds. Owned by the component; NULL: there is none. */
	const struct naming_seed *seed;
	/* A path; NULL: none. What was learned; instead of a first pass. */
	const char *learned;
	/* In NAMING_PASS_LEARN: that goes on from there. */
	bool goes_on;
	/* What is learned will be kept. */
	bool keeps;
	bool infer_current;
	bool provenance;
	/* Never NULL. What an unknown name is shown as. */
	const char *unknown;
};

enum naming_pass {
	NAMING_PASS_LEARN,
	NAMING_PASS_RESOLVE,
	NAMING_PASS_BOTH,
};

/*
 * Reads the file of `names-from`. The component does it once, when it is
 * initialized, so that a bad file stops the graph before anything is read.
 * On failure, appends a cause (from `self_component`) that names the file,
 * and the line where there is one.
 */
enum status naming_seed_load(bt_self_component *self_component,
		const char *path, struct naming_seed **seed);
void naming_seed_destroy(struct naming_seed *seed);

/*
 * `config` has to outlive it. `self_iterator` is kept (weak), for error
 * causes. NULL, with a cause appended, if memory is short.
 */
struct naming *naming_create(const struct naming_config *config,
		bt_self_message_iterator *self_iterator);
void naming_destroy(struct naming *naming);

/*
 * Who makes no output of the events, and wants to know of them: a sink. It gives
 * each message to mirror_observe(), in NAMING_PASS_LEARN and then in
 * NAMING_PASS_RESOLVE; in the latter its listener is told.
 */
struct naming_listener {
	/* An event, with what was learned of who ran it. */
	enum status (*event)(void *data,
			const struct mirror_event *event,
			const struct learn_event *seen);
	/* Events of that stream may be missing between what came and comes. */
	void (*gap)(void *data, const struct learn_stream *stream);
	/* Nothing was recorded of that stream's CPU, by any of its boot. */
	void (*hole)(void *data, const struct learn_stream *stream,
			const struct learn_hole *hole);
	/* Weak. */
	void *data;
};

/* The same for a sink; `listener` has to outlive it, too. */
struct naming *naming_create_for_sink(const struct naming_config *config,
		bt_self_component *self_component,
		const struct naming_listener *listener);

/* What was learned; another one after naming_begin_pass(). */
struct commcache_history *naming_history(struct naming *naming);

/*
 * Whether two passes can say more than one, by all classes that were seen so far:
 * some tell what names are known by, and some are named by what others tell.
 */
bool naming_needs_two_passes(const struct naming *naming);

/* The functions for mirror_create(), whose owner is the naming: as long as it. */
const struct mirror_ops *naming_ops(struct naming *naming);

enum status naming_begin_pass(struct naming *naming,
		enum naming_pass pass);

/* What was learned, at the end of NAMING_PASS_LEARN. */
enum commcache_store_status naming_save(const struct naming *naming,
		const struct commcache_store_output *output);

/*
 * The end of the input in a pass that resolves: log, at info level, how many
 * events were named, from what, and how many not and why; as a warning, what
 * to record next time if nothing could be named.
 */
void naming_report(struct naming *naming);

#endif /* COMMCACHE_PLUGIN_RESOLVE_NAMING_H */
