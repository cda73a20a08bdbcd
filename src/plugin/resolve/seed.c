/* SPDX-License-Identifier: MIT */
/*
 * The file of `names-from`: lines of TID NAME, the form of the kernel's
 * saved_cmdlines and of `ps -eLo tid=,comm=`. Those that follow a line [HOST] are
 * of that host.
 */
#include "resolve/seed.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

struct seed_line {
	int64_t tid;
	struct commcache_comm comm;
	/* Weak, owned by the seed. NULL: of the one host that there is. */
	const char *host;
};

struct naming_seed {
	/* struct seed_line, owned by this. */
	GArray *lines;
	/* What the lines [HOST] say, in order. Owned by this. */
	GPtrArray *hosts;
};

static const char *last_host(const struct naming_seed *seed)
{
	return seed->hosts->len > 0 ?
		seed->hosts->pdata[seed->hosts->len - 1] : NULL;
}

/* As parse_line(). */
static const char *parse_host(const char *text, size_t length,
		struct naming_seed *seed)
{
	if (length < 3 || text[length - 1] != ']')
		return "a line that begins with [ has to be [HOST]";
	if (seed->hosts->len == 0 && seed->lines->len > 0)
		return "there are names of no host before this one's";
	g_ptr_array_add(seed->hosts, g_strndup(text + 1, length - 2));
	return NULL;
}

/* Blank lines are fine; NULL if the line is too, else what is wrong. */
static const char *parse_line(const char *text, size_t length,
		struct naming_seed *seed)
{
	const char *end = text + length;
	struct seed_line line = { .host = last_host(seed) };

	if (length > 0 && *text == '[')
		return parse_host(text, length, seed);
	while (text < end && (*text == ' ' || *text == '\t'))
		text++;
	if (text == end)
		return NULL;
	if (*text < '0' || *text > '9')
		return "it does not begin with a thread id";
	while (text < end && *text >= '0' && *text <= '9' &&
			line.tid <= COMMCACHE_HISTORY_TID_MAX)
		line.tid = line.tid * 10 + *text++ - '0';
	if (line.tid > COMMCACHE_HISTORY_TID_MAX)
		return "its thread id is greater than any can be (4194304)";
	if (text == end || *text != ' ')
		return "there is no name after its thread id";
	/* One space: what follows is the name's own, `ps` pads on the left. */
	text++;
	if (text == end)
		return "there is no name after its thread id";
	/* An empty one, at best; a file of another kind as a rule. */
	if (memchr(text, '\0', end - text))
		return "it has a NUL in its name";
	memcpy(line.comm.str, text, MIN((size_t) (end - text),
		sizeof(line.comm.str) - 1));
	g_array_append_val(seed->lines, line);
	return NULL;
}

static enum status append_line_cause(bt_self_component *self_component,
		const char *path, unsigned long number, const char *what)
{
	char *shown = escape_text(path);

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(self_component,
		"Parameter `names-from`: `%s`, line %lu: %s; lines have to be "
		"TID NAME, as `ps -eLo tid=,comm=` prints them", shown, number,
		what);
	g_free(shown);
	return STATUS_ERROR;
}

static enum status append_file_cause(bt_self_component *self_component,
		const char *path)
{
	const char *reason = g_strerror(errno);
	char *shown = escape_text(path);

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(self_component,
		"Parameter `names-from`: cannot read `%s`: %s", shown,
		reason);
	g_free(shown);
	return STATUS_ERROR;
}

static enum status read_lines(bt_self_component *self_component,
		const char *path, FILE *file, struct naming_seed *seed)
{
	enum status status = STATUS_OK;
	unsigned long number = 0;
	const char *wrong;
	size_t size = 0;
	char *line = NULL;
	ssize_t length;

	errno = 0;
	while ((length = getline(&line, &size, file)) >= 0) {
		number++;
		if (length > 0 && line[length - 1] == '\n')
			length--;
		wrong = parse_line(line, length, seed);
		if (wrong) {
			status = append_line_cause(self_component, path,
				number, wrong);
			goto end;
		}
	}
	if (ferror(file))
		status = append_file_cause(self_component, path);
end:
	free(line);
	return status;
}

enum status naming_seed_load(bt_self_component *self_component,
		const char *path, struct naming_seed **seed)
{
	enum status status;
	FILE *file;

	file = fopen(path, "re");
	if (!file)
		return append_file_cause(self_component, path);
	*seed = g_new0(struct naming_seed, 1);
	(*seed)->lines = g_array_new(FALSE, FALSE, sizeof(struct seed_line));
	(*seed)->hosts = g_ptr_array_new_with_free_func(g_free);
	status = read_lines(self_component, path, file, *seed);
	if (status != STATUS_OK) {
		naming_seed_destroy(*seed);
		*seed = NULL;
	}
	fclose(file);
	return status;
}

void naming_seed_destroy(struct naming_seed *seed)
{
	if (!seed)
		return;
	g_array_free(seed->lines, TRUE);
	g_ptr_array_free(seed->hosts, TRUE);
	g_free(seed);
}

bool seed_tells_hosts(const struct naming_seed *seed)
{
	return seed->hosts->len > 0;
}

enum commcache_history_status seed_apply(const struct naming_seed *seed,
		const char *host, struct commcache_history_domain *root)
{
	guint i;

	for (i = 0; i < seed->lines->len; i++) {
		const struct seed_line *line =
			&g_array_index(seed->lines, struct seed_line, i);
		struct commcache_history_thread *thread;

		if (line->host && g_strcmp0(line->host, host) != 0)
			continue;
		thread = commcache_history_thread(root, line->tid, -1);
		/* There is none for 0: the idle threads name themselves. */
		if (thread && commcache_history_file(thread, &line->comm) ==
				COMMCACHE_HISTORY_NO_MEMORY)
			return COMMCACHE_HISTORY_NO_MEMORY;
	}
	return COMMCACHE_HISTORY_CHANGED;
}
