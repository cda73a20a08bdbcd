/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_CPU_RECORDS_H
#define COMMCACHE_TESTS_CPU_RECORDS_H

/* What a CPU is given, and which thread it ran then. */

#include "history-test.h"

#include <commcache/cpu.h>

#define CHANGED COMMCACHE_HISTORY_CHANGED

/* A record at a time: both passes give it. */
struct record {
	enum { SWITCH, EVENT, GAP, EXEC } kind;
	int64_t time;
	uint32_t order;
	int64_t prev;
	int64_t next;
	/* The tid it ran in. */
	int64_t truth;
	/* Of an exec. */
	int64_t since;
};

static inline void give(struct commcache_cpus *cpus, int64_t cpu,
		const struct record *record)
{
	struct commcache_moment moment = commcache_moment(record->time,
			record->order);

	switch (record->kind) {
	case SWITCH:
		assert_int_equal(commcache_cpus_switch(cpus, cpu, moment,
				record->prev, record->next), CHANGED);
		break;
	case GAP:
		assert_int_equal(commcache_cpus_gap(cpus, cpu, moment),
				CHANGED);
		break;
	case EXEC:
		assert_int_equal(commcache_cpus_exec(cpus, cpu, moment,
				at(record->since), record->next, record->prev,
				NULL), CHANGED);
		break;
	case EVENT:
		break;
	}
}

#endif /* COMMCACHE_TESTS_CPU_RECORDS_H */
