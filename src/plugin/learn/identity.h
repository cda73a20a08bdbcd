/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_LEARN_IDENTITY_H
#define COMMCACHE_PLUGIN_LEARN_IDENTITY_H

#include <babeltrace2/babeltrace.h>
#include <stdint.h>

#define IDENTITY_SIZE	16

/*
 * What a trace is known by when it is read again, from wherever it lies then: its
 * UUID, or UID in its namespace; where it has none, its environment. And
 * the clock, which may be NULL.
 */
void identity_of_trace(const bt_trace *trace, const bt_clock_class *clock_class,
		uint8_t identity[IDENTITY_SIZE]);

#endif /* COMMCACHE_PLUGIN_LEARN_IDENTITY_H */
