/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_HISTORY_KEPT_H
#define COMMCACHE_HISTORY_KEPT_H

/*
 * What a history is as bytes: known to who saves it and who loads it. See
 * doc/learned.md.
 */

#include "parts.h"

#define KEPT_HISTORY \
	((const struct parts_format) { { 'c', 'o', 'm', 'm', 'n', 'a', 'm', \
			'\n' }, 2 })
#define KEPT_CPUS \
	((const struct parts_format) { { 'c', 'o', 'm', 'm', 'c', 'p', 'u', \
			'\n' }, 1 })

/* The parts of a history, in this order. */
#define KEPT_NAMES	'N'
#define KEPT_DOMAINS	'D'
#define KEPT_THREADS	'T'
#define KEPT_JOINS	'J'
#define KEPT_COUNTS	'C'

/* The parts of CPUs. */
#define KEPT_STATES	'S'
#define KEPT_RUNS	'R'

/* Of a thread: what is told of it besides its changes. */
#define KEPT_IS_IDLE		1U
#define KEPT_OTHER_DOMAIN	2U
#define KEPT_HAS_SIGHTING	4U
#define KEPT_HAS_WEAK		8U
#define KEPT_HAS_FILE		16U
#define KEPT_HAS_HELD		32U
#define KEPT_THREAD_FLAGS	63U

/* Of a change: its kind, whether its order is not 0, its note. */
#define KEPT_KIND_MASK		0xfU
#define KEPT_HAS_ORDER		0x10U
#define KEPT_NOTE_SHIFT		5
#define KEPT_CHANGE_MAX		0x1ffU

/* Of a CPU. */
#define KEPT_HAS_CURRENT	1U
#define KEPT_HAS_GAP		2U
#define KEPT_HAS_DIFFERENCE	4U
#define KEPT_CPU_FLAGS		7U

#endif /* COMMCACHE_HISTORY_KEPT_H */
