/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_BOOT_H
#define COMMCACHE_PLUGIN_LEARN_BOOT_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include <commcache/history.h>

#include "history/parts.h"

#define LEARN_NANOSECONDS	1000000000

/*
 * A boot of a host: what is traced there can be compared, ids and times alike.
 *
 * Two streams are of one boot if their clocks tell the same UUID or UID (see
 * clock-id.h) and frequency, and their traces the same hostname; of LTTng, whose
 * id is the boot's own, whatever the hostname: a container has another. Times are
 * the raw
 * values of that clock: LTTng computes a clock's offset for each session and
 * domain anew, so that nanoseconds from the origin do not compare. A clock
 * without a UUID says nothing of what it can be compared with: a boot of its
 * trace's own. So has a stream without a clock, whose time is the count of its
 * trace's events as they come.
 */
struct learn_boot {
	/* Weak, owned by the learner. */
	struct commcache_history *history;
	/* Owned by this; may be NULL. */
	char *host;
	uint8_t id[16];
	/* It was told by LTTng: the machine's own. */
	bool is_lttng;

	/* Weak, owned by the history: root namespace, and not told. */
	struct commcache_history_domain *root;
	struct commcache_history_domain *unknown;
	/* Inode number -> weak domain. Owned by this, as all tables here. */
	GHashTable *namespaces;

	/*
	 * Sets of numbers. Where there is a second pass, what is told of a
	 * number that is used again piles up here: good to see what can be, not
	 * what is.
	 */
	GHashTable *aliases;	/* root tid and vtid */
	GHashTable *joined;	/* namespace and vtid */
	/*
	 * Root tid -> GArray of its vtids in `aliases`, which go with its next
	 * birth. NULL where there is a second pass.
	 */
	GHashTable *vtids;
	/* Root tids, of threads whose other numbers were told, or have none. */
	GHashTable *numbered;
	/*
	 * Root tid -> GArray of struct learn_inner, by time, of threads that
	 * are or were in inner namespaces.
	 */
	GHashTable *inner;
	/* Root tid -> pid, of threads that are no leaders. */
	GHashTable *processes;

	/* A set of what LTTng-UST showed last: see program.h. */
	GHashTable *programs;

	/* Weak, owned by the learner. */
	GPtrArray *sources;
	/* Some of them tells which thread its CPUs run. */
	bool has_switches;
	/* Of all of them. Owned by this. */
	struct learn_recorded *recorded;
	/* Some of those that are gone asked others for that. */
	bool was_asked;
	/* Nothing tells what it can be compared with: its one source's own. */
	bool is_lone;

	/* The newest time seen, and what may still come late, in its unit. */
	int64_t newest;
	int64_t slack;
};

/* Without a history until learn_boot_reset(). */
struct learn_boot *learn_boot_create(const char *host, const uint8_t id[16],
		const bt_clock_class *clock_class);
void learn_boot_destroy(struct learn_boot *boot);

/*
 * Begins with nothing, in that history. `is_only_pass`: what was told of a
 * number's former thread is of no use any more. False: no memory.
 */
bool learn_boot_reset(struct learn_boot *boot,
		struct commcache_history *history, bool is_only_pass);

/* Drops what is told of numbers of which the history has forgotten all. */
void learn_boot_forget(struct learn_boot *boot);

/* The same of any table whose keys are tids of the root namespace. */
void learn_boot_forget_tids(struct learn_boot *boot, GHashTable *table);

/* Whether the history has forgotten all of that tid of the root namespace. */
bool learn_boot_has_forgotten(const struct learn_boot *boot, int64_t tid);

/*
 * The id of the boot that `clock_class` tells; false, and an id made of
 * `ordinal`, if it tells none. NULL is no clock.
 */
bool learn_boot_id(const bt_clock_class *clock_class, uint64_t ordinal,
		uint8_t id[16]);

/* The domain of a PID namespace; 0 is one that is not told. */
struct commcache_history_domain *learn_boot_namespace(struct learn_boot *boot,
		uint64_t inode);

/* `tid` of the root namespace is another thread from now on. */
void learn_boot_born(struct learn_boot *boot, int64_t tid,
		struct commcache_moment moment);

/*
 * Thread `tid` of the root namespace is `vtid` in namespace `inode`, of which
 * the innermost is told first. 0: the trace does not tell which namespace.
 */
void learn_boot_alias(struct learn_boot *boot, int64_t tid, int64_t vtid,
		uint64_t inode, struct commcache_moment moment);

/*
 * Whether it was told which numbers `tid` has in inner namespaces, be it that
 * it has none.
 */
bool learn_boot_is_numbered(const struct learn_boot *boot, int64_t tid);

/* Whether `vtid` is one of the numbers that `tid` was told to have. */
bool learn_boot_is_alias(const struct learn_boot *boot, int64_t tid,
		int64_t vtid);

/* Whether it was told which thread `vtid` of that namespace is. */
bool learn_boot_is_joined(const struct learn_boot *boot, uint64_t inode,
		int64_t vtid);

/*
 * The innermost namespace of the thread that had number `tid` of the root
 * namespace at that moment.
 */
uint64_t learn_boot_namespace_of(const struct learn_boot *boot, int64_t tid,
		struct commcache_moment moment);

/* Thread `tid` of the root namespace is of process `pid`. */
void learn_boot_member(struct learn_boot *boot, int64_t tid, int64_t pid);

/* Its process; itself where that was not told. */
int64_t learn_boot_process_of(const struct learn_boot *boot, int64_t tid);

/* As bytes: what is told of it but names. */
void learn_boot_save(const struct learn_boot *boot,
		struct parts_writer *writer);

/* From bytes; its names are those of `history`. NULL: they are no good. */
struct learn_boot *learn_boot_load(struct commcache_history *history,
		struct parts_reader *reader);

#endif /* COMMCACHE_PLUGIN_LEARN_BOOT_H */
