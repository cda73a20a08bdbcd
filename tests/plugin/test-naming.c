/* SPDX-License-Identifier: MIT */
/*
 * A naming (see resolve/naming.h) that names nothing, and does what a test
 * tells it. The test speaks through the parameter `ids`, an array of orders:
 *
 *   common, specific, payload   add to that scope a string, a signed and an
 *                               unsigned integer, at its end
 *   after                       add a string after each member of the payload
 *   nested                      add a string to each structure in the payload
 *   replace:NAME                replace that member, its class kept
 *   string:NAME                 replace that member by a string
 *   rename:NAME                 replace that member by a string of new name
 *   refused                     ask for what has to be refused
 *   fail:FUNCTION               fail in that function of the mirror's owner
 *   memory:FUNCTION             the same, for lack of memory
 *
 * `keep` is of event names here. With `provenance`, the report says on stderr
 * what was seen. Added strings say how many events were seen before this one,
 * those of a first pass included. Members' names begin with `zz_`.
 */
#include "resolve/naming.h"
#include "test-refused.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_COMMON = 0, SLOT_SPECIFIC = 10, SLOT_PAYLOAD = 20,
	SLOT_MORE = 30 };

struct naming {
	/* Weak. */
	const struct naming_config *config;
	bt_self_message_iterator *self_iterator;
	enum naming_pass pass;

	uint64_t learned;
	uint64_t resolved;
	uint64_t dropped;
	uint64_t passes;
	/* What was seen and is not gone. */
	int64_t alive;
};

/* What the owner keeps of each object: where its strings are. */
struct class_data {
	/* Which slots are to be filled. */
	bool strings[MIRROR_SLOTS_MAX];
	bool signeds[MIRROR_SLOTS_MAX];
	bool unsigneds[MIRROR_SLOTS_MAX];
	/* An event class's: of its stream class. Weak. */
	struct class_data *parent;
	unsigned int next_slot;
};

/* The part after the colon of the order that begins so; NULL: none. */
static const char *order(const struct naming *naming, const char *prefix,
		unsigned int skip)
{
	char **ids;

	for (ids = naming->config->ids; *ids; ids++) {
		size_t length = strlen(prefix);

		if (strncmp(*ids, prefix, length) == 0 && skip-- == 0)
			return *ids + length;
	}

	return NULL;
}

static bool ordered(const struct naming *naming, const char *what)
{
	char **ids;

	for (ids = naming->config->ids; *ids; ids++) {
		if (strcmp(*ids, what) == 0)
			return true;
	}

	return false;
}

static enum status may_fail(const struct naming *naming,
		const char *function)
{
	const char *where = order(naming, "fail:", 0);

	if (where && strcmp(where, function) == 0) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			naming->self_iterator, "Told to fail in %s", function);
		return STATUS_ERROR;
	}

	where = order(naming, "memory:", 0);
	return where && strcmp(where, function) == 0 ?
		STATUS_MEMORY_ERROR : STATUS_OK;
}

static void add(struct mirror_request *request, struct class_data *data,
		const struct mirror_member *member)
{
	enum mirror_add_status status = mirror_add_member(request, member);

	if (status != MIRROR_ADD_OK) {
		fprintf(stderr, "commcachetest: `%s` was refused: %d\n",
			member->name, status);
		abort();
	}

	if (member->type == MIRROR_SIGNED)
		data->signeds[member->slot] = true;
	else if (member->type == MIRROR_UNSIGNED)
		data->unsigneds[member->slot] = true;
	else
		data->strings[member->slot] = true;
}

static void add_three(struct mirror_request *request, struct class_data *data,
		enum mirror_scope scope, unsigned int slot)
{
	add(request, data, &(struct mirror_member) {
		.scope = scope, .name = "zz_string", .type = MIRROR_STRING,
		.slot = slot,
	});
	add(request, data, &(struct mirror_member) {
		.scope = scope, .name = "zz_signed", .type = MIRROR_SIGNED,
		.bits = 7, .slot = slot + 1,
	});
	add(request, data, &(struct mirror_member) {
		.scope = scope, .name = "zz_unsigned", .type = MIRROR_UNSIGNED,
		.base = BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL,
		.slot = slot + 2,
	});
}

static void replace_in(const struct naming *naming,
		struct mirror_request *request, struct class_data *data,
		enum mirror_scope scope, const bt_field_class *structure)
{
	static const struct {
		const char *prefix;
		const char *new_name;
		enum mirror_type type;
	} orders[] = {
		{ "replace:", NULL, MIRROR_AS_REPLACED },
		{ "string:", NULL, MIRROR_STRING },
		{ "rename:", "zz_renamed", MIRROR_STRING },
	};
	unsigned int i, skip;

	for (i = 0; i < G_N_ELEMENTS(orders); i++) {
		const char *name;

		for (skip = 0; (name = order(naming, orders[i].prefix, skip));
				skip++) {
			int64_t index = member_index(structure, name);

			if (index >= 0) {
				add(request, data, &(struct mirror_member) {
					.scope = scope,
					.place = MIRROR_REPLACE,
					.index = index,
					.name = orders[i].new_name,
					.type = orders[i].type,
					.slot = data->next_slot++,
				});
			}
		}
	}
}

