/* SPDX-License-Identifier: MIT */
/*
 * Which members are added where.
 */
#include "resolve/naming-private.h"

#include <fnmatch.h>
#include <string.h>

static bool event_class_is_named(const bt_event_class *event_class,
		const char *pattern)
{
	const char *name = bt_event_class_get_name(event_class);

	return name && fnmatch(pattern, name, 0) == 0;
}

static bool trace_has_event(const struct learn_tracer *tracer,
		const char *pattern)
{
	const bt_trace_class *trace_class = tracer->data;
	const uint64_t stream_classes =
		bt_trace_class_get_stream_class_count(trace_class);
	uint64_t i, j;

	for (i = 0; i < stream_classes; i++) {
		const bt_stream_class *stream_class =
			bt_trace_class_borrow_stream_class_by_index_const(
				trace_class, i);
		const uint64_t event_classes =
			bt_stream_class_get_event_class_count(stream_class);

		for (j = 0; j < event_classes; j++) {
			if (event_class_is_named(
					bt_stream_class_borrow_event_class_by_index_const(
						stream_class, j), pattern))
				return true;
		}
	}
	return false;
}

static const char *environment_string(const bt_trace *trace, const char *name)
{
	const bt_value *value =
		bt_trace_borrow_environment_entry_value_by_name_const(trace,
			name);

	return value && bt_value_is_string(value) ?
		bt_value_string_get(value) : NULL;
}

enum status naming_trace_seen(void *owner, const bt_trace *trace,
		void **data)
{
	struct naming_trace *own = g_new0(struct naming_trace, 1);
	const struct learn_tracer tracer = {
		.tracer_name = environment_string(trace, "tracer_name"),
		.domain = environment_string(trace, "domain"),
		.has_event = trace_has_event,
		.data = bt_trace_borrow_class_const(trace),
	};

	(void) owner;
	own->trace = trace;
	own->table = learn_table_choose(&tracer);
	*data = own;
	return STATUS_OK;
}

void naming_trace_gone(void *owner, void *data)
{
	struct naming *naming = owner;
	struct naming_trace *trace = data;

	learn_source_gone(naming->learn, trace->trace);
	naming->until_forget = MIN(naming->until_forget,
		NAMING_FORGET_AFTER_TRACE);
	g_free(trace);
}

static int64_t find_cpu_index(const bt_stream_class *stream_class)
{
	const bt_field_class *context = NULL;
	uint64_t count, i;

	if (bt_stream_class_supports_packets(stream_class))
		context = bt_stream_class_borrow_packet_context_field_class_const(
			stream_class);
	count = context ?
		bt_field_class_structure_get_member_count(context) : 0;
	for (i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(
				context, i);

		if (strcmp(bt_field_class_structure_member_get_name(member),
				"cpu_id") == 0 && bt_field_class_type_is(
				bt_field_class_get_type(
					bt_field_class_structure_member_borrow_field_class_const(
						member)),
				BT_FIELD_CLASS_TYPE_INTEGER))
			return i;
	}
	return -1;
}

enum status naming_stream_class_seen(void *owner,
		const bt_stream_class *stream_class, void *trace_data,
		void **data)
{
	struct naming *naming = owner;
	struct naming_trace *trace = trace_data;
	const struct learn_classes classes = { stream_class, NULL };
	struct learn_source *source = learn_source_find(naming->learn,
		trace->trace, stream_class, trace->table);
	struct naming_stream_class *own;

	if (!source)
		return naming_status(naming, STATUS_REFUSED);
	own = g_new0(struct naming_stream_class, 1);
	own->table = trace->table;
	own->stream_class = stream_class;
	own->source = source;
	own->plan = learn_plan_create(trace->table, &classes,
		naming->config->ids);
	own->cpu_index = find_cpu_index(stream_class);
	own->ids = g_array_new(FALSE, FALSE, sizeof(struct naming_id));
	own->slot_count = NAMING_SLOT_IDS;
	*data = own;
	return STATUS_OK;
}

