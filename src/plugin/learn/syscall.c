/* SPDX-License-Identifier: MIT */
#include "learn/syscall.h"

#include <glib.h>
#include <string.h>

#include "learn/boot.h"
#include "learn/kept-table.h"
#include "learn/table.h"

/* include/uapi/linux/prctl.h */
#define OPTION_SET_NAME	15

/* O_ACCMODE of include/uapi/asm-generic/fcntl.h; 0 is reading only. */
#define FLAGS_ACCESS	3

enum pending_kind {
	PENDING_PRCTL,
	PENDING_EXEC,
	PENDING_OPEN,
	PENDING_WRITE,
	PENDING_DUP,
	/* Of prctl, that renames nothing. */
	PENDING_OTHER,
};

/* Whose comm a file is. */
struct target {
	int64_t tid;
	bool is_root;
};

/* A call that was entered and not left. */
struct pending {
	enum pending_kind kind;
	struct commcache_moment since;
	/* PENDING_OPEN, PENDING_DUP */
	int64_t pid;
	/* PENDING_OPEN, PENDING_WRITE, PENDING_DUP */
	struct target target;
	/* PENDING_EXEC */
	struct commcache_comm comm;
};

struct learn_syscalls {
	/* tid -> struct pending. Owned by this. */
	GHashTable *pending;
	/* Process and descriptor -> struct target. Owned by this. */
	GHashTable *files;
};

struct learn_syscalls *learn_syscalls_create(void)
{
	struct learn_syscalls *syscalls = g_new0(struct learn_syscalls, 1);

	syscalls->pending = g_hash_table_new_full(g_direct_hash, g_direct_equal,
		NULL, g_free);
	syscalls->files = g_hash_table_new_full(g_int64_hash, g_int64_equal,
		g_free, g_free);
	return syscalls;
}

void learn_syscalls_destroy(struct learn_syscalls *syscalls)
{
	if (!syscalls)
		return;
	g_hash_table_destroy(syscalls->pending);
	g_hash_table_destroy(syscalls->files);
	g_free(syscalls);
}

/* A call that was entered before and not left: its exit was lost. */
static struct pending *enter(struct learn_syscalls *syscalls, int64_t tid,
		enum pending_kind kind, struct commcache_moment moment)
{
	struct pending *pending = g_new0(struct pending, 1);

	pending->kind = kind;
	pending->since = moment;
	g_hash_table_insert(syscalls->pending, GINT_TO_POINTER(tid), pending);
	return pending;
}

static int64_t file_key(int64_t pid, int64_t fd)
{
	return pid << 32 | (uint32_t) fd;
}

static gboolean file_is_gone(gpointer key, gpointer target, gpointer boot)
{
	(void) target;
	return learn_boot_has_forgotten(boot, *(const int64_t *) key >> 32);
}

void learn_syscalls_forget(struct learn_syscalls *syscalls,
		struct learn_boot *boot)
{
	learn_boot_forget_tids(boot, syscalls->pending);
	(void) g_hash_table_foreach_remove(syscalls->files, file_is_gone, boot);
}

bool learn_syscalls_have_files(const struct learn_syscalls *syscalls)
{
	return g_hash_table_size(syscalls->files) > 0;
}

static const struct target *find_file(struct learn_syscalls *syscalls,
		int64_t pid, int64_t fd)
{
	const int64_t key = file_key(pid, fd);

	return g_hash_table_lookup(syscalls->files, &key);
}

static void set_file(struct learn_syscalls *syscalls, int64_t pid, int64_t fd,
		const struct target *target)
{
	int64_t *key = g_new(int64_t, 1);
	struct target *copy = g_new(struct target, 1);

	*key = file_key(pid, fd);
	*copy = *target;
	g_hash_table_insert(syscalls->files, key, copy);
}

void learn_syscalls_close(struct learn_syscalls *syscalls, int64_t pid,
		int64_t fd)
{
	const int64_t key = file_key(pid, fd);

	g_hash_table_remove(syscalls->files, &key);
}

void learn_syscalls_prctl(struct learn_syscalls *syscalls, int64_t tid,
		struct commcache_moment moment, int64_t option)
{
	enter(syscalls, tid, option == OPTION_SET_NAME ? PENDING_PRCTL :
		PENDING_OTHER, moment);
}

bool learn_exec_comm(const char *path, size_t length,
		struct commcache_comm *comm)
{
	static const char by_descriptor[] = "/dev/fd/";
	const char *slash;

