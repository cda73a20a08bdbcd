/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_FOLDER_H
#define COMMCACHE_PLUGIN_RESOLVE_FOLDER_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The folder that a stream of src.ctf.fs is in, by the stream's name, which is the
 * path of its file. To be freed by g_free(); NULL: it is of another source.
 */
char *folder_of_stream(const bt_stream *stream);

/*
 * When the newest packet of the trace in that folder ends, in nanoseconds from the
 * origin, by what src.ctf.fs tells without reading it. False: it does not.
 */
bool folder_newest(const char *folder, int64_t *newest);

#endif /* COMMCACHE_PLUGIN_RESOLVE_FOLDER_H */
