/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include <fnmatch.h>
#include <glib.h>
#include <string.h>

#include "learn/pair.h"

struct compiler {
	const struct learn_table *table;
	const struct learn_classes *classes;
	const char *event_name;
	char *const *more_ids;
	GArray *ops;
	GArray *ids;
	struct learn_plan *plan;
};

static bool same_member(const struct learn_ref *a, const struct learn_ref *b)
{
	return a->reader != LEARN_ABSENT && b->reader != LEARN_ABSENT &&
		a->scope == b->scope && a->index == b->index;
}

static bool has_member(const struct compiler *compiler, const char *name)
{
	return learn_ref_find(compiler->classes, name).reader !=
		LEARN_ABSENT;
}

/* Whether a role is read as an id, so that its class has to hold ids. */
static bool role_is_id(enum learn_role role)
{
	switch (role) {
	case LEARN_TID:
	case LEARN_OR_TID:
	case LEARN_VTID:
	case LEARN_NEXT_TID:
	case LEARN_PARENT:
	case LEARN_OLD_TID:
	case LEARN_PID:
		return true;
	default:
		return false;
	}
}

static bool ref_holds_id(const struct compiler *compiler,
		const struct learn_ref *ref)
{
	const bt_field_class *structure =
		learn_scope_class(compiler->classes, ref->scope);

	return learn_class_holds_id(
		bt_field_class_structure_member_borrow_field_class_const(
			bt_field_class_structure_borrow_member_by_index_const(
				structure, ref->index)));
}

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[\\");
}

/*
 * Whether an event's name is as the row says. A trace can have a thousand event
 * classes, and few rows need a matcher of patterns.
 */
static bool names_event(const struct learn_row *row, const char *name)
{
	const char *pattern = row->event;

	if (!is_pattern(pattern))
		return strcmp(pattern, name) == 0;
	if (pattern[0] == '*' && !is_pattern(pattern + 1))
		return g_str_has_suffix(name, pattern + 1);
	return fnmatch(pattern, name, 0) == 0;
}

/* False: the row does not fit the event class. */
static bool fit_row(const struct compiler *compiler,
		const struct learn_row *row, struct learn_op *op)
{
	int role;

	if (!names_event(row, compiler->event_name) ||
			(row->without && has_member(compiler, row->without)))
		return false;

	memset(op, 0, sizeof(*op));
	op->kind = row->kind;
	op->flags = row->flags;
	op->teller = row->teller;
	op->is_virtual = row->member[LEARN_VTID] && !row->member[LEARN_TID];
	op->of_runner = !row->member[LEARN_VTID] && !row->member[LEARN_TID];
	for (role = 0; role < LEARN_ROLES; role++) {
		const char *name = row->member[role];
		bool optional;

		if (!name)
			continue;
		optional = name[0] == '?';
		op->ref[role] = learn_ref_find(compiler->classes,
			name + optional);
		if (op->ref[role].reader != LEARN_ABSENT && role_is_id(role) &&
				!ref_holds_id(compiler, &op->ref[role]))
			op->ref[role].reader = LEARN_ABSENT;
		if (op->ref[role].reader == LEARN_ABSENT && !optional)
			return false;
	}
	/* From here on the thread is always in LEARN_TID. */
	if (op->is_virtual)
		op->ref[LEARN_TID] = op->ref[LEARN_VTID];
	return true;
}

static void set_runner(struct learn_plan *plan, const struct learn_op *op)
{
	if (plan->runner.reader != LEARN_ABSENT)
		return;
	plan->runner = op->ref[LEARN_TID];
	plan->runner_or = op->ref[LEARN_OR_TID];
	plan->runner_virtual = op->is_virtual;
}

static void apply_rows(struct compiler *compiler)
{
	size_t i;

	for (i = 0; i < compiler->table->row_count; i++) {
		struct learn_op op;

		if (!fit_row(compiler, &compiler->table->rows[i], &op))
			continue;
		switch (op.kind) {
		case LEARN_RUNS:
			set_runner(compiler->plan, &op);
			break;
		case LEARN_ON_CPU:
			if (compiler->plan->cpu.reader == LEARN_ABSENT)
				compiler->plan->cpu = op.ref[LEARN_CPU];
			break;
		case LEARN_SWITCH:
		case LEARN_EXEC:
			compiler->plan->moves_cpu = true;
			/* Fall through */
		default:
			g_array_append_val(compiler->ops, op);
			break;
		}
	}
}

