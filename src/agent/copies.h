/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_COPIES_H
#define COMMCACHE_AGENT_COPIES_H

/*
 * Copies of this library in one process: under another name, or as another
 * file, preloaded, linked or opened later. Each would hold LTTng-UST's locks
 * over a fork, and write each event once more. So one works, the first to
 * start, and the others are off.
 */

#include <stdbool.h>

/*
 * Whether this copy is the one that works. Whoever asks first of all copies
 * makes it so. Not async-signal-safe.
 */
bool agent_copies_is_first(void);

#endif /* COMMCACHE_AGENT_COPIES_H */
