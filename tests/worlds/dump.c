/* SPDX-License-Identifier: MIT */
#include <babeltrace2/babeltrace.h>

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A sink that writes what the filter said of each event, one line each:
 * stream, time, tid or -, comm_source or -, comm. For judge.py.
 *
 * Parameters: `path`, a file. `again`, an integer: after that many messages
 * all is read from the beginning once more, and what was written is void.
 */
struct dump {
	FILE *file;
	/* Owned; NULL until the graph is configured. */
	bt_message_iterator *iterator;
	uint64_t again;
	uint64_t seen;
};

#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

static bt_component_class_initialize_method_status init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data)
{
	const bt_value *path =
		bt_value_map_borrow_entry_value_const(params, "path");
	const bt_value *again =
		bt_value_map_borrow_entry_value_const(params, "again");
	struct dump *dump = calloc(1, sizeof(*dump));

	(void) configuration;
	(void) data;
	if (!dump)
		goto error;
	if (again)
		dump->again = (uint64_t) bt_value_integer_signed_get(again);
	dump->file = fopen(bt_value_string_get(path), "w");
	if (!dump->file || bt_self_component_sink_add_input_port(self, "in",
			NULL, NULL) < 0)
		goto error;
	bt_self_component_set_data(
		bt_self_component_sink_as_self_component(self), dump);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
error:
	if (dump && dump->file)
		fclose(dump->file);
	free(dump);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

static struct dump *dump_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));
}

static void finalize(bt_self_component_sink *self)
{
	struct dump *dump = dump_of(self);

	bt_message_iterator_put_ref(dump->iterator);
	fclose(dump->file);
	free(dump);
}

static bt_component_class_sink_graph_is_configured_method_status configured(
		bt_self_component_sink *self)
{
	struct dump *dump = dump_of(self);

	if (bt_message_iterator_create_from_sink_component(self,
			bt_self_component_sink_borrow_input_port_by_index(self,
				0), &dump->iterator) < 0)
		return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

static const bt_field *member(const bt_field *context, const char *name)
{
	return context ? bt_field_structure_borrow_member_field_by_name_const(
		context, name) : NULL;
}

/* By its length: babeltrace2 2.0.4 gives an earlier text for an empty one. */
static const char *text(const bt_field *field)
{
	if (!field)
		return "-";
	return bt_field_string_get_length(field) ?
		bt_field_string_get_value(field) : "";
}

static void write_event(const struct dump *dump, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_field *context =
		bt_event_borrow_common_context_field_const(event);
	const bt_field *tid = member(context, "tid");
	const char *stream =
		bt_stream_get_name(bt_event_borrow_stream_const(event));
	const char *slash = stream ? strrchr(stream, '/') : NULL;
	const bt_clock_snapshot *snapshot =
		bt_message_event_borrow_default_clock_snapshot_const(message);

	fprintf(dump->file, "%s\t%" PRIu64 "\t%" PRId64 "\t%s\t%s\n",
		slash ? slash + 1 : stream,
		bt_clock_snapshot_get_value(snapshot),
		tid ? bt_field_integer_signed_get_value(tid) : -1,
		text(member(context, "comm_source")),
		text(member(context, "comm")));
}

static int start_again(struct dump *dump)
{
	dump->again = 0;
	rewind(dump->file);
	if (ftruncate(fileno(dump->file), 0) < 0)
		return -1;
	return bt_message_iterator_seek_beginning(dump->iterator);
}

static bt_component_class_sink_consume_method_status consume(
		bt_self_component_sink *self)
{
	struct dump *dump = dump_of(self);
	bt_message_array_const messages;
	uint64_t count;
	uint64_t i;
	int status;

	status = bt_message_iterator_next(dump->iterator, &messages, &count);
	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END && dump->again)
		count = 0;
	else if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return status;
	for (i = 0; i < count; i++) {
		if (bt_message_get_type(messages[i]) == BT_MESSAGE_TYPE_EVENT)
			write_event(dump, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	dump->seen += count;
	if (dump->again && (dump->seen >= dump->again || count == 0) &&
			start_again(dump) < 0)
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
}

BT_PLUGIN(commcacheworlds);
BT_PLUGIN_LICENSE("MIT");

BT_PLUGIN_SINK_COMPONENT_CLASS(dump, consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(dump, init);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(dump, finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(dump, configured);
