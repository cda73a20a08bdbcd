/* SPDX-License-Identifier: MIT */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel-port.h"

#define MAP_SIZE	32768
#define NO_PLACE	UINT32_MAX

struct kernel_port {
	int lock __attribute__((aligned(64)));
	uint32_t last_place;
	uint32_t capacity;
	/* Owned by this, all three. */
	uint32_t *place_of_pid;
	pid_t *pid_of_place;
	char (*name_of_place)[COMMCACHE_COMM_LEN];
};

static bool try_lock(int *lock)
{
	int unlocked = 0;

	return __atomic_load_n(lock, __ATOMIC_RELAXED) == 0 &&
			__atomic_compare_exchange_n(lock, &unlocked, 1, false,
				__ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void unlock(int *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* strncpy as the kernel calls it: it fills all 16 bytes, with no NUL after. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wstringop-truncation"
static inline void copy_strncpy(char *name, const char *comm)
{
	strncpy(name, comm, COMMCACHE_COMM_LEN);
}
#pragma GCC diagnostic pop

static inline void save(struct kernel_port *port, pid_t tid,
		const struct commcache_comm *comm, enum kernel_port_copy copy)
{
	uint32_t *place;

	if (!tid)
		return;
	if (!try_lock(&port->lock))
		return;
	place = &port->place_of_pid[tid & (MAP_SIZE - 1)];
	if (*place == NO_PLACE) {
		port->last_place = (port->last_place + 1) % port->capacity;
		*place = port->last_place;
	}
	if (copy != KERNEL_PORT_PATCHED || port->pid_of_place[*place] != tid) {
		port->pid_of_place[*place] = tid;
		if (copy == KERNEL_PORT_STRNCPY)
			copy_strncpy(port->name_of_place[*place], comm->str);
		else
			memcpy(port->name_of_place[*place], comm->str,
					COMMCACHE_COMM_LEN);
	}
	unlock(&port->lock);
}

static const struct commcache_switch_status nothing_told;

struct commcache_switch_status kernel_port_switch_strncpy(
		struct commcache *port,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm)
{
	save((void *) port, prev_tid, prev_comm, KERNEL_PORT_STRNCPY);
	save((void *) port, next_tid, next_comm, KERNEL_PORT_STRNCPY);
	return nothing_told;
}

struct commcache_switch_status kernel_port_switch_memcpy(
		struct commcache *port,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm)
{
	save((void *) port, prev_tid, prev_comm, KERNEL_PORT_MEMCPY);
	save((void *) port, next_tid, next_comm, KERNEL_PORT_MEMCPY);
	return nothing_told;
}

struct commcache_switch_status kernel_port_switch_patched(
		struct commcache *port,
		pid_t prev_tid, const struct commcache_comm *prev_comm,
		pid_t next_tid, const struct commcache_comm *next_comm)
{
	save((void *) port, prev_tid, prev_comm, KERNEL_PORT_PATCHED);
	save((void *) port, next_tid, next_comm, KERNEL_PORT_PATCHED);
	return nothing_told;
}

bool kernel_port_find(struct commcache *data, pid_t tid,
		struct commcache_comm *comm)
{
	struct kernel_port *port = (void *) data;
	uint32_t place = port->place_of_pid[tid & (MAP_SIZE - 1)];

	if (place == NO_PLACE || port->pid_of_place[place] != tid)
		return false;
	memcpy(comm->str, port->name_of_place[place], COMMCACHE_COMM_LEN);
	return true;
}

struct commcache *kernel_port_create(size_t capacity)
{
	struct kernel_port *port;

	port = aligned_alloc(64, (sizeof(*port) + 63) / 64 * 64);
	if (!port)
		goto error;
	memset(port, 0, sizeof(*port));
	port->capacity = capacity;
	port->place_of_pid = malloc(MAP_SIZE * sizeof(*port->place_of_pid));
	port->pid_of_place = calloc(capacity, sizeof(*port->pid_of_place));
	port->name_of_place = calloc(capacity, sizeof(*port->name_of_place));
	if (!port->place_of_pid || !port->pid_of_place || !port->name_of_place)
		goto error_destroy;
	memset(port->place_of_pid, 0xff,
			MAP_SIZE * sizeof(*port->place_of_pid));
	return (void *) port;

error_destroy:
	kernel_port_destroy((void *) port);
error:
	return NULL;
}

void kernel_port_destroy(struct commcache *data)
{
	struct kernel_port *port = (void *) data;

	free(port->place_of_pid);
	free(port->pid_of_place);
	free(port->name_of_place);
	free(port);
}
