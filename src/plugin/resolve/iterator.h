/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_RESOLVE_ITERATOR_H
#define COMMCACHE_PLUGIN_RESOLVE_ITERATOR_H

#include <babeltrace2/babeltrace.h>

/* The methods of the message iterator of `filter.commcache.resolve`. */

bt_message_iterator_class_initialize_method_status resolve_iterator_init(
		bt_self_message_iterator *self,
		bt_self_message_iterator_configuration *configuration,
		bt_self_component_port_output *port);

void resolve_iterator_finalize(bt_self_message_iterator *self);

bt_message_iterator_class_next_method_status resolve_iterator_next(
		bt_self_message_iterator *self,
		bt_message_array_const messages, uint64_t capacity,
		uint64_t *count);

/*
 * Possible if the input can be read again from its beginning: see input.h. What
 * comes then is what came first.
 */
bt_message_iterator_class_can_seek_beginning_method_status
resolve_iterator_can_seek_beginning(bt_self_message_iterator *self,
		bt_bool *can_seek);

bt_message_iterator_class_seek_beginning_method_status
resolve_iterator_seek_beginning(bt_self_message_iterator *self);

#endif /* COMMCACHE_PLUGIN_RESOLVE_ITERATOR_H */
