/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_SURVEY_PROGRAMS_H
#define COMMCACHE_PLUGIN_SURVEY_PROGRAMS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include <commcache/cache.h>

/*
 * The programs that LTTng-UST's events come from, and whether the agent spoke in
 * each. A process that runs another program (exec) is two of them: LTTng-UST
 * tells `lttng_ust_statedump:procname` when it starts in the new one.
 */
struct programs;

struct program {
	/* As the process sees itself; -1: no event tells it. */
	int64_t vpid;
	/* 0: not told. */
	int64_t pid_ns;
	/* Empty: not told. */
	struct commcache_comm comm;
	/* The program's file. Owned by this; NULL: not told. */
	char *path;
	/* Of the program's own: neither the agent's nor LTTng-UST's. */
	uint64_t events;
	/* LTTng-UST told that it starts, or a session. */
	bool has_begin;
	/* The agent spoke. */
	bool has_names;
	/* LTTng-UST told which libraries are there; the agent is one of them. */
	bool tells_libraries;
	bool has_agent;
	/* Of an address, by the trace; 0: not told. */
	int64_t bits;
};

struct programs *programs_create(void);
void programs_destroy(struct programs *programs);

/* Any message, in the order of the input. */
void programs_message(struct programs *programs, const bt_message *message);

/* Tells of each event class of programs that had events, in no order. */
void programs_for_each_event(const struct programs *programs,
		void (*tell)(const char *name));

/* struct program *, in the order in which they were first seen. */
const GPtrArray *programs_all(const struct programs *programs);

/* All events, of all tracers; and those that were discarded, as far as counted. */
uint64_t programs_events(const struct programs *programs);
uint64_t programs_discarded(const struct programs *programs);

/* Whether something was discarded, counted or not. */
bool programs_is_lossy(const struct programs *programs);

#endif /* COMMCACHE_PLUGIN_SURVEY_PROGRAMS_H */