	/*
	 * execveat() of a descriptor: since Linux 6.14 the name is the file's,
	 * before that the number (begin_new_exec() in fs/exec.c).
	 */
	if (length > strlen(by_descriptor) &&
			memcmp(path, by_descriptor, strlen(by_descriptor)) == 0)
		return false;
	slash = memrchr(path, '/', length);
	if (slash) {
		length -= slash + 1 - path;
		path = slash + 1;
	}
	if (length == 0)
		return false;
	comm->half[0] = 0;
	comm->half[1] = 0;
	memcpy(comm->str, path, MIN(length, COMMCACHE_COMM_LEN - 1));
	return true;
}

void learn_syscalls_exec(struct learn_syscalls *syscalls, int64_t tid,
		struct commcache_moment moment, const char *path, size_t length)
{
	struct pending *pending = enter(syscalls, tid, PENDING_EXEC, moment);

	/* An empty comm is none: no program's name is empty. */
	if (!path || !learn_exec_comm(path, length, &pending->comm))
		memset(&pending->comm, 0, sizeof(pending->comm));
}

/* The number in `text`, up to the next '/'; -1 if there is none. */
static int64_t parse_number(const char **text, const char *end)
{
	int64_t number = 0;
	const char *p = *text;

	while (p < end && *p >= '0' && *p <= '9' && number < INT32_MAX)
		number = number * 10 + *p++ - '0';
	if (p == *text || p == end || *p != '/')
		return -1;
	*text = p + 1;
	return number;
}

static bool skip(const char **text, const char *end, const char *prefix)
{
	const size_t length = strlen(prefix);

	if ((size_t) (end - *text) < length ||
			memcmp(*text, prefix, length) != 0)
		return false;
	*text += length;
	return true;
}

static bool is_comm(const char *text, const char *end)
{
	return end - text == 4 && memcmp(text, "comm", 4) == 0;
}

/*
 * /proc/{PID,self}/comm, /proc/{PID,self}/task/TID/comm or
 * /proc/thread-self/comm.
 */
static bool parse_path(const char *path, size_t length, int64_t tid,
		int64_t pid, struct target *target)
{
	const char *end = path + length;

	if (!skip(&path, end, "/proc/"))
		return false;
	if (skip(&path, end, "thread-self/")) {
		target->tid = tid;
		target->is_root = true;
		return is_comm(path, end);
	}
	if (skip(&path, end, "self/")) {
		target->tid = pid;
		target->is_root = true;
	} else {
		target->tid = parse_number(&path, end);
		target->is_root = false;
		if (target->tid < 0)
			return false;
	}
	if (is_comm(path, end))
		return true;
	if (!skip(&path, end, "task/"))
		return false;
	target->tid = parse_number(&path, end);
	target->is_root = false;
	return target->tid > 0 && is_comm(path, end);
}

void learn_syscalls_open(struct learn_syscalls *syscalls, int64_t tid,
		int64_t pid, struct commcache_moment moment, const char *path,
		size_t length, int64_t flags)
{
	struct pending *pending;
	struct target target;

	if (!path || (flags & FLAGS_ACCESS) == 0 ||
			!parse_path(path, length, tid, pid, &target))
		return;
	pending = enter(syscalls, tid, PENDING_OPEN, moment);
	pending->pid = pid;
	pending->target = target;
}

void learn_syscalls_write(struct learn_syscalls *syscalls, int64_t tid,
		int64_t pid, struct commcache_moment moment, int64_t fd)
{
	const struct target *target = find_file(syscalls, pid, fd);

	if (target)
		enter(syscalls, tid, PENDING_WRITE, moment)->target = *target;
}

void learn_syscalls_dup(struct learn_syscalls *syscalls, int64_t tid,
		int64_t pid, struct commcache_moment moment, int64_t fd,
		int64_t new_fd)
{
	const struct target *target = find_file(syscalls, pid, fd);
	struct pending *pending;

	if (!target) {
		if (new_fd >= 0)
			learn_syscalls_close(syscalls, pid, new_fd);
		return;
	}
	pending = enter(syscalls, tid, PENDING_DUP, moment);
	pending->pid = pid;
	pending->target = *target;
}

