/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"

bool agent_debugging;

static const char *const count_texts[AGENT_NR_COUNTS] = {
#define COUNT_TEXT(count, text)	[AGENT_##count] = text,
	AGENT_COUNTS(COUNT_TEXT)
#undef COUNT_TEXT
};

void agent_debug_start(void)
{
	const char *value = getenv("COMMCACHE_DEBUG");

	agent_debugging = value && !strcmp(value, "1");
}

void agent_debug(const char *format, ...)
{
	int saved_errno = errno;
	char line[256];
	va_list args;
	size_t length, room = sizeof(line) - 1;
	int added;

	if (!agent_debugging)
		return;
	length = (size_t) snprintf(line, room, "commcache[%d]: ",
			(int) getpid());
	va_start(args, format);
	added = vsnprintf(line + length, room - length, format, args);
	va_end(args);
	if (added > 0)
		length += (size_t) added < room - length ?
				(size_t) added : room - length - 1;
	line[length++] = '\n';
	/* One write, so that lines of several processes do not mix. */
	if (write(STDERR_FILENO, line, length) < 0)
		agent_debugging = false;
	errno = saved_errno;
}

void agent_debug_counts(const uint64_t counts[AGENT_NR_COUNTS])
{
	int count;

	for (count = 0; count < AGENT_NR_COUNTS; count++)
		agent_debug("%" PRIu64 " %s", counts[count],
				count_texts[count]);
}
