/* SPDX-License-Identifier: MIT */
/*
 * LTTng-UST's own words of a name, and which of them tell of another program
 * than the one that the agent told of.
 *
 * Its statedump shows the name that a program was loaded with, by the thread of
 * that program that listens: neither changes while the program runs. Its context
 * procname is read once, and once more where the agent says that the thread has
 * renamed itself. So if it differs from that of the event before, it was read in
 * between; and if it is no name that was told for that time, no one told of it.
 */
#include "learn/program.h"

#include "learn/op.h"

struct learn_program {
	/* The key: a thread's number as its process sees it. Weak domain. */
	struct commcache_history_domain *domain;
	int64_t vtid;

	/* The context, in the thread's last event. */
	struct commcache_comm shown;
	struct commcache_moment moment;
	bool is_shown;
	/*
	 * Of a process: its statedump's, who told it, in which trace (weak, only
	 * compared).
	 */
	struct commcache_comm loaded;
	const struct learn_source *source;
	int64_t listener;
	/* Who told what the agent tells of the process. */
	int64_t teller;
};

static guint hash_program(gconstpointer data)
{
	const struct learn_program *program = data;

	return g_direct_hash(program->domain) ^ (guint) program->vtid * 2654435761U;
}

static gboolean same_program(gconstpointer a, gconstpointer b)
{
	const struct learn_program *first = a, *second = b;

	return first->domain == second->domain && first->vtid == second->vtid;
}

GHashTable *learn_programs_create(void)
{
	return g_hash_table_new_full(hash_program, same_program, g_free, NULL);
}

static gboolean is_forgotten(gpointer key, gpointer value, gpointer data)
{
	const struct learn_program *program = key;

	(void) value;
	(void) data;
	return !commcache_history_find_thread(program->domain, program->vtid,
		-1);
}

void learn_programs_forget(GHashTable *programs)
{
	(void) g_hash_table_foreach_remove(programs, is_forgotten, NULL);
}

static struct learn_program *find(const struct learn_event *seen, int64_t vtid)
{
	const struct learn_boot *boot = seen->stream->source->boot;
	const struct learn_program key = {
		/* Numbers of no known namespace are taken as the root's. */
		.domain = seen->virtual_domain == boot->unknown ? boot->root :
			seen->virtual_domain,
		.vtid = vtid,
	};
	struct learn_program *program = g_hash_table_lookup(boot->programs,
		&key);

	if (program)
		return program;
	program = g_new0(struct learn_program, 1);
	program->domain = key.domain;
	program->vtid = vtid;
	program->teller = LEARN_NO_ID;
	g_hash_table_add(boot->programs, program);
	return program;
}

static int64_t runner_of(const struct learn_event *seen)
{
	return seen->plan->runner_virtual ?
		learn_ref_id(&seen->plan->runner, seen->event) : LEARN_NO_ID;
}

void learn_program_is_told(const struct learn_event *seen, int64_t vpid)
{
	if (seen->virtual_domain)
		find(seen, vpid)->teller = runner_of(seen);
}

/* Others than LTTng-UST tell of the thread, and with more authority. */
static bool is_told(const struct commcache_history_name *name)
{
	return name->source != COMMCACHE_HISTORY_UNKNOWN && !name->weak;
}

struct question {
	/* Weak, the asker's. */
	const struct commcache_comm *comm;
	struct commcache_moment from;
	/* The span before. */
	bool is_it;
	bool is_told;
};

static bool is_after(struct commcache_moment a, struct commcache_moment b)
{
	return a.time > b.time || (a.time == b.time && a.order > b.order);
}

/* Of the spans that end after `from`. */
static bool look_at_span(const struct commcache_history_span *span, void *data)
{
	struct question *question = data;

	if (question->is_it && span->has_begin &&
			is_after(span->begin, question->from))
		question->is_told = true;
	question->is_it = is_told(&span->name) &&
		commcache_comm_equal(span->name.comm, question->comm);
	return !question->is_told;
}

/* Was it the thread's name after `from`, by what was told so far? */
static bool was_told(struct commcache_history_thread *thread,
		struct commcache_moment from, const struct commcache_comm *comm)
{
	struct question question = { .comm = comm, .from = from };

	commcache_history_for_each_of(thread, look_at_span, &question);
	return question.is_told || question.is_it;
}

/* What the context shows of the event's own thread. */
static bool shows_other(const struct learn_event *seen,
		struct commcache_history_thread *thread,
		const struct commcache_comm *comm)
{
	const int64_t vtid = runner_of(seen);
	struct commcache_history_name name;
	struct learn_program *program;
	struct learn_program before;

	if (vtid <= 0 || !seen->virtual_domain)
		return false;
	program = find(seen, vtid);
	before = *program;
	program->shown = *comm;
	program->moment = seen->moment;
	program->is_shown = true;
	/* A rename's own event comes after the name was read again. */
	if (!before.is_shown || seen->plan->is_agents ||
			commcache_comm_equal(comm, &before.shown))
		return false;
	name = commcache_history_resolve(thread, seen->moment);
	return is_told(&name) && !commcache_comm_equal(name.comm, comm) &&
		!was_told(thread, before.moment, comm);
}

/* What the statedump shows of the process. */
static bool dumps_other(const struct learn_event *seen, int64_t vpid,
		struct commcache_history_thread *thread,
		const struct commcache_comm *comm)
{
	const struct learn_source *source = seen->stream->source;
	const int64_t listener = runner_of(seen);
	struct commcache_history_name name;
	struct learn_program *program;
	bool is_other;

	if (vpid <= 0 || !seen->virtual_domain)
		return false;
	program = find(seen, vpid);
	is_other = program->source && (
		!commcache_comm_equal(comm, &program->loaded) ||
		(program->source == source && listener != program->listener));
	program->loaded = *comm;
	program->source = source;
	program->listener = listener;
	/* The agent is in this one, and has told of it. */
	if (!is_other || (listener > 0 && program->teller == listener))
		return false;
	name = commcache_history_resolve(thread, seen->moment);
	return is_told(&name);
}

enum status learn_take_procname(const struct learn_op *op,
		const struct learn_event *seen,
		struct commcache_history_thread *thread,
		const struct commcache_comm *comm)
{
	bool is_other = false;

	if (seen->stream->source->table == &learn_lttng_ust)
		is_other = op->of_runner ? shows_other(seen, thread, comm) :
			dumps_other(seen, learn_op_id(op, LEARN_TID, seen),
				thread, comm);
	return learn_status_of(is_other ?
		commcache_history_program(thread, seen->moment, comm) :
		commcache_history_procname(thread, seen->moment, comm));
}
