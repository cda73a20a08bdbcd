/* SPDX-License-Identifier: MIT */
#include "pair.h"

#include <glib.h>
#include <string.h>

#include "learn/member.h"
#include "learn/table.h"

/* What any tracer's context can be taken to mean. */
static const struct learn_row rows[] = {
	{ "*", LEARN_RUNS, .member = {
		[LEARN_TID] = "ctx:tid" } },
	{ "*", LEARN_RUNS, .member = {
		[LEARN_VTID] = "ctx:vtid" } },
	{ "*sched_switch", LEARN_RUNS, .member = {
		[LEARN_TID] = "prev_tid" } },
	{ "*sched_switch", LEARN_RUNS, .member = {
		[LEARN_TID] = "prev_pid" } },
	/* Where a packet does not tell its CPU. */
	{ "*", LEARN_ON_CPU, .member = {
		[LEARN_CPU] = "cpu_id" } },
	{ "*", LEARN_ON_CPU, .member = {
		[LEARN_CPU] = "ctx:cpu_id" } },
	{ "*sched_switch", LEARN_SWITCH, .member = {
		[LEARN_TID] = "prev_tid", [LEARN_COMM] = "prev_comm",
		[LEARN_NEXT_TID] = "next_tid",
		[LEARN_NEXT_COMM] = "next_comm",
		[LEARN_STATE] = "?prev_state" } },
	{ "*sched_switch", LEARN_SWITCH, .without = "prev_tid", .member = {
		[LEARN_TID] = "prev_pid", [LEARN_COMM] = "prev_comm",
		[LEARN_NEXT_TID] = "next_pid",
		[LEARN_NEXT_COMM] = "next_comm",
		[LEARN_STATE] = "?prev_state" } },
	{ "*", LEARN_IS, LEARN_WEAK, .member = {
		[LEARN_COMM] = "ctx:procname" } },
};

static bool knows(const struct learn_tracer *tracer)
{
	(void) tracer;
	return true;
}

const struct learn_table learn_any = {
	.name = "any tracer",
	.knows = knows,
	.rows = rows,
	.row_count = sizeof(rows) / sizeof(rows[0]),
};

static const bt_field_class *member_class(
		const bt_field_class_structure_member *member)
{
	return bt_field_class_structure_member_borrow_field_class_const(member);
}

/* A thread's id before a process's: beside X_tid, X_pid is the process. */
static const char *const id_names[] = { "tid", "pid" };

bool learn_pair_find(const bt_field_class *structure, uint64_t comm_index,
		uint64_t *id_index)
{
	static const char suffix[] = "comm";
	const bt_field_class_structure_member *comm =
		bt_field_class_structure_borrow_member_by_index_const(structure,
			comm_index);
	const char *name = bt_field_class_structure_member_get_name(comm);
	const uint64_t count =
		bt_field_class_structure_get_member_count(structure);
	size_t prefix, i;
	uint64_t m;

	if (!g_str_has_suffix(name, suffix) ||
			!learn_class_holds_comm(member_class(comm)))
		return false;
	prefix = strlen(name) - strlen(suffix);
	if (prefix > 0 && name[prefix - 1] != '_')
		return false;

	for (i = 0; i < G_N_ELEMENTS(id_names); i++) {
		for (m = 0; m < count; m++) {
			const bt_field_class_structure_member *id =
				bt_field_class_structure_borrow_member_by_index_const(
					structure, m);
			const char *id_name =
				bt_field_class_structure_member_get_name(id);

			if (strncmp(id_name, name, prefix) != 0 ||
					strcmp(id_name + prefix, id_names[i]))
				continue;
			if (!learn_class_holds_id(member_class(id)))
				continue;
			*id_index = m;
			return true;
		}
	}
	return false;
}

bool learn_name_is_id(const char *name)
{
	static const char *const names[] = {
		"tid", "pid", "ppid", "ptid", "tgid",
		"vtid", "vpid", "vppid", "upid",
	};
	static const char *const suffixes[] = {
		"_tid", "_pid", "_ppid", "_ptid", "_tgid",
		"_vtid", "_vpid", "_vppid",
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	for (i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		if (g_str_has_suffix(name, suffixes[i]))
			return true;
	}
	return false;
}
