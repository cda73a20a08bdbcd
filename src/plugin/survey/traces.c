/* SPDX-License-Identifier: MIT */
#include "survey/traces.h"

#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "escape.h"

struct traces {
	/* bt_trace, of which a reference is held. Owned by this. */
	GPtrArray *all;
};

static void put_trace(void *data)
{
	bt_trace_put_ref(data);
}

struct traces *traces_create(void)
{
	struct traces *traces = g_new0(struct traces, 1);

	traces->all = g_ptr_array_new_with_free_func(put_trace);
	return traces;
}

void traces_destroy(struct traces *traces)
{
	if (!traces)
		return;
	g_ptr_array_free(traces->all, TRUE);
	g_free(traces);
}

void traces_message(struct traces *traces, const bt_message *message)
{
	const bt_trace *trace;

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_STREAM_BEGINNING)
		return;
	trace = bt_stream_borrow_trace_const(
		bt_message_stream_beginning_borrow_stream_const(message));
	if (g_ptr_array_find(traces->all, trace, NULL))
		return;
	bt_trace_get_ref(trace);
	g_ptr_array_add(traces->all, (gpointer) trace);
}

/* False: there is no such entry. */
static bool print_entry(const bt_trace *trace, const char *name)
{
	const bt_value *value =
		bt_trace_borrow_environment_entry_value_by_name_const(trace,
			name);

	if (!value)
		return false;
	if (bt_value_is_string(value))
		escape_print(bt_value_string_get(value));
	else
		printf("%" PRId64, bt_value_integer_signed_get(value));
	return true;
}

static void print_tracer(const bt_trace *trace)
{
	static const char *const parts[] = {
		"tracer_major", "tracer_minor", "tracer_patchlevel"
	};
	size_t i;

	fputs("tracer ", stdout);
	if (!print_entry(trace, "tracer_name"))
		fputs("unknown tracer", stdout);
	for (i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (!bt_trace_borrow_environment_entry_value_by_name_const(
				trace, parts[i]))
			break;
		putchar(i == 0 ? ' ' : '.');
		(void) print_entry(trace, parts[i]);
	}
	putchar('\n');
}

static void print_environment(const bt_trace *trace)
{
	fputs("trace\ndomain ", stdout);
	if (!print_entry(trace, "domain"))
		fputs("unknown", stdout);
	putchar('\n');
	print_tracer(trace);
	fputs("host ", stdout);
	if (!print_entry(trace, "hostname"))
		(void) print_entry(trace, "host");
	fputs("\nsession ", stdout);
	(void) print_entry(trace, "trace_name");
	putchar('\n');
}

static void print_members(const bt_field_class *structure)
{
	uint64_t i;

	if (!structure)
		return;
	for (i = 0; i < bt_field_class_structure_get_member_count(structure);
			i++) {
		fputs("context ", stdout);
		escape_print(bt_field_class_structure_member_get_name(
			bt_field_class_structure_borrow_member_by_index_const(
				structure, i)));
		putchar('\n');
	}
}

static void print_lacking(const bt_field_class *structure)
{
	static const char *const wanted[] = { "tid", "vtid", "procname" };
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(wanted); i++) {
		if (!structure ||
				!bt_field_class_structure_borrow_member_by_name_const(
					structure, wanted[i]))
			printf("without %s\n", wanted[i]);
	}
}

static void print_event_class(const bt_event_class *event_class)
{
	const char *name = bt_event_class_get_name(event_class);

	print_members(bt_event_class_borrow_specific_context_field_class_const(
		event_class));
	fputs("event ", stdout);
	escape_print(name ? name : "");
	putchar('\n');
}

static void print_stream_class(const bt_stream_class *stream_class)
{
	const bt_field_class *context =
		bt_stream_class_borrow_event_common_context_field_class_const(
			stream_class);
	uint64_t i;

	print_members(context);
	print_lacking(context);
	for (i = 0; i < bt_stream_class_get_event_class_count(stream_class);
			i++)
		print_event_class(
			bt_stream_class_borrow_event_class_by_index_const(
				stream_class, i));
}

void traces_print(const struct traces *traces)
{
	guint i;
	uint64_t j;

	for (i = 0; i < traces->all->len; i++) {
		const bt_trace *trace = traces->all->pdata[i];
		const bt_trace_class *trace_class =
			bt_trace_borrow_class_const(trace);

		print_environment(trace);
		for (j = 0; j < bt_trace_class_get_stream_class_count(
				trace_class); j++)
			print_stream_class(
				bt_trace_class_borrow_stream_class_by_index_const(
					trace_class, j));
	}
}
