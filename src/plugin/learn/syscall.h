/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_SYSCALL_H
#define COMMCACHE_PLUGIN_LEARN_SYSCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <commcache/history.h>

#include "history/parts.h"

/*
 * System calls that rename a thread: what they were asked is known when they
 * are entered, whether they did it when they are left.
 *
 * prctl(PR_SET_NAME) renames the caller. A write to /proc/.../comm renames a
 * thread of the caller's process (comm_write() in fs/proc/base.c): for that,
 * the file descriptors that such a file was opened on are followed, per
 * process, through dup and close.
 */
struct learn_syscalls;
struct learn_boot;

enum learn_call {
	LEARN_CALL_NONE,
	LEARN_CALL_RENAME,
	LEARN_CALL_EXEC,
	/* It may have renamed: what it was asked was not seen. */
	LEARN_CALL_MISSED,
};

/* What a system call did that was left with success. */
struct learn_call_result {
	enum learn_call call;
	struct commcache_moment since;
	/* LEARN_CALL_RENAME: the thread, as the caller sees its number... */
	int64_t tid;
	/* ...or as the tracer does: the caller, or its process's leader. */
	bool tid_is_root;
	/* LEARN_CALL_EXEC: the name that the program gives. */
	struct commcache_comm comm;
};

struct learn_syscalls *learn_syscalls_create(void);
void learn_syscalls_destroy(struct learn_syscalls *syscalls);

/* `tid`: the caller; `pid`: its process. Both as the tracer sees them. */
void learn_syscalls_prctl(struct learn_syscalls *syscalls, int64_t tid,
		struct commcache_moment moment, int64_t option);
void learn_syscalls_exec(struct learn_syscalls *syscalls, int64_t tid,
		struct commcache_moment moment, const char *path,
		size_t length);
void learn_syscalls_open(struct learn_syscalls *syscalls, int64_t tid,
		int64_t pid, struct commcache_moment moment, const char *path,
		size_t length, int64_t flags);
void learn_syscalls_write(struct learn_syscalls *syscalls, int64_t tid,
		int64_t pid, struct commcache_moment moment, int64_t fd);
/*
 * Whether a file of a comm is open anywhere; where not, learn_syscalls_write(),
 * learn_syscalls_dup() and learn_syscalls_close() have nothing to do.
 */
bool learn_syscalls_have_files(const struct learn_syscalls *syscalls);

/* `new_fd` is -1 where only the call's result tells it. */
void learn_syscalls_dup(struct learn_syscalls *syscalls, int64_t tid,
		int64_t pid, struct commcache_moment moment, int64_t fd,
		int64_t new_fd);
void learn_syscalls_close(struct learn_syscalls *syscalls, int64_t pid,
		int64_t fd);

/*
 * A call is left, by `flags` (LEARN_OF_...) which. False: none that is of
 * interest was entered.
 */
bool learn_syscalls_leave(struct learn_syscalls *syscalls, int64_t tid,
		int64_t ret, unsigned int flags, struct learn_call_result *result);

/*
 * An exec took place, by whichever record: it need not be told again when the
 * call is left. When it was entered; false if that was not seen.
 */
bool learn_syscalls_exec_done(struct learn_syscalls *syscalls, int64_t tid,
		struct commcache_moment *since);

/* For endless streams: drops the calls and files of threads that are gone. */
void learn_syscalls_forget(struct learn_syscalls *syscalls,
		struct learn_boot *boot);

/* As bytes, and from bytes, where no call was entered. */
void learn_syscalls_save(const struct learn_syscalls *syscalls,
		struct parts_writer *writer);
void learn_syscalls_load(struct learn_syscalls *syscalls,
		struct parts_reader *reader);

/* The name that running the program at `path` gives; false: it tells none. */
bool learn_exec_comm(const char *path, size_t length,
		struct commcache_comm *comm);

#endif /* COMMCACHE_PLUGIN_LEARN_SYSCALL_H */