static bool finish(struct learn_syscalls *syscalls,
		const struct pending *pending, int64_t tid, int64_t ret,
		bool is_its_exit, struct learn_call_result *result)
{
	/* Where another call is left, the exit was lost: it may have worked. */
	if (is_its_exit && ret < 0)
		return false;
	result->since = pending->since;
	switch (pending->kind) {
	case PENDING_PRCTL:
		result->call = LEARN_CALL_RENAME;
		result->tid = tid;
		result->tid_is_root = true;
		return true;
	case PENDING_WRITE:
		result->call = LEARN_CALL_RENAME;
		result->tid = pending->target.tid;
		result->tid_is_root = pending->target.is_root;
		return true;
	case PENDING_EXEC:
		result->call = LEARN_CALL_EXEC;
		result->tid = tid;
		result->tid_is_root = true;
		result->comm = is_its_exit ? pending->comm :
			(struct commcache_comm) { 0 };
		return true;
	case PENDING_OPEN:
	case PENDING_DUP:
		if (is_its_exit)
			set_file(syscalls, pending->pid, ret, &pending->target);
		return false;
	case PENDING_OTHER:
		return false;
	}
	return false;
}

/* One flag for each kind of call. */
static const unsigned int exit_flags[] = {
	[PENDING_PRCTL] = LEARN_OF_PRCTL,
	[PENDING_EXEC] = LEARN_OF_EXEC,
	[PENDING_OPEN] = LEARN_OF_OPEN,
	[PENDING_WRITE] = LEARN_OF_WRITE,
	[PENDING_DUP] = LEARN_OF_DUP,
	[PENDING_OTHER] = LEARN_OF_PRCTL,
};

bool learn_syscalls_leave(struct learn_syscalls *syscalls, int64_t tid,
		int64_t ret, unsigned int flags, struct learn_call_result *result)
{
	const struct pending *pending = NULL;
	bool did;

	if (g_hash_table_size(syscalls->pending) > 0)
		pending = g_hash_table_lookup(syscalls->pending,
			GINT_TO_POINTER(tid));
	if (!pending) {
		result->call = LEARN_CALL_MISSED;
		return flags == LEARN_OF_PRCTL;
	}
	did = finish(syscalls, pending, tid, ret,
		!flags || flags & exit_flags[pending->kind], result);
	g_hash_table_remove(syscalls->pending, GINT_TO_POINTER(tid));
	return did;
}

bool learn_syscalls_exec_done(struct learn_syscalls *syscalls, int64_t tid,
		struct commcache_moment *since)
{
	const struct pending *pending =
		g_hash_table_lookup(syscalls->pending, GINT_TO_POINTER(tid));

	if (!pending || pending->kind != PENDING_EXEC)
		return false;
	*since = pending->since;
	g_hash_table_remove(syscalls->pending, GINT_TO_POINTER(tid));
	return true;
}

static void save_target(const void *value, struct parts_writer *writer)
{
	const struct target *target = value;

	parts_write_signed(writer, target->tid);
	parts_write_number(writer, target->is_root);
}

static struct target read_target(struct parts_reader *reader)
{
	struct target target;

	target.tid = parts_read_signed(reader);
	target.is_root = parts_read_limited(reader, 1);
	return target;
}

static void *load_target(struct parts_reader *reader)
{
	struct target *target = g_new(struct target, 1);

	*target = read_target(reader);
	return target;
}

static void save_pending(const void *value, struct parts_writer *writer)
{
	const struct pending *pending = value;

	parts_write_number(writer, pending->kind);
	parts_write_moment(writer, pending->since);
	parts_write_signed(writer, pending->pid);
	save_target(&pending->target, writer);
	kept_comm_save(&pending->comm, writer);
}

static void *load_pending(struct parts_reader *reader)
{
	struct pending *pending = g_new0(struct pending, 1);

	pending->kind = (enum pending_kind) parts_read_limited(reader,
		PENDING_OTHER);
	pending->since = parts_read_moment(reader, UINT32_MAX);
	pending->pid = parts_read_signed(reader);
	pending->target = read_target(reader);
	pending->comm = kept_comm_load(reader);
	return pending;
}

void learn_syscalls_save(const struct learn_syscalls *syscalls,
		struct parts_writer *writer)
{
	kept_table_save(syscalls->pending, false, writer, save_pending);
	kept_table_save(syscalls->files, true, writer, save_target);
}

void learn_syscalls_load(struct learn_syscalls *syscalls,
		struct parts_reader *reader)
{
	kept_table_load(syscalls->pending, false, reader, load_pending);
	kept_table_load(syscalls->files, true, reader, load_target);
}
