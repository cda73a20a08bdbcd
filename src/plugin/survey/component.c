/* SPDX-License-Identifier: MIT */
#include "survey/component.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "escape.h"
#include "resolve/comm-text.h"
#include "survey/programs.h"
#include "survey/traces.h"
#include "threads/params.h"
#include "threads/rows.h"
#include "threads/sink.h"

/* Messages between two looks at the time. */
#define MESSAGES_A_LOOK	4096

enum facts {
	FACTS_ALL,
	/* Read once, for programs alone. */
	FACTS_PROGRAMS,
};

struct params {
	/* All that the threads' table has: which of them count. */
	struct threads_params threads;
	enum facts facts;
	/* Read no longer than that; 0: to the end. */
	int64_t seconds;
};

struct survey {
	struct sink sink;
	struct params params;
	/* Owned by this, both. */
	struct programs *programs;
	struct traces *traces;
	uint64_t messages;
	/* Microseconds; 0: not begun. */
	int64_t begin;
	/* Not all was read. */
	bool is_cut;
};

static bool is_late(struct survey *survey)
{
	const int64_t now = g_get_monotonic_time();

	if (survey->begin == 0)
		survey->begin = now;
	return now - survey->begin >
		survey->params.seconds * G_USEC_PER_SEC;
}

static bool take_message(struct sink *sink, const bt_message *message)
{
	struct survey *survey = (struct survey *) sink;

	programs_message(survey->programs, message);
	traces_message(survey->traces, message);
	if (survey->params.seconds > 0 &&
			survey->messages++ % MESSAGES_A_LOOK == 0)
		survey->is_cut = is_late(survey);
	return !survey->is_cut;
}

/* Threads of programs, not those that idle; their names; who has none. */
static void print_threads(const struct survey *survey)
{
	unsigned int count = 0, names = 0, nameless = 0;
	struct rows rows;
	guint i, j;

	rows_init(&rows, survey->sink.threads, &survey->params.threads);
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

static void print_event(const char *name)
{
	fputs("fired ", stdout);
	escape_print(name);
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
	if (program->path)
		escape_print(program->path);
	putchar('\n');
}

static enum status print(struct sink *sink)
{
	struct survey *survey = (struct survey *) sink;
	const GPtrArray *programs = programs_all(survey->programs);
	guint i;

	errno = 0;
	printf("events %" PRIu64 "\ndiscarded %" PRIu64 "\nlossy %s\ncut %s\n",
		programs_events(survey->programs),
		programs_discarded(survey->programs),
		programs_is_lossy(survey->programs) ? "yes" : "no",
		survey->is_cut ? "yes" : "no");
	if (sink->threads)
		print_threads(survey);
	for (i = 0; i < programs->len; i++)
		print_program(programs->pdata[i]);
	programs_for_each_event(survey->programs, print_event);
	traces_print(survey->traces);
	return sink_end_output(sink);
}

static const char *const facts[] = {
	[FACTS_ALL] = "all",
	[FACTS_PROGRAMS] = "programs",
	NULL
};

#define PLACE(member)	.place = offsetof(struct params, member)

static enum status read_params(struct survey *survey, const bt_value *values)
{
	static const struct param known[] = {
		{ "facts", PARAM_WORD, PLACE(facts), facts },
		{ "progress", PARAM_BOOL, PLACE(threads.progress) },
		{ "seconds", PARAM_INTEGER, PLACE(seconds) },
	};
	struct param_reader reader = {
		.self_component = survey->sink.self_component,
		.params = &survey->params,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	enum status status;

	threads_params_set_defaults(&survey->params.threads);
	status = param_read_all(&reader, values);
	if (status != STATUS_OK)
		threads_params_finish(&survey->params.threads);
	return status;
}

static enum status init(struct sink *sink, const bt_value *params)
{
	struct survey *survey = (struct survey *) sink;
	const enum status status = read_params(survey, params);

	if (status != STATUS_OK)
		return status;
	sink->params = &survey->params.threads;
	sink->only_looks = survey->params.facts == FACTS_PROGRAMS;
	survey->programs = programs_create();
	survey->traces = traces_create();
	return STATUS_OK;
}

static void finish(struct sink *sink)
{
	struct survey *survey = (struct survey *) sink;

	programs_destroy(survey->programs);
	traces_destroy(survey->traces);
	threads_params_finish(&survey->params.threads);
}

bt_component_class_initialize_method_status survey_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration
			__attribute__((unused)),
		const bt_value *params, void *data __attribute__((unused)))
{
	static const struct sink_class class = {
		.size = sizeof(struct survey),
		.init = init,
		.finish = finish,
		.message = take_message,
		.print = print,
	};

	return sink_init(&class, self, params);
}