/* Seen and gone */

static struct class_data *new_data(struct naming *naming)
{
	struct class_data *data = g_new0(struct class_data, 1);

	naming->alive++;
	data->next_slot = SLOT_MORE;
	return data;
}

static void gone(void *owner, void *data)
{
	struct naming *naming = owner;

	naming->alive--;
	g_free(data);
}

/* What fails is not seen. */
static enum status seen(struct naming *naming, const char *function,
		void **data)
{
	enum status status = may_fail(naming, function);

	if (status == STATUS_OK)
		*data = new_data(naming);
	return status;
}

static enum status trace_seen(void *owner, const bt_trace *trace,
		void **data)
{
	(void) trace;
	return seen(owner, "trace_seen", data);
}

static enum status stream_class_seen(void *owner,
		const bt_stream_class *stream_class, void *trace_data,
		void **data)
{
	(void) stream_class;
	g_assert(trace_data);
	return seen(owner, "stream_class_seen", data);
}

static enum status event_class_seen(void *owner,
		const bt_event_class *event_class, void *trace_data,
		void *stream_class_data, void **data)
{
	enum status status;

	(void) event_class;
	g_assert(trace_data && stream_class_data);
	status = seen(owner, "event_class_seen", data);
	if (status == STATUS_OK)
		((struct class_data *) *data)->parent = stream_class_data;
	return status;
}

static enum status stream_seen(void *owner, const bt_stream *stream,
		void *trace_data, void *stream_class_data, void **data)
{
	(void) stream;
	g_assert(trace_data && stream_class_data);
	return seen(owner, "stream_seen", data);
}

static enum status packet_begins(void *owner, void *stream_data,
		const bt_packet *packet)
{
	g_assert(stream_data && packet);
	return may_fail(owner, "packet_begins");
}

/* Members */

static enum status stream_class_members(void *owner, void *data,
		const bt_stream_class *stream_class,
		struct mirror_request *request)
{
	const bt_field_class *common =
		bt_stream_class_borrow_event_common_context_field_class_const(
			stream_class);
	struct class_data *class_data = data;
	struct naming *naming = owner;

	if (ordered(naming, "common"))
		add_three(request, data, MIRROR_COMMON_CONTEXT, SLOT_COMMON);
	replace_in(naming, request, data, MIRROR_COMMON_CONTEXT, common);
	/* The event classes' own slots come after these. */
	class_data->next_slot = MAX(class_data->next_slot, SLOT_MORE);
	return may_fail(owner, "stream_class_members");
}

static void add_after_all(struct mirror_request *request,
		struct class_data *data, const bt_field_class *payload)
{
	uint64_t count = payload ?
		bt_field_class_structure_get_member_count(payload) : 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		char *name = g_strdup_printf("zz_after_%" PRIu64, i);

		add(request, data, &(struct mirror_member) {
			.scope = MIRROR_PAYLOAD, .place = MIRROR_AFTER,
			.index = i, .name = name, .type = MIRROR_STRING,
			.slot = data->next_slot++,
		});
		g_free(name);
	}
}

/* `at` says where `structure` is. */
static void add_nested(struct mirror_request *request,
		struct class_data *data, const bt_field_class *structure,
		const struct mirror_member *at)
{
	uint64_t count = bt_field_class_structure_get_member_count(structure);
	struct mirror_member member = *at;
	uint64_t i;

	if (at->path_length > 0) {
		member.name = "zz_nested";
		member.type = MIRROR_STRING;
		member.slot = data->next_slot++;
		add(request, data, &member);
	}

	for (i = 0; i < count && at->path_length < MIRROR_PATH_MAX; i++) {
		const bt_field_class *member_class =
			bt_field_class_structure_member_borrow_field_class_const(
				bt_field_class_structure_borrow_member_by_index_const(
					structure, i));

		if (bt_field_class_get_type(member_class) ==
				BT_FIELD_CLASS_TYPE_STRUCTURE) {
			member = *at;
			member.path[member.path_length++] = i;
			add_nested(request, data, member_class, &member);
		}
	}
}

static enum status event_class_members(void *owner, void *data,
		const bt_event_class *event_class,
		struct mirror_request *request)
{
	const bt_field_class *payload =
		bt_event_class_borrow_payload_field_class_const(event_class);
	struct class_data *class_data = data;
	struct naming *naming = owner;

	class_data->next_slot = class_data->parent->next_slot;
	if (ordered(naming, "specific"))
		add_three(request, data, MIRROR_SPECIFIC_CONTEXT,
			SLOT_SPECIFIC);
	if (ordered(naming, "payload"))
		add_three(request, data, MIRROR_PAYLOAD, SLOT_PAYLOAD);
	if (ordered(naming, "after"))
		add_after_all(request, data, payload);
	if (ordered(naming, "nested") && payload) {
		add_nested(request, data, payload, &(struct mirror_member) {
			.scope = MIRROR_PAYLOAD,
		});
	}

