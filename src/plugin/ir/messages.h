/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_MESSAGES_H
#define COMMCACHE_PLUGIN_IR_MESSAGES_H

#include "ir/objects.h"

/*
 * The messages that are no events. Each is seen (the owner is told, the
 * current packet is kept) and, if `output` is not NULL, made again.
 */
enum status messages_handle(struct mirror *mirror,
		const bt_message *message, const bt_message **output);

#endif /* COMMCACHE_PLUGIN_IR_MESSAGES_H */
