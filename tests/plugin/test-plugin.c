/* SPDX-License-Identifier: MIT */
#include <babeltrace2/babeltrace.h>

#include "resolve/component.h"
#include "resolve/iterator.h"

/*
 * The filter with test-naming.c in place of names: what shows whether the
 * mirror and the iterator do what they are to do.
 */

#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

BT_PLUGIN(commcachetest);
BT_PLUGIN_LICENSE("MIT");

BT_PLUGIN_FILTER_COMPONENT_CLASS(mirror, resolve_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(mirror,
	resolve_component_get_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(mirror,
	resolve_component_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(mirror,
	resolve_component_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(
	mirror, resolve_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(
	mirror, resolve_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
	mirror, resolve_iterator_seek_beginning,
	resolve_iterator_can_seek_beginning);
