/* SPDX-License-Identifier: MIT */
#include "resolve/comm-text.h"

#include <string.h>

#include "escape.h"

size_t comm_text_escape(const struct commcache_comm *comm,
		char text[COMM_TEXT_SIZE])
{
	return escape_bytes(comm->str,
		strnlen(comm->str, COMMCACHE_COMM_LEN - 1), text);
}
