/* SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <commcache/cache.h>

#include "process.h"

/*
 * More threads than this at a time, and the oldest names are not known to the
 * cache: the kernel is asked instead, at the price of a system call.
 */
#define CACHE_CAPACITY	16384

static struct agent_process no_process;

struct agent_process *agent_process = &no_process;
struct commcache *agent_cache;


/* Whole pages, by the kernel: nothing else is wiped. */
static struct agent_process *map_process(void)
{
	const size_t size = sizeof(*agent_process);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	/*
	 * Where it is refused, or only said to be done, handlers of forks do
	 * it; those that clone(2) makes without them are known by their pid.
	 */
	(void) madvise(page, size, MADV_WIPEONFORK);
	return page;
}

bool agent_process_start(void)
{
	struct agent_process *process;

	agent_cache = commcache_create(CACHE_CAPACITY);
	process = map_process();
	if (!agent_cache || !process) {
		agent_debug("off: no memory");
		return false;
	}
	process->pid = getpid();
	agent_process = process;
	return true;
}

void agent_process_leave(void)
{
	/* As a rule the kernel has emptied it. */
	if (agent_process_followed())
		memset(agent_process, 0, sizeof(*agent_process));
}

void agent_process_follow(void)
{
	const pid_t pid = getpid();

	if (agent_process_followed() || agent_process == &no_process ||
			pid <= 0)
		return;
	__atomic_store_n(&agent_process->pid, pid, __ATOMIC_RELEASE);
	agent_debug("follows the child of a fork");
}

void agent_process_tell_counts(void)
{
	struct commcache_stats stats;

	if (!agent_debugging)
		return;
	agent_debug_counts(agent_process->counts);
	commcache_get_stats(agent_cache, &stats);
	agent_debug("%" PRIu64 " threads in the cache at exit", stats.threads);
}
