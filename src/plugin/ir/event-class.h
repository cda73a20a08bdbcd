/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_EVENT_CLASS_H
#define COMMCACHE_PLUGIN_IR_EVENT_CLASS_H

#include "ir/objects.h"

/* The output of an event class whose stream class has one: as of output.h. */
enum status event_class_make(struct mirror *mirror,
		struct mirror_event_class *event_class);

#endif /* COMMCACHE_PLUGIN_IR_EVENT_CLASS_H */