void naming_stream_class_gone(void *owner, void *data)
{
	struct naming_stream_class *stream_class = data;

	(void) owner;
	learn_source_put(stream_class->source);
	learn_plan_destroy(stream_class->plan);
	g_array_free(stream_class->ids, TRUE);
	g_free(stream_class);
}

enum status naming_event_class_seen(void *owner,
		const bt_event_class *event_class, void *trace_data,
		void *stream_class_data, void **data)
{
	struct naming *naming = owner;
	struct naming_trace *trace = trace_data;
	struct naming_stream_class *stream_class = stream_class_data;
	const struct learn_classes classes = {
		bt_event_class_borrow_stream_class_const(event_class),
		event_class,
	};
	struct naming_event_class *own = g_new0(struct naming_event_class, 1);

	own->stream_class = stream_class;
	own->plan = learn_plan_create(trace->table, &classes,
		naming->config->ids);
	own->ids = g_array_new(FALSE, FALSE, sizeof(struct naming_id));
	learn_source_plan(stream_class->source, own->plan);
	stream_class->holds_switches |= own->plan->moves_cpu;
	naming->some_tell |= learn_plan_tells(own->plan);
	naming->some_ask |= learn_plan_asks(own->plan);
	*data = own;
	return STATUS_OK;
}

void naming_event_class_gone(void *owner, void *data)
{
	struct naming_event_class *event_class = data;

	(void) owner;
	learn_plan_destroy(event_class->plan);
	g_array_free(event_class->ids, TRUE);
	g_free(event_class);
}

static const enum mirror_scope mirror_scopes[LEARN_SCOPES] = {
	[LEARN_COMMON_CONTEXT] = MIRROR_COMMON_CONTEXT,
	[LEARN_SPECIFIC_CONTEXT] = MIRROR_SPECIFIC_CONTEXT,
	[LEARN_PAYLOAD] = MIRROR_PAYLOAD,
};

/*
 * Adds `<id>_comm` after each id of the plan in those scopes that has no name
 * beside it. A name that is taken, or one id too many, is left out.
 */
static enum status add_ids(const struct learn_plan *plan,
		bool of_common_context, struct mirror_request *request,
		GArray *ids, unsigned int *slot)
{
	enum mirror_add_status status;
	size_t i;

	for (i = 0; i < plan->id_count; i++) {
		struct naming_id own = { .id = plan->ids[i], .slot = *slot };
		struct mirror_member member = {
			.scope = mirror_scopes[own.id.ref.scope],
			.place = MIRROR_AFTER,
			.index = own.id.ref.index,
			.type = MIRROR_STRING,
			.slot = *slot,
		};
		char *name;

		if (own.id.is_named || of_common_context !=
				(own.id.ref.scope == LEARN_COMMON_CONTEXT))
			continue;
		name = g_strconcat(own.id.name, "_comm", NULL);
		member.name = name;
		status = mirror_add_member(request, &member);
		g_free(name);
		if (status == MIRROR_ADD_MEMORY_ERROR)
			return STATUS_MEMORY_ERROR;
		if (status != MIRROR_ADD_OK)
			continue;
		g_array_append_val(ids, own);
		(*slot)++;
	}
	return STATUS_OK;
}

/* Appends a member to the common context. */
static enum mirror_add_status append_common(struct mirror_request *request,
		const char *name, enum mirror_type type, enum naming_slot slot)
{
	const struct mirror_member member = {
		.scope = MIRROR_COMMON_CONTEXT,
		.place = MIRROR_AT_END,
		.name = name,
		.type = type,
		/* A tid has 22 bits; LTTng's has 32. */
		.bits = type == MIRROR_STRING ? 0 : 32,
		.slot = slot,
	};

	return mirror_add_member(request, &member);
}

