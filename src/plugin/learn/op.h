/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_OP_H
#define COMMCACHE_PLUGIN_LEARN_OP_H

#include "learn/source.h"

/*
 * Carrying out an op, a row of a table that fits the event's class: what its
 * members hold, and what is made of them.
 */

/* An id, or LEARN_NO_ID. */
int64_t learn_op_id(const struct learn_op *op, enum learn_role role,
		const struct learn_event *seen);

/* In which its ids are; NULL: nothing tells which of two. */
struct commcache_history_domain *learn_op_domain(const struct learn_op *op,
		const struct learn_event *seen);

/* NULL: no thread has that id. */
struct commcache_history_thread *learn_op_thread(const struct learn_op *op,
		enum learn_role role, const struct learn_event *seen);

/* The thread that the evidence is of; NULL: none that is known. */
struct commcache_history_thread *learn_op_subject(const struct learn_op *op,
		const struct learn_event *seen);

/* A name, in `comm`; NULL: there is none, or it is one that says "unknown". */
const struct commcache_comm *learn_op_comm(const struct learn_op *op,
		enum learn_role role, const struct learn_event *seen,
		struct commcache_comm *comm);

/* When it was: the event's moment, unless the event tells another. */
struct commcache_moment learn_op_moment(const struct learn_op *op,
		const struct learn_event *seen);

/* Evidence of no thread is no evidence, and no error. */
enum status learn_status_of(enum commcache_history_status status);

/* In rename.c: LEARN_IS, LEARN_BECOMES; and the thread `tid` is so called. */
enum status learn_take_is(const struct learn_op *op,
		const struct learn_event *seen);
enum status learn_take_becomes(const struct learn_op *op,
		const struct learn_event *seen);
enum status learn_add_is(const struct learn_event *seen, int64_t tid,
		struct commcache_history_thread *thread,
		struct commcache_moment moment,
		const struct commcache_comm *comm);

/* In life.c: LEARN_BORN, LEARN_ENDING, LEARN_DIES, LEARN_EXEC. */
enum status learn_take_born(const struct learn_op *op,
		const struct learn_event *seen);
enum status learn_take_ending(const struct learn_op *op,
		const struct learn_event *seen);
enum status learn_take_dies(const struct learn_op *op,
		const struct learn_event *seen);
enum status learn_take_exec(const struct learn_op *op,
		const struct learn_event *seen);

/* A moment for that tid, in a table of them. */
void learn_set_moment(GHashTable *moments, int64_t tid,
		struct commcache_moment moment);

/* In call.c: LEARN_CALLS, LEARN_ENTER_..., LEARN_LEAVE of a known thread. */
void learn_note_call(struct learn_source *source, int64_t tid,
		struct commcache_moment moment);
void learn_enter_call(const struct learn_op *op,
		const struct learn_event *seen);
enum status learn_leave_call(const struct learn_op *op,
		const struct learn_event *seen);

#endif /* COMMCACHE_PLUGIN_LEARN_OP_H */