static bool is_claimed(const struct compiler *compiler,
		const struct learn_ref *comm)
{
	guint i;

	for (i = 0; i < compiler->ops->len; i++) {
		const struct learn_op *op =
			&g_array_index(compiler->ops, struct learn_op, i);

		if (same_member(&op->ref[LEARN_COMM], comm) ||
				same_member(&op->ref[LEARN_OLD_COMM], comm) ||
				same_member(&op->ref[LEARN_NEXT_COMM], comm))
			return true;
	}
	return false;
}

static void pair_members(struct compiler *compiler, enum learn_scope scope)
{
	const bt_field_class *structure =
		learn_scope_class(compiler->classes, scope);
	uint64_t count, i, id;

	if (!structure)
		return;
	count = bt_field_class_structure_get_member_count(structure);
	for (i = 0; i < count && i <= UINT16_MAX; i++) {
		struct learn_op op = {
			.kind = LEARN_IS,
			.is_virtual = compiler->table->ids_virtual,
			/* Not a tracer's: some tool put it there. */
			.flags = scope == LEARN_PAYLOAD ? 0 :
				LEARN_WEAK | LEARN_SHOWN,
		};

		if (!learn_pair_find(structure, i, &id) || id > UINT16_MAX)
			continue;
		op.ref[LEARN_COMM] = learn_ref_at(compiler->classes, scope,
			i);
		op.ref[LEARN_TID] = learn_ref_at(compiler->classes, scope,
			id);
		if (!is_claimed(compiler, &op.ref[LEARN_COMM]))
			g_array_append_val(compiler->ops, op);
	}
}

static bool matches_any(const char *const *patterns, const char *text)
{
	for (; patterns && *patterns; patterns++) {
		if (fnmatch(*patterns, text, 0) == 0)
			return true;
	}
	return false;
}

static bool is_no_id(const struct compiler *compiler, const char *member)
{
	char *path = g_strconcat(compiler->event_name, "/", member, NULL);
	const bool result = matches_any(compiler->table->no_ids, path);

	g_free(path);
	return result;
}

static bool asked_for(const struct compiler *compiler, const char *name)
{
	char *const *more;

	for (more = compiler->more_ids; more && *more; more++) {
		if (strcmp(*more, name) == 0)
			return true;
	}
	return false;
}

/* Whether a comm stands beside the id already. */
static bool is_named(const struct compiler *compiler,
		const struct learn_id *id, const bt_field_class *structure)
{
	char *comm_name;
	bool result;
	guint i;

	for (i = 0; i < compiler->ops->len; i++) {
		const struct learn_op *op =
			&g_array_index(compiler->ops, struct learn_op, i);

		if (same_member(&op->ref[LEARN_TID], &id->ref) &&
				op->ref[LEARN_COMM].reader != LEARN_ABSENT &&
				op->ref[LEARN_COMM].scope == id->ref.scope)
			return true;
		if (same_member(&op->ref[LEARN_NEXT_TID], &id->ref))
			return true;
	}
	/* So it does if this filter has been here before. */
	comm_name = g_strconcat(id->name, "_comm", NULL);
	result = bt_field_class_structure_borrow_member_by_name_const(structure,
		comm_name);
	g_free(comm_name);
	return result;
}

/* The event's own thread has its name in the common context. */
static bool is_own(const struct compiler *compiler, const struct learn_id *id)
{
	if (id->ref.scope != LEARN_PAYLOAD)
		return strcmp(id->name, "tid") == 0 ||
			strcmp(id->name, "vtid") == 0;
	return strcmp(id->name, "perf_tid") == 0 &&
		same_member(&id->ref, &compiler->plan->runner);
}

static bool id_is_virtual(const struct compiler *compiler,
		const struct learn_id *id)
{
	if (g_str_has_prefix(id->name, "host_"))
		return false;
	if (compiler->table->ids_virtual)
		return true;
	if (id->ref.scope != LEARN_PAYLOAD)
		return id->name[0] == 'v';
	return g_str_has_prefix(id->name, "vtid") ||
		g_str_has_prefix(id->name, "vp") ||
		matches_any(compiler->table->virtual_payloads,
			compiler->event_name);
}

