/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_TEXT_H
#define COMMCACHE_PLUGIN_IR_TEXT_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* Whether mirror_set_text() can write a field of this class. */
bool text_is_text_class(const bt_field_class *field_class);

#endif /* COMMCACHE_PLUGIN_IR_TEXT_H */
