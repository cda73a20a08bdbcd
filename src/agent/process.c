/* SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <commcache/cache.h>

#include "names.h"
#include "process.h"

/*
 * More threads than this at a time, and the oldest names are not known to the
 * cache: the kernel is asked instead, at the price of a system call.
 */
#define CACHE_CAPACITY	16384

static struct agent_process no_process;

struct agent_process *agent_process = &no_process;
struct commcache *agent_cache;
bool agent_attention = true;

static void wipe_in_child(void)
{
	memset(agent_process, 0, sizeof(*agent_process));
}

static struct agent_process *map_process(void)
{
	size_t size = (size_t) sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	/* Before Linux 4.14: this serves for all forks but _Fork and clone. */
	if (madvise(page, size, MADV_WIPEONFORK) &&
			pthread_atfork(NULL, NULL, wipe_in_child)) {
		munmap(page, size);
		return NULL;
	}
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

void agent_process_follow(void)
{
	if (agent_process_followed() || !agent_cache)
		return;
	agent_names_forget_all();
	__atomic_store_n(&agent_process->pid, getpid(), __ATOMIC_RELEASE);
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
