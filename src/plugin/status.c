/* SPDX-License-Identifier: MIT */
#include "status.h"

#include <babeltrace2/babeltrace.h>

int status_to_library(enum status status)
{
	/* The enum that has them all. */
	static const bt_component_class_sink_consume_method_status theirs[] = {
		[STATUS_OK] = BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK,
		[STATUS_END] = BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END,
		[STATUS_AGAIN] =
			BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_AGAIN,
		[STATUS_ERROR] =
			BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR,
		[STATUS_MEMORY_ERROR] =
			BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR,
		[STATUS_REFUSED] =
			BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR,
	};

	return theirs[status];
}

enum status status_of_library(int status)
{
	switch (status) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return STATUS_OK;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return STATUS_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return STATUS_MEMORY_ERROR;
	default:
		return STATUS_ERROR;
	}
}
