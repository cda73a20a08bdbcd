/* SPDX-License-Identifier: MIT */

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process.h"

static struct agent_process no_process;

struct agent_process *agent_process_published = &no_process;

/* There is none of that number: who accepts it, as qemu-user, accepts anything. */
#define NO_ADVICE	1000

static bool is_wiped;

/* Whole pages, by the kernel: nothing else is wiped. */
static struct agent_process *map_process(void)
{
	const size_t size = sizeof(struct agent_process);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	/*
	 * Where it is refused, or only said to be done, handlers of forks do
	 * it; those that clone(2) makes without them are known by their pid.
	 */
	is_wiped = !madvise(page, size, MADV_WIPEONFORK) &&
			madvise(page, size, NO_ADVICE);
	return page;
}

bool agent_process_start(void)
{
	struct agent_process *process = map_process();

	if (!process)
		return false;
	process->pid = getpid();
	rcu_assign_pointer(agent_process_published, process);
	return true;
}

bool agent_process_is_wiped(void)
{
	return is_wiped;
}

void agent_process_leave(void)
{
	/* As a rule the kernel has emptied it. */
	if (agent_process_followed())
		memset(agent_process(), 0, sizeof(*agent_process()));
}

void agent_process_follow(void)
{
	const pid_t pid = getpid();

	if (agent_process_followed() || agent_process() == &no_process ||
			pid <= 0)
		return;
	__atomic_store_n(&agent_process()->pid, pid, __ATOMIC_RELEASE);
	agent_debug("follows the child of a fork");
}

void agent_process_tell_counts(void)
{
	if (agent_debugging)
		agent_debug_counts(agent_process()->counts);
}
