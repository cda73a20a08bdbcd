/* SPDX-License-Identifier: MIT */

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "debug.h"
#include "next.h"

struct agent_next agent_next;

#define INTERPOSED(name)	{ #name, offsetof(struct agent_next, name) },
static const struct {
	const char *name;
	size_t offset;
} interposed[] = {
	AGENT_INTERPOSED(INTERPOSED)
};
#undef INTERPOSED

static bool is_ours(const void *address)
{
	Dl_info its, ours;

	return dladdr(address, &its) && dladdr(interposed, &ours) &&
			its.dli_fbase == ours.dli_fbase;
}

/*
 * The next; or, in a program that is linked with us, the one that comes before
 * and is not ours: there libraries stand in whatever order.
 */
static void *find(const char *name)
{
	void *next = dlsym(RTLD_NEXT, name);

	if (!next)
		next = dlsym(RTLD_DEFAULT, name);
	return next && is_ours(next) ? NULL : next;
}

void agent_next_find(void)
{
	size_t i;

	for (i = 0; i < sizeof(interposed) / sizeof(interposed[0]); i++) {
		void **place = (void **) ((char *) &agent_next +
				interposed[i].offset);
		void *next = find(interposed[i].name);

		/* May be called by two threads: both find the same. */
		rcu_assign_pointer(*place, next);
		if (!next)
			agent_debug("%s: no next in line, left alone",
					interposed[i].name);
	}
}
