/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

struct replay_reader {
	struct replay *replay;
	size_t names;
	size_t allocated;
	/* What runs on each CPU; -1: not known. */
	pid_t current[REPLAY_CPUS_MAX];
};

static bool add_name(struct replay_reader *reader, const char *name)
{
	if (reader->names == REPLAY_NAMES_MAX)
		return false;
	commcache_comm_from_string(&reader->replay->names[reader->names++],
			name);
	return true;
}

static struct replay_switch *next_switch(struct replay_reader *reader)
{
	struct replay *replay = reader->replay;
	struct replay_switch *switches;

	if (replay->length == reader->allocated) {
		reader->allocated = 2 * reader->allocated + 1024;
		switches = realloc(replay->switches,
				reader->allocated * sizeof(*switches));
		if (!switches)
			return NULL;
		replay->switches = switches;
	}
	return &replay->switches[replay->length++];
}

static bool add_switch(struct replay_reader *reader, const char *line)
{
	unsigned int cpu, prev_name, next_name;
	struct replay_switch *record;
	int next_tid, prev_tid, fields;

	fields = sscanf(line, "%u %u %d %u %d", &cpu, &prev_name, &next_tid,
			&next_name, &prev_tid);
	if (fields < 4 || cpu >= REPLAY_CPUS_MAX ||
			prev_name >= reader->names ||
			next_name >= reader->names)
		return false;
	if (fields == 4)
		prev_tid = reader->current[cpu];
	if (prev_tid < 0 || next_tid < 0)
		return false;
	record = next_switch(reader);
	if (!record)
		return false;
	record->prev_tid = prev_tid;
	record->next_tid = next_tid;
	record->prev_comm = &reader->replay->names[prev_name];
	record->next_comm = &reader->replay->names[next_name];
	reader->current[cpu] = next_tid;
	return true;
}

static bool read_line(struct replay_reader *reader, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (line[0] == '#')
		return true;
	if (!strncmp(line, "n ", 2))
		return add_name(reader, line + 2);
	return add_switch(reader, line);
}

struct replay *replay_load(const char *path)
{
	struct replay_reader reader = { .names = 0 };
	char line[256];
	size_t number = 0;
	FILE *file;

	memset(reader.current, 0xff, sizeof(reader.current));
	file = fopen(path, "r");
	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		goto end;
	}
	reader.replay = calloc(1, sizeof(*reader.replay));
	if (!reader.replay)
		goto end_close;
	reader.replay->names = calloc(REPLAY_NAMES_MAX,
			sizeof(*reader.replay->names));
	if (!reader.replay->names)
		goto error;
	while (fgets(line, sizeof(line), file)) {
		number++;
		if (!read_line(&reader, line)) {
			fprintf(stderr, "%s:%zu: not a line of a replay\n",
					path, number);
			goto error;
		}
	}
	goto end_close;

error:
	replay_destroy(reader.replay);
	reader.replay = NULL;
end_close:
	fclose(file);
end:
	return reader.replay;
}

void replay_destroy(struct replay *replay)
{
	if (!replay)
		return;
	free(replay->switches);
	free(replay->names);
	free(replay);
}
