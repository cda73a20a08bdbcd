/* SPDX-License-Identifier: MIT */
/* See tracepoint.h. */
