/* SPDX-License-Identifier: MIT */
#include "timeline/out-file.h"

#include <errno.h>
#include <glib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_special(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* mkstemp() makes files that no other user can read. */
static void share(int fd)
{
	const mode_t mask = umask(0);

	umask(mask);
	(void) fchmod(fd, 0666 & ~mask);
}

static bool open_temporary(struct out_file *out)
{
	int fd;

	out->temporary = g_strconcat(out->path, ".XXXXXX", NULL);
	fd = g_mkstemp(out->temporary);
	if (fd < 0)
		return false;
	share(fd);
	out->file = fdopen(fd, "w");
	return out->file != NULL;
}

bool out_file_open(struct out_file *out, const char *path)
{
	bool good;

	*out = (struct out_file) { .path = path };
	if (!path)
		out->file = stdout;
	else if (is_special(path))
		out->file = fopen(path, "w");
	else if (!open_temporary(out))
		out->file = NULL;
	good = out->file != NULL;
	if (!good) {
		g_free(out->temporary);
		out->temporary = NULL;
	}
	return good;
}

/* On the disk before it replaces what was there. */
static bool flush(const struct out_file *out)
{
	if (fflush(out->file) != 0 || ferror(out->file))
		return false;
	return !out->temporary || fsync(fileno(out->file)) == 0;
}

bool out_file_finish(struct out_file *out)
{
	bool good = flush(out);
	int error = errno;

	if (out->path && fclose(out->file) != 0 && good) {
		good = false;
		error = errno;
	}
	if (out->temporary && good &&
			rename(out->temporary, out->path) != 0) {
		good = false;
		error = errno;
	}
	if (out->temporary && !good)
		(void) unlink(out->temporary);
	g_free(out->temporary);
	errno = error;
	return good;
}
