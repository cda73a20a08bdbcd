/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Who waits for less does not wonder. */
#define QUIET_MS	1000
#define STEP_MS		100

static int64_t now_ms(void)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_init(struct progress *progress, bool is_wanted)
{
	memset(progress, 0, sizeof(*progress));
	progress->is_wanted = is_wanted && isatty(STDERR_FILENO);
	progress->begin = now_ms();
}

void progress_begin(struct progress *progress, const char *what)
{
	progress->total = progress->messages;
	progress->messages = 0;
	progress->what = what;
}

static void write_line(struct progress *progress)
{
	char text[64];
	int width;

	if (progress->total > 0)
		width = snprintf(text, sizeof(text), "%s: %u %%",
			progress->what, (unsigned int) (progress->messages >=
				progress->total ? 100 :
				progress->messages * 100 / progress->total));
	else
		width = snprintf(text, sizeof(text),
			"%s: %" PRIu64 " messages", progress->what,
			progress->messages);
	/* What a longer line left is overwritten. */
	fprintf(stderr, "\r%-*s", progress->width, text);
	fflush(stderr);
	if (width > progress->width)
		progress->width = width;
}

void progress_show(struct progress *progress)
{
	const int64_t now = now_ms();

	if (now - progress->begin < QUIET_MS ||
			now - progress->shown < STEP_MS)
		return;
	progress->shown = now;
	write_line(progress);
}

void progress_erase(struct progress *progress)
{
	if (progress->width == 0)
		return;
	fprintf(stderr, "\r%*s\r", progress->width, "");
	fflush(stderr);
	progress->width = 0;
}
