/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_STORE_H
#define COMMCACHE_STORE_H

/*
 * A history, and the turns of CPUs, kept for later: written as bytes to wherever
 * they go (a file, memory, a socket), and read again, on any machine.
 *
 * The bytes are those of doc/learned.md: versioned, the same on all
 * architectures, with a checksum for each block. COMMCACHE_STORE_CHANGE_BYTES at
 * most for each change with its name, COMMCACHE_STORE_SWITCH_BYTES in the mean
 * for each switch that a struct commcache_cpus keeps, in traces of nanoseconds whose
 * CPUs go between up to some thousands of threads (10,000 of them, each switch to
 * any: 6.1), and some for each thread and CPU.
 *
 * What is read comes from strangers: what is cut, or not what it was in any
 * byte, is refused whole. Memory is taken as bytes come, never as they claim.
 *
 * For one thread at a time; not async-signal-safe.
 */

#include <stddef.h>

#include <commcache/cpu.h>
#include <commcache/history.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define COMMCACHE_STORE_CHANGE_BYTES	24
#define COMMCACHE_STORE_SWITCH_BYTES	6

enum commcache_store_status {
	COMMCACHE_STORE_OK = 0,
	COMMCACHE_STORE_NO_MEMORY = -1,
	/* The function that writes or reads says so. */
	COMMCACHE_STORE_FAILED = -2,
	/* It does not begin as such bytes do. */
	COMMCACHE_STORE_FOREIGN = -3,
	/* Written by another version, which this one cannot read. */
	COMMCACHE_STORE_VERSION = -4,
	/* It ends too early. */
	COMMCACHE_STORE_CUT = -5,
	/* A checksum is wrong, or what it holds cannot be. */
	COMMCACHE_STORE_CORRUPT = -6,
};

/* Where bytes go to. */
struct commcache_store_output {
	/* Takes all of `size` bytes; false: it cannot, and is not asked again. */
	bool (*write)(const void *bytes, size_t size, void *data);
	/* Weak, the caller's: given to write(). */
	void *data;
};

/* Where bytes come from. */
struct commcache_store_input {
	/*
	 * Up to `size` bytes, one at least, and how many it gave; 0: there are
	 * no more. Less than 0: it failed, and is not asked again. Never asked
	 * for more than what was written: others can follow.
	 */
	int64_t (*read)(void *bytes, size_t size, void *data);
	/* Weak, the caller's: given to read(). */
	void *data;
};

/* In words, for messages: "is cut". Never NULL. */
const char *commcache_store_explain(enum commcache_store_status status);

/* All of the history. What was written before a failure is of no use. */
enum commcache_store_status commcache_history_save(
		const struct commcache_history *history,
		const struct commcache_store_output *output);

/*
 * A history that answers and takes evidence as the one that was saved; ids of
 * names are the same, too. *history is NULL where the status is not OK; to be
 * destroyed by the caller.
 */
enum commcache_store_status commcache_history_load(
		const struct commcache_store_input *input,
		struct commcache_history **history);

/*
 * All that was given to `cpus`. In the first pass or in the one pass: after
 * commcache_cpus_rewind() it fails (INVALID is FAILED here).
 */
enum commcache_store_status commcache_cpus_save(
		const struct commcache_cpus *cpus,
		const struct commcache_store_output *output);

/*
 * As if all had been given again: what comes next can be given, or the second
 * pass begun. *cpus is NULL where the status is not OK; to be destroyed by the
 * caller.
 */
enum commcache_store_status commcache_cpus_load(
		const struct commcache_store_input *input,
		struct commcache_cpus **cpus);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* COMMCACHE_STORE_H */