/* The same of one that is left out where its name is taken. */
static enum status add_common(struct mirror_request *request,
		const char *name, enum mirror_type type, enum naming_slot slot,
		bool *is_added)
{
	const enum mirror_add_status status = append_common(request, name,
		type, slot);

	*is_added = status == MIRROR_ADD_OK;
	return status == MIRROR_ADD_MEMORY_ERROR ?
		STATUS_MEMORY_ERROR : STATUS_OK;
}

static bool find_common(const bt_stream_class *stream_class, const char *name,
		uint64_t *index)
{
	const bt_field_class *context =
		bt_stream_class_borrow_event_common_context_field_class_const(
			stream_class);
	const uint64_t count = context ?
		bt_field_class_structure_get_member_count(context) : 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		if (strcmp(bt_field_class_structure_member_get_name(
				bt_field_class_structure_borrow_member_by_index_const(
					context, i)), name) == 0) {
			*index = i;
			return true;
		}
	}
	return false;
}

static enum status add_comm(struct naming *naming,
		const bt_stream_class *stream_class,
		struct mirror_request *request, bool *is_added)
{
	const char *name = naming->config->field_name;
	struct mirror_member member = {
		.scope = MIRROR_COMMON_CONTEXT,
		.place = MIRROR_REPLACE,
		.type = MIRROR_AS_REPLACED,
		.slot = NAMING_SLOT_COMM,
	};
	enum mirror_add_status status;

	if (find_common(stream_class, name, &member.index))
		status = mirror_add_member(request, &member);
	else
		status = append_common(request, name, MIRROR_STRING,
			NAMING_SLOT_COMM);
	if (status == MIRROR_ADD_MEMORY_ERROR)
		return STATUS_MEMORY_ERROR;
	*is_added = status == MIRROR_ADD_OK;
	if (*is_added)
		return STATUS_OK;
	if (status == MIRROR_ADD_NAME_TAKEN) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			naming->self_iterator,
			"The common context gets a member `%s` that this "
			"filter already adds for another id: give another "
			"name with the parameter `field-name`", name);
		return STATUS_ERROR;
	}
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
		naming->self_iterator,
		"The common context has a member `%s` that is no text: give "
		"another name with the parameter `field-name`", name);
	return STATUS_ERROR;
}

/* Whether to tell the tid that the CPU's switches told. */
static bool wants_tid(const struct naming *naming,
		const struct naming_stream_class *own,
		const bt_stream_class *stream_class)
{
	uint64_t index;

	if (!naming->config->infer_current || own->cpu_index < 0 ||
			!learn_source_asks(own->source) ||
			!learn_source_has_switches(own->source))
		return false;
	if (find_common(stream_class, "tid", &index))
		return false;
	/* A vtid tells as much to who looks at one process. */
	return !own->table->ids_virtual ||
		!find_common(stream_class, "vtid", &index);
}

enum status naming_stream_class_members(void *owner,
		void *stream_class_data, const bt_stream_class *stream_class,
		struct mirror_request *request)
{
	struct naming *naming = owner;
	struct naming_stream_class *own = stream_class_data;
	enum status status;

	status = add_ids(own->plan, true, request, own->ids, &own->slot_count);
	if (status == STATUS_OK && wants_tid(naming, own, stream_class))
		status = add_common(request, "tid", MIRROR_SIGNED,
			NAMING_SLOT_TID, &own->has_tid);
	if (status == STATUS_OK)
		status = add_comm(naming, stream_class, request,
			&own->has_comm);
	if (status == STATUS_OK && naming->config->provenance)
		status = add_common(request, "comm_source", MIRROR_STRING,
			NAMING_SLOT_SOURCE, &own->has_source);
	return status;
}

enum status naming_event_class_members(void *owner,
		void *event_class_data, const bt_event_class *event_class,
		struct mirror_request *request)
{
	struct naming_event_class *own = event_class_data;
	unsigned int slot = own->stream_class->slot_count;

	(void) owner;
	(void) event_class;
	return add_ids(own->plan, false, request, own->ids, &slot);
}