	if (ordered(naming, "refused"))
		ask_refused(request, payload);
	replace_in(naming, request, data, MIRROR_SPECIFIC_CONTEXT,
		bt_event_class_borrow_specific_context_field_class_const(
			event_class));
	replace_in(naming, request, data, MIRROR_PAYLOAD, payload);
	return may_fail(owner, "event_class_members");
}

/* Events */

static enum status observe(void *owner,
		const struct mirror_event *event)
{
	struct naming *naming = owner;

	g_assert(naming->pass == NAMING_PASS_LEARN);
	g_assert(event->stream_data && event->stream_class_data &&
		event->event_class_data);
	naming->learned++;
	return may_fail(owner, "observe");
}

static enum status message(void *owner, const bt_message *message,
		void *stream_data)
{
	g_assert((bt_message_get_type(message) ==
		BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY) == !stream_data);
	return may_fail(owner, "message");
}

static bool kept(const struct naming *naming, const char *name)
{
	char **pattern;

	for (pattern = naming->config->keep; *pattern; pattern++) {
		if (name && g_pattern_match_simple(*pattern, name))
			return true;
	}

	return !naming->config->keep[0];
}

static enum status resolve(void *owner,
		const struct mirror_event *event, enum mirror_verdict *verdict)
{
	struct naming *naming = owner;

	g_assert(naming->pass != NAMING_PASS_LEARN);
	g_assert(!event->clock || event->cycles ==
		bt_clock_snapshot_get_value(event->clock));
	if (naming->pass == NAMING_PASS_BOTH)
		naming->learned++;
	if (!kept(naming, bt_event_class_get_name(
			bt_event_borrow_class_const(event->event)))) {
		naming->dropped++;
		*verdict = MIRROR_DROP;
	}

	return may_fail(owner, "resolve");
}

static void fill_class(const struct class_data *data, const char *text,
		bt_field *const *slots)
{
	unsigned int i;

	for (i = 0; i < MIRROR_SLOTS_MAX; i++) {
		if (data->strings[i] && mirror_set_text(slots[i], text,
				strlen(text)) != STATUS_OK)
			abort();
		if (data->signeds[i])
			bt_field_integer_signed_set_value(slots[i], -64);
		if (data->unsigneds[i])
			bt_field_integer_unsigned_set_value(slots[i],
				UINT64_MAX);
	}
}

static enum status fill(void *owner, const struct mirror_event *event,
		bt_field *const *slots)
{
	struct naming *naming = owner;
	char text[32];

	snprintf(text, sizeof(text), "seen %" PRIu64, naming->learned);
	fill_class(event->stream_class_data, text, slots);
	fill_class(event->event_class_data, text, slots);
	naming->resolved++;
	return may_fail(owner, "fill");
}

const struct mirror_ops *naming_ops(struct naming *naming)
{
	static const struct mirror_ops ops = {
		.trace_seen = trace_seen,
		.trace_gone = gone,
		.stream_class_seen = stream_class_seen,
		.stream_class_gone = gone,
		.event_class_seen = event_class_seen,
		.event_class_gone = gone,
		.stream_seen = stream_seen,
		.stream_gone = gone,
		.packet_begins = packet_begins,
		.stream_class_members = stream_class_members,
		.event_class_members = event_class_members,
		.observe = observe,
		.message = message,
		.resolve = resolve,
		.fill = fill,
	};

	(void) naming;
	return &ops;
}

struct naming *naming_create(const struct naming_config *config,
		bt_self_message_iterator *self_iterator)
{
	struct naming *naming = g_new0(struct naming, 1);

	naming->config = config;
	naming->self_iterator = self_iterator;
	return naming;
}

void naming_destroy(struct naming *naming)
{
	if (naming && naming->alive != 0) {
		fprintf(stderr, "commcachetest: %" PRId64 " objects were seen "
			"and never gone\n", naming->alive);
		abort();
	}

	g_free(naming);
}

enum status naming_begin_pass(struct naming *naming,
		enum naming_pass pass)
{
	naming->pass = pass;
	naming->passes++;
	naming->resolved = 0;
	naming->dropped = 0;
	if (pass != NAMING_PASS_RESOLVE)
		naming->learned = 0;
	return may_fail(naming, "begin_pass");
}

/* What it says counts the passes. */
bool naming_needs_two_passes(const struct naming *naming)
{
	(void) naming;
	return true;
}

void naming_report(struct naming *naming)
{
	if (naming->config->provenance)
		fprintf(stderr, "commcachetest: %" PRIu64 " passes, %" PRIu64
			" learned, %" PRIu64 " resolved, %" PRIu64
			" dropped\n", naming->passes, naming->learned,
			naming->resolved, naming->dropped);
}

/* A seed is a file that is there. */
enum status naming_seed_load(bt_self_component *self_component,
		const char *path, struct naming_seed **seed)
{
	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			self_component, "Cannot read `%s`", path);
		return STATUS_ERROR;
	}

	*seed = (struct naming_seed *) g_strdup(path);
	return STATUS_OK;
}

void naming_seed_destroy(struct naming_seed *seed)
{
	g_free(seed);
}
