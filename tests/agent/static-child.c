/* SPDX-License-Identifier: MIT */

/* Linked statically: nothing can be preloaded. Names itself. */

#include <sys/prctl.h>

int main(void)
{
	return prctl(PR_SET_NAME, "static child");
}
