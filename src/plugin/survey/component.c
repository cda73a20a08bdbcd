/* SPDX-License-Identifier: MIT */
#include "survey/component.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "resolve/comm-text.h"
#include "survey/programs.h"
#include "survey/traces.h"
#include "threads/params.h"
#include "threads/rows.h"
#include "threads/sink.h"

/* Messages between two looks at the time. */
#define MESSAGES_A_LOOK	4096

struct params {
	/* All that the threads' table has: which of them count. First. */
	struct threads_params threads;
	/* Read once, for programs alone. */
	bool only_programs;
	/* Read no longer than that; 0: to the end. */
	int64_t seconds;
};

struct component {
	/* Weak: owns this. */
	bt_self_component *self;
	struct params params;
	/* Owned by this, all three. */
	struct sink *sink;
	struct programs *programs;
	struct traces *traces;
	uint64_t messages;
	/* Microseconds; 0: not begun. */
	int64_t begin;
	/* Not all was read. */
	bool is_cut;
};

static bool is_late(struct component *component)
{
	const int64_t now = g_get_monotonic_time();

	if (component->begin == 0)
		component->begin = now;
	return now - component->begin >
		component->params.seconds * G_USEC_PER_SEC;
}

static bool take_message(void *owner, const bt_message *message)
{
	struct component *component = owner;

	programs_message(component->programs, message);
	traces_message(component->traces, message);
	if (component->params.seconds > 0 &&
			component->messages++ % MESSAGES_A_LOOK == 0)
		component->is_cut = is_late(component);
	return !component->is_cut;
}

/* Threads of programs, not those that idle; their names; who has none. */
static void print_threads(const struct component *component,
		struct threads *threads)
{
	unsigned int count = 0, names = 0, nameless = 0;
	struct rows rows;
	guint i, j;

	rows_init(&rows, threads, &component->params.threads);
	for (i = 0; i < rows.threads->len; i++) {
		const struct threads_row *thread = &g_array_index(rows.threads,
			struct threads_row, i);
		unsigned int known = 0;

		if (thread->cpu >= 0 || thread->tid < 0)
			continue;
		for (j = 0; j < thread->name_count; j++)
			known += g_array_index(rows.names, struct threads_row,
				thread->first_name + j).name.source !=
				COMMCACHE_HISTORY_UNKNOWN;
		count++;
		names += known;
		nameless += known == 0;
	}
	rows_finish(&rows);
	printf("threads %u\nnames %u\nnameless %u\n", count, names, nameless);
}

/* A stranger's text: what is no graphic character becomes `?`. */
static void print_text(const char *text)
{
	for (; text && *text; text++)
		putchar(g_ascii_isprint(*text) ? *text : '?');
}

static void print_event(const char *name)
{
	fputs("fired ", stdout);
	print_text(name);
	putchar('\n');
}

static void print_program(const struct program *program)
{
	char comm[COMM_TEXT_SIZE];

	(void) comm_text_escape(&program->comm, comm);
	printf("program\t%" PRId64 "\t%" PRIu64 "\t%s\t%s\t%s\t%" PRId64
		"\t%s\t", program->vpid, program->events,
		program->has_names ? "names" : "nameless",
		program->has_begin ? "begun" : "running",
		!program->tells_libraries ? "unknown" :
		program->has_agent ? "agent" : "no-agent",
		program->bits, comm);
	print_text(program->path);
	putchar('\n');
}

static enum input_status print(void *owner, struct threads *threads)
{
	struct component *component = owner;
	const GPtrArray *programs = programs_all(component->programs);
	guint i;

	errno = 0;
	printf("events %" PRIu64 "\ndiscarded %" PRIu64 "\nlossy %s\ncut %s\n",
		programs_events(component->programs),
		programs_discarded(component->programs),
		programs_is_lossy(component->programs) ? "yes" : "no",
		component->is_cut ? "yes" : "no");
	if (threads)
		print_threads(component, threads);
	for (i = 0; i < programs->len; i++)
		print_program(programs->pdata[i]);
	programs_for_each_event(component->programs, print_event);
	traces_print(component->traces);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return INPUT_STATUS_OK;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component->self,
		"Cannot write to the standard output: %s", g_strerror(errno));
	return INPUT_STATUS_ERROR;
}

static const struct sink_ops full_ops = {
	.message = take_message,
	.print = print,
};

static const struct sink_ops programs_ops = {
	.only_looks = true,
	.message = take_message,
	.print = print,
};

static struct params *params_of(const struct param_reader *reader)
{
	return reader->params;
}

static param_status read_only(struct param_reader *reader,
		const bt_value *value)
{
	static const char *const words[] = { "all", "programs", NULL };
	int word = 0;
	const param_status status = param_read_word(reader, value, words,
		&word);

	params_of(reader)->only_programs = word == 1;
	return status;
}

static param_status read_seconds(struct param_reader *reader,
		const bt_value *value)
{
	if (!bt_value_is_signed_integer(value))
		return param_wrong_type(reader, "an integer", value);
	params_of(reader)->seconds = bt_value_integer_signed_get(value);
	return PARAM_OK;
}

static param_status init_params(struct component *component,
		const bt_value *values)
{
	static const struct param known[] = {
		{ "facts", read_only },
		{ "progress", threads_params_read_progress },
		{ "seconds", read_seconds },
	};
	struct param_reader reader = {
		.self_component = component->self,
		.params = &component->params,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	param_status status;

	threads_params_set_defaults(&component->params.threads);
	status = param_read_all(&reader, values);
	if (status != PARAM_OK)
		threads_params_finish(&component->params.threads);
	return status;
}

bt_component_class_initialize_method_status survey_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data)
{
	struct component *component = g_new0(struct component, 1);
	bt_component_class_initialize_method_status status;

	(void) configuration;
	(void) data;
	component->self = bt_self_component_sink_as_self_component(self);
	status = init_params(component, params);
	if (status != PARAM_OK)
		goto error;
	status = sink_create(self, &component->params.threads.naming,
		component->params.only_programs ? &programs_ops : &full_ops,
		component, component->params.threads.progress,
		&component->sink);
	if (status != PARAM_OK) {
		threads_params_finish(&component->params.threads);
		goto error;
	}
	component->programs = programs_create();
	component->traces = traces_create();
	bt_self_component_set_data(component->self, component);
	return status;

error:
	g_free(component);
	return status;
}

static struct component *component_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));
}

void survey_component_finalize(bt_self_component_sink *self)
{
	struct component *component = component_of(self);

	sink_destroy(component->sink);
	programs_destroy(component->programs);
	traces_destroy(component->traces);
	threads_params_finish(&component->params.threads);
	g_free(component);
}

bt_component_class_sink_graph_is_configured_method_status
survey_component_graph_is_configured(bt_self_component_sink *self)
{
	return sink_graph_is_configured(component_of(self)->sink);
}

bt_component_class_sink_consume_method_status survey_component_consume(
		bt_self_component_sink *self)
{
	return sink_consume(component_of(self)->sink);
}
