/* SPDX-License-Identifier: MIT */
#include "out-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a temporary name, where others have the same. */
#define NAME_TRIES	100

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

/* By which a file without a name can be given one. */
static char *descriptor_path(int fd)
{
	return g_strdup_printf("/proc/self/fd/%d", fd);
}

/*
 * Nothing is left of it if we are killed. -1: not on this file system, or it
 * could not be given a name.
 */
static int open_nameless(const char *path)
{
	char *folder = g_path_get_dirname(path), *itself;
	int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

	g_free(folder);
	if (fd < 0)
		return -1;
	itself = descriptor_path(fd);
	if (access(itself, F_OK) != 0) {
		close(fd);
		fd = -1;
	}
	g_free(itself);
	return fd;
}

static int open_named(char *template)
{
	int fd = g_mkstemp(template);

	if (fd >= 0)
		share(fd);
	return fd;
}

static bool open_temporary(struct out_file *out)
{
	int fd = open_nameless(out->path);

	out->temporary = g_strconcat(out->path, ".XXXXXX", NULL);
	out->is_nameless = fd >= 0;
	if (fd < 0)
		fd = open_named(out->temporary);
	if (fd < 0)
		return false;
	out->file = fdopen(fd, "w");
	return out->file != NULL;
}

/* No link replaces a file; a rename does. */
static bool give_name(struct out_file *out)
{
	char *itself = descriptor_path(fileno(out->file));
	char *end = out->temporary + strlen(out->temporary) - 6;
	int ret = -1, tries;

	for (tries = 0; tries < NAME_TRIES; tries++) {
		(void) snprintf(end, 7, "%06x", g_random_int() & 0xffffff);
		ret = linkat(AT_FDCWD, itself, AT_FDCWD, out->temporary,
			AT_SYMLINK_FOLLOW);
		if (ret == 0 || errno != EEXIST)
			break;
	}
	g_free(itself);
	out->is_nameless = ret != 0;
	return ret == 0;
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
	bool good = flush(out) && (!out->is_nameless || give_name(out));
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
	if (out->temporary && !good && !out->is_nameless)
		(void) unlink(out->temporary);
	g_free(out->temporary);
	errno = error;
	return good;
}

void out_file_drop(struct out_file *out)
{
	const int error = errno;

	if (out->path)
		(void) fclose(out->file);
	if (out->temporary && !out->is_nameless)
		(void) unlink(out->temporary);
	g_free(out->temporary);
	errno = error;
}
