/* SPDX-License-Identifier: MIT */
#include "ir/event-class.h"

#include "ir/field-class.h"
#include "ir/location.h"
#include "ir/mip.h"

static bool copy_event_class_properties(struct mirror *mirror,
		const bt_event_class *in, bt_event_class *out)
{
	const char *name = bt_event_class_get_name(in);
	const char *emf_uri = bt_event_class_get_emf_uri(in);
	bt_event_class_log_level log_level;

	bt_event_class_set_user_attributes(out,
		bt_event_class_borrow_user_attributes_const(in));
	if (bt_event_class_get_log_level(in, &log_level) ==
			BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_event_class_set_log_level(out, log_level);
	return (!name || bt_event_class_set_name(out, name) ==
			BT_EVENT_CLASS_SET_NAME_STATUS_OK) &&
		(!emf_uri || bt_event_class_set_emf_uri(out, emf_uri) ==
			BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK) &&
		mirror->mip->copy_event_class(in, out);
}

static void add_scope(struct mirror_event_class *event_class,
		const struct copy_scope *scope)
{
	event_class->scopes[event_class->scope_count++] = *scope;
}

/* The class is the stream class's: here its copying is only noted. */
static void add_common_context(struct mirror_event_class *event_class)
{
	struct mirror_stream_class *stream_class = event_class->stream_class;

	if (!bt_stream_class_borrow_event_common_context_field_class_const(
			stream_class->out))
		return;
	add_scope(event_class, &(struct copy_scope) {
		.borrow_in =
			bt_stream_class_borrow_event_common_context_field_class_const(
				stream_class->in) ?
			bt_event_borrow_common_context_field_const : NULL,
		.borrow_out = bt_event_borrow_common_context_field,
		.plan = &stream_class->common_context,
		.name = "common context",
	});
}

static enum status set_specific_context(
		struct field_class_mirror *classes,
		struct mirror_event_class *event_class,
		const bt_field_class *in, bt_event_class *out)
{
	bt_field_class *out_class = NULL;
	enum status status;

	status = structure_class_mirror_root(classes, MIRROR_SPECIFIC_CONTEXT,
		in, &out_class, &event_class->specific_context);
	if (status == STATUS_OK &&
			bt_event_class_set_specific_context_field_class(out,
				out_class) !=
				BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK)
		status = STATUS_MEMORY_ERROR;
	bt_field_class_put_ref(out_class);
	add_scope(event_class, &(struct copy_scope) {
		.borrow_in = in ?
			bt_event_borrow_specific_context_field_const : NULL,
		.borrow_out = bt_event_borrow_specific_context_field,
		.plan = &event_class->specific_context,
		.name = "specific context",
	});
	return status;
}

static enum status set_payload(struct field_class_mirror *classes,
		struct mirror_event_class *event_class,
		const bt_field_class *in, bt_event_class *out)
{
	bt_field_class *out_class = NULL;
	enum status status;

	status = structure_class_mirror_root(classes, MIRROR_PAYLOAD, in,
		&out_class, &event_class->payload);
	if (status == STATUS_OK &&
			bt_event_class_set_payload_field_class(out,
				out_class) !=
				BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK)
		status = STATUS_MEMORY_ERROR;
	bt_field_class_put_ref(out_class);
	add_scope(event_class, &(struct copy_scope) {
		.borrow_in = in ? bt_event_borrow_payload_field_const : NULL,
		.borrow_out = bt_event_borrow_payload_field,
		.plan = &event_class->payload,
		.name = "payload",
	});
	return status;
}

/* A copy of the table, for the classes of one event class. */
static GHashTable *copy_table(GHashTable *table)
{
	GHashTable *copy = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, &key, &value))
		g_hash_table_insert(copy, key, value);
	return copy;
}

static enum status set_event_class_fields(struct mirror *mirror,
		struct mirror_event_class *event_class,
		const struct mirror_request *request, bt_event_class *out)
{
	struct mirror_stream_class *stream_class = event_class->stream_class;
	const bt_field_class *specific =
		bt_event_class_borrow_specific_context_field_class_const(
			event_class->in);
	const bt_field_class *payload =
		bt_event_class_borrow_payload_field_class_const(
			event_class->in);
	struct field_class_mirror classes = {
		.mip = mirror->mip,
		.self_iterator = mirror->self_iterator,
		.trace_class = stream_class->trace_class->out,
		.scopes = {
			[BT_FIELD_PATH_SCOPE_PACKET_CONTEXT] =
				bt_stream_class_borrow_packet_context_field_class_const(
					stream_class->in),
			[BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT] =
				bt_stream_class_borrow_event_common_context_field_class_const(
					stream_class->in),
			[BT_FIELD_PATH_SCOPE_EVENT_SPECIFIC_CONTEXT] = specific,
			[BT_FIELD_PATH_SCOPE_EVENT_PAYLOAD] = payload,
		},
		.made = copy_table(stream_class->field_classes),
		.request = request,
	};
	enum status status = STATUS_OK;

	add_common_context(event_class);
	if (specific || request_has_root(request, MIRROR_SPECIFIC_CONTEXT))
		status = set_specific_context(&classes, event_class, specific,
			out);
	if (status == STATUS_OK &&
			(payload || request_has_root(request, MIRROR_PAYLOAD)))
		status = set_payload(&classes, event_class, payload, out);
	g_hash_table_destroy(classes.made);
	return status;
}

static enum status ask_event_class_members(struct mirror *mirror,
		struct mirror_event_class *event_class,
		struct mirror_request *request)
{
	request->roots[MIRROR_SPECIFIC_CONTEXT] =
		bt_event_class_borrow_specific_context_field_class_const(
			event_class->in);
	request->roots[MIRROR_PAYLOAD] =
		bt_event_class_borrow_payload_field_class_const(
			event_class->in);
	request->allowed[MIRROR_SPECIFIC_CONTEXT] = true;
	request->allowed[MIRROR_PAYLOAD] = true;
	if (!mirror->ops->event_class_members)
		return STATUS_OK;
	return mirror->ops->event_class_members(mirror->owner,
		event_class->data, event_class->in, request);
}

enum status event_class_make(struct mirror *mirror,
		struct mirror_event_class *event_class)
{
	/* Two members of one event must not share a slot. */
	struct slot_set slots = event_class->stream_class->slots;
	struct mirror_request request;
	enum status status;

	request_init(&request, &slots);
	status = ask_event_class_members(mirror, event_class, &request);
	if (status != STATUS_OK)
		goto end;
	event_class->out = bt_event_class_create_with_id(
		event_class->stream_class->out,
		bt_event_class_get_id(event_class->in));
	if (!event_class->out || !copy_event_class_properties(mirror,
			event_class->in, event_class->out)) {
		status = STATUS_MEMORY_ERROR;
		goto end;
	}

	status = set_event_class_fields(mirror, event_class, &request,
		event_class->out);

end:
	request_finish(&request);
	if (status != STATUS_OK) {
		mirror->broken = true;
		location_append_event_class(mirror->self_iterator,
			"Cannot mirror", event_class->in);
	}

	return status;
}
