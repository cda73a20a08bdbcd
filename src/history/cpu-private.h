/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_CPU_PRIVATE_H
#define COMMCACHE_HISTORY_CPU_PRIVATE_H

#include "changes.h"
#include "runs.h"

/*
 * In this span that thread runs. It begins with the record at `begin`, once that
 * was given, and ends with the one at `end`, which still ran in it.
 */
struct exception {
	int64_t begin_time;
	int64_t end_time;
	uint32_t begin_order;
	uint32_t end_order;
	int32_t tid;
};

struct cpu {
	/* What the last switch or exec says, at `since`. */
	int32_t current;
	bool has_current;
	struct commcache_moment since;
	/* Gaps after it. */
	bool has_gap;
	struct commcache_moment first_gap;
	struct commcache_moment last_gap;
	/* The last span, without a gap, whose sides differ. */
	bool has_difference;
	int32_t difference_from;
	int32_t difference_to;
	struct commcache_moment difference_since;
	/* Its exception, in the first pass. */
	uint32_t difference_exception;
	/* Up to where records were given. */
	struct commcache_moment reached;
	/* Owned by this, sorted, apart. */
	struct exception *exceptions;
	uint32_t exception_count;
	uint32_t exception_capacity;
	/* The first that is not over, in the second pass. */
	uint32_t next_exception;
	struct runs runs;
};

struct commcache_cpus {
	enum commcache_cpus_mode mode;
	bool is_second_pass;
	/* Owned by this: each its own block, NULL where there is none. */
	struct cpu **cpus;
	uint32_t cpu_count;
	uint64_t bytes;
};

/* In cpu.c: the CPU of that number, made where it is not there. NULL: no memory. */
struct cpu *cpus_get(struct commcache_cpus *cpus, int64_t number);

/* Room for one more exception. False: no memory. */
bool cpu_reserve_exception(struct commcache_cpus *cpus, struct cpu *cpu);

#endif /* COMMCACHE_HISTORY_CPU_PRIVATE_H */
