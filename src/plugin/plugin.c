/* SPDX-License-Identifier: MIT */
#include <babeltrace2/babeltrace.h>

#include "learned/component.h"
#include "resolve/component.h"
#include "resolve/iterator.h"
#include "survey/component.h"
#include "threads/component.h"
#include "threads/sink.h"
#include "timeline/component.h"

/*
 * The functions by which libbabeltrace2 finds the rest. Hidden, as everything
 * is by default, it would find those of another library instead.
 */
#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

BT_PLUGIN(commcache);
BT_PLUGIN_DESCRIPTION("Names of threads, at the moment of each event");
BT_PLUGIN_AUTHOR("The commcache authors");
BT_PLUGIN_LICENSE("MIT");
BT_PLUGIN_VERSION(COMMCACHE_VERSION_MAJOR, COMMCACHE_VERSION_MINOR,
	COMMCACHE_VERSION_PATCH, NULL);

BT_PLUGIN_FILTER_COMPONENT_CLASS(resolve, resolve_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(resolve,
	"Give each event the name that its thread had at that moment");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(resolve,
	"See the babeltrace2-filter.commcache.resolve(7) manual page.");
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(resolve,
	resolve_component_get_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(resolve,
	resolve_component_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(resolve,
	resolve_component_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(
	resolve, resolve_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(
	resolve, resolve_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
	resolve, resolve_iterator_seek_beginning,
	resolve_iterator_can_seek_beginning);

BT_PLUGIN_SINK_COMPONENT_CLASS(threads, sink_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(threads,
	"Print a table of threads, their names over time, events and CPU time");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(threads,
	"See the babeltrace2-sink.commcache.threads(7) manual page.");
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(threads,
	sink_get_mip_versions);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(threads,
	threads_component_init);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(threads,
	sink_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(threads,
	sink_graph_is_configured);

BT_PLUGIN_SINK_COMPONENT_CLASS(timeline, sink_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(timeline,
	"Draw what each thread was called and did when: a page, or for Perfetto");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(timeline,
	"See the babeltrace2-sink.commcache.timeline(7) manual page.");
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(timeline,
	sink_get_mip_versions);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(timeline,
	timeline_component_init);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(timeline,
	sink_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(timeline,
	sink_graph_is_configured);

BT_PLUGIN_SINK_COMPONENT_CLASS(learn, sink_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(learn,
	"Keep in a file what traces tell of names, for reading them once");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(learn,
	"See the babeltrace2-plugin-commcache(7) manual page.");
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(learn,
	sink_get_mip_versions);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(learn,
	learned_component_init);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(learn,
	sink_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(learn,
	sink_graph_is_configured);

BT_PLUGIN_SINK_COMPONENT_CLASS(survey, sink_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(survey,
	"Print what `commcache doctor` asks: a fact a line");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(survey,
	"See the babeltrace2-plugin-commcache(7) manual page.");
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(survey,
	sink_get_mip_versions);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(survey,
	survey_component_init);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(survey,
	sink_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(survey,
	sink_graph_is_configured);
