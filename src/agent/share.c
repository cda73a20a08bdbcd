/* SPDX-License-Identifier: MIT */

/*
 * Children and threads that run in another's memory, and so with its
 * thread-local storage: vfork(2), clone(2). Nothing is done for them; but from
 * here on the number that the C library knows may not be the caller's.
 */

#include <sched.h>
#include <stdarg.h>
#include <unistd.h>

#include "next.h"
#include "tid.h"

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
void *agent_share_begin_vfork(void);

/* What to go on with; with fork(), as vfork() may be, if there is no other. */
__attribute__((visibility("hidden"), used))
void *agent_share_begin_vfork(void)
{
	__typeof__(vfork) *next;

	agent_next_need();
	agent_tid_doubt();
	next = rcu_dereference(agent_next.vfork);
	return next ? (void *) next : (void *) fork;
}
#endif

/*
 * The child returns to the caller, and so the parent would return to a stack on
 * which our frame is no more: there must be none.
 */
#ifdef __x86_64__
#define VFORK \
	"	endbr64\n" \
	"	subq $8, %rsp\n" \
	"	call agent_share_begin_vfork\n" \
	"	addq $8, %rsp\n" \
	"	jmp *%rax\n"
#elif defined(__i386__)
#define VFORK \
	"	endbr32\n" \
	"	subl $12, %esp\n" \
	"	call agent_share_begin_vfork\n" \
	"	addl $12, %esp\n" \
	"	jmp *%eax\n"
#elif defined(__aarch64__)
#define VFORK \
	"	hint #34\n" \
	"	stp x29, x30, [sp, #-16]!\n" \
	"	bl agent_share_begin_vfork\n" \
	"	mov x16, x0\n" \
	"	ldp x29, x30, [sp], #16\n" \
	"	br x16\n"
#endif

#ifdef VFORK
__asm__(
"	.pushsection .text\n"
"	.globl vfork\n"
"	.type vfork, %function\n"
"vfork:\n"
VFORK
"	.size vfork, . - vfork\n"
"	.popsection\n");
#endif

__attribute__((visibility("default")))
int clone(int (*function)(void *data), void *stack, int flags, void *data, ...)
{
	void *parent_tid, *tls, *child_tid;
	va_list args;

	/* As many as there can be, as the C library does. */
	va_start(args, data);
	parent_tid = va_arg(args, void *);
	tls = va_arg(args, void *);
	child_tid = va_arg(args, void *);
	va_end(args);
	agent_next_need();
	if (flags & CLONE_VM)
		agent_tid_doubt_all();
	return rcu_dereference(agent_next.clone)(function, stack, flags, data,
			parent_tid, tls, child_tid);
}