static void find_ids(struct compiler *compiler, enum learn_scope scope)
{
	const bt_field_class *structure =
		learn_scope_class(compiler->classes, scope);
	uint64_t count, i;

	if (!structure)
		return;
	count = bt_field_class_structure_get_member_count(structure);
	for (i = 0; i < count && i <= UINT16_MAX; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(
				structure, i);
		const bt_field_class *member_class =
			bt_field_class_structure_member_borrow_field_class_const(
				member);
		struct learn_id id = {
			.ref = learn_ref_at(compiler->classes, scope, i),
		};

		id.name = bt_field_class_structure_member_get_name(member);
		if (id.ref.reader != LEARN_SIGNED &&
				id.ref.reader != LEARN_UNSIGNED)
			continue;
		/* What the user calls an id can be of any width. */
		if (!asked_for(compiler, id.name) &&
				(!learn_name_is_id(id.name) ||
				!learn_class_holds_id(member_class) ||
				is_no_id(compiler, id.name)))
			continue;
		id.is_virtual = id_is_virtual(compiler, &id);
		id.is_named = is_own(compiler, &id) ||
			is_named(compiler, &id, structure);
		g_array_append_val(compiler->ids, id);
	}
}

static bool needs_virtual(const struct compiler *compiler)
{
	guint i;

	if (compiler->plan->runner_virtual)
		return true;
	for (i = 0; i < compiler->ops->len; i++) {
		if (g_array_index(compiler->ops, struct learn_op, i).is_virtual)
			return true;
	}
	for (i = 0; i < compiler->ids->len; i++) {
		const struct learn_id *id =
			&g_array_index(compiler->ids, struct learn_id, i);

		if (id->is_virtual && !id->is_named)
			return true;
	}
	return false;
}

struct learn_plan *learn_plan_create(const struct learn_table *table,
		const struct learn_classes *classes, char *const *more_ids)
{
	struct learn_plan *plan = g_new0(struct learn_plan, 1);
	const char *name = classes->event_class ?
		bt_event_class_get_name(classes->event_class) : NULL;
	struct compiler compiler = {
		.table = table,
		.classes = classes,
		.event_name = name ? name : "",
		.more_ids = more_ids,
		.plan = plan,
	};
	int scope;

	compiler.ops = g_array_new(FALSE, FALSE, sizeof(struct learn_op));
	compiler.ids = g_array_new(FALSE, FALSE, sizeof(struct learn_id));
	apply_rows(&compiler);
	for (scope = 0; scope < LEARN_SCOPES; scope++)
		pair_members(&compiler, scope);
	for (scope = 0; scope < LEARN_SCOPES; scope++)
		find_ids(&compiler, scope);

	plan->is_agents = g_str_has_prefix(compiler.event_name, "commcache:");
	plan->procname = learn_ref_find(classes, "ctx:procname");
	plan->vpid = learn_ref_find(classes, "ctx:vpid");
	plan->vtid = learn_ref_find(classes, "ctx:vtid");
	plan->pid = learn_ref_find(classes, "ctx:pid");
	if (plan->pid.reader == LEARN_ABSENT)
		plan->pid = learn_ref_find(classes, "perf_pid");
	plan->pid_ns = learn_ref_find(classes, "ctx:pid_ns");
	plan->needs_virtual = needs_virtual(&compiler);
	plan->procname_exact = table->procname_exact &&
		plan->procname.reader != LEARN_ABSENT;
	plan->op_count = compiler.ops->len;
	plan->ops = (struct learn_op *) g_array_free(compiler.ops, FALSE);
	plan->id_count = compiler.ids->len;
	plan->ids = (struct learn_id *) g_array_free(compiler.ids, FALSE);
	return plan;
}

bool learn_plan_asks(const struct learn_plan *plan)
{
	size_t i;

	if (!plan->procname_exact || plan->runner_virtual ||
			plan->runner.reader == LEARN_ABSENT)
		return true;
	for (i = 0; i < plan->id_count; i++) {
		if (!plan->ids[i].is_named)
			return true;
	}
	return false;
}

void learn_plan_destroy(struct learn_plan *plan)
{
	if (!plan)
		return;
	g_free(plan->ops);
	g_free(plan->ids);
	g_free(plan);
}
