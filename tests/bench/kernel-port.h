/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_BENCH_KERNEL_PORT_H
#define COMMCACHE_TESTS_BENCH_KERNEL_PORT_H

/*
 * The way Linux keeps saved cmdlines, in user space, to measure against:
 * written from its description, not from its code.
 *
 * A map, indexed by the pid's low 15 bits, gives the pid's place in a ring of
 * names; a pid that has no place takes the next one of the ring. One spin
 * lock is over all, tried once: if it is taken, the name is not saved.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <commcache/cache.h>

enum kernel_port_copy {
	/* Each save copies the name with strncpy: before the patch. */
	KERNEL_PORT_STRNCPY,
	/* Each save copies 16 bytes. */
	KERNEL_PORT_MEMCPY,
	/* A save copies if the place was another pid's: the patch. */
	KERNEL_PORT_PATCHED,
};

/*
 * The same types as the cache's own functions, so that all variants are called
 * in the same way: the cache is a port, and the status tells nothing.
 */

/* NULL if there is no memory. */
struct commcache *kernel_port_create(size_t capacity);
void kernel_port_destroy(struct commcache *port);

struct commcache_switch_status kernel_port_switch_strncpy(
		struct commcache *port,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm);
struct commcache_switch_status kernel_port_switch_memcpy(
		struct commcache *port,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm);
struct commcache_switch_status kernel_port_switch_patched(
		struct commcache *port,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm);

bool kernel_port_find(struct commcache *port, pid_t tid,
		struct commcache_comm *comm);

#endif /* COMMCACHE_TESTS_BENCH_KERNEL_PORT_H */
