/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_PLAN_H
#define COMMCACHE_PLUGIN_LEARN_PLAN_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>

#include "learn/member.h"
#include "learn/table.h"

/*
 * What a table says of one event class: decided once, so that an event costs
 * no look-up of a name.
 */

/* A row that fits, its members found. */
struct learn_op {
	enum learn_kind kind;
	unsigned int flags;
	enum commcache_history_teller teller;
	/* Its ids are as the process sees them. */
	bool is_virtual;
	/* The row names no thread: it is about the event's own. */
	bool of_runner;
	struct learn_ref ref[LEARN_ROLES];
};

/* A member that holds an id. */
struct learn_id {
	struct learn_ref ref;
	/* Weak, the event class's. */
	const char *name;
	/* The id is as the process sees it. */
	bool is_virtual;
	/* A comm stands beside it already, or it is the event's own thread. */
	bool is_named;
};

struct learn_plan {
	/* Who ran the event: reader LEARN_ABSENT if the event does not tell. */
	struct learn_ref runner;
	/* Serves where `runner` holds no id. */
	struct learn_ref runner_or;
	/* `runner` is a VTID. */
	bool runner_virtual;
	/* The event's PID namespace; its process and thread as seen from in there. */
	struct learn_ref pid_ns;
	struct learn_ref vpid;
	struct learn_ref vtid;
	/* Its process in the root namespace. */
	struct learn_ref pid;
	/* The name of the event's thread in its own context `procname`. */
	struct learn_ref procname;
	/* It is an event of commcache's own agent. */
	bool is_agents;
	bool procname_exact;
	struct learn_ref cpu;
	/* Its events change which thread a CPU runs. */
	bool moves_cpu;
	/* There is something that is to be read as the process sees it. */
	bool needs_virtual;

	struct learn_op *ops;
	size_t op_count;

	struct learn_id *ids;
	size_t id_count;
};

/*
 * Without an event class: what holds for all events of the stream class, of
 * which only the ids in the common context are of use.
 *
 * `more_ids`: NULL-terminated, further names of members that hold ids.
 * Holds no reference on the classes and must not outlive them.
 */
struct learn_plan *learn_plan_create(const struct learn_table *table,
		const struct learn_classes *classes, char *const *more_ids);
void learn_plan_destroy(struct learn_plan *plan);

/* Whether its events tell anything that names are known by. */
static inline bool learn_plan_tells(const struct learn_plan *plan)
{
	return plan->op_count > 0;
}

/*
 * Whether what other events tell can change what is said of its own: of the
 * thread that ran them, unless their contexts tell both its id and its name as it
 * was then, or of another that they tell the id of.
 */
bool learn_plan_asks(const struct learn_plan *plan);

#endif /* COMMCACHE_PLUGIN_LEARN_PLAN_H */
