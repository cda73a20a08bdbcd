/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_SURVEY_TRACES_H
#define COMMCACHE_PLUGIN_SURVEY_TRACES_H

#include <babeltrace2/babeltrace.h>

/* What the traces of an input declare, whatever their format. */
struct traces;

struct traces *traces_create(void);
void traces_destroy(struct traces *traces);

/* Any message. */
void traces_message(struct traces *traces, const bt_message *message);

/*
 * For each trace, on the standard output: "trace", and then, a line each, "domain
 * D", "tracer T VERSION", "host H", "session S", "context C" of its events,
 * "without C" of a stream whose events lack it, "event E".
 */
void traces_print(const struct traces *traces);

#endif /* COMMCACHE_PLUGIN_SURVEY_TRACES_H */
