/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_AGENT_FORK_H
#define COMMCACHE_AGENT_FORK_H

/*
 * Forks, and LTTng-UST's state in the child.
 *
 * With liblttng-ust-fork, or a program that calls lttng_ust_before_fork() and
 * its like itself, LTTng-UST starts anew in the child, and we follow it.
 *
 * Without, the child inherits LTTng-UST's locks as they were, held perhaps by
 * threads that it does not have, and a destructor that takes them and cancels
 * threads that are not there: a child that calls exit() can hang or crash. As
 * it is us who brought LTTng-UST in, we leave it in a state in which it can
 * end. It stays silent in the child.
 */

/* Once a process image. 0 or an error number. */
int agent_fork_start(void);

#endif /* COMMCACHE_AGENT_FORK_H */
