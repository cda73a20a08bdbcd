/* SPDX-License-Identifier: MIT */
#include "survey/programs.h"

#include <string.h>

#include "learn/member.h"

/* What an event is to us. */
enum kind {
	/* Of another tracer, which has no programs. */
	KIND_OTHER,
	/* The program's own. */
	KIND_OWN,
	/* LTTng-UST's about the program. */
	KIND_ABOUT,
	KIND_PROCNAME,
	KIND_LIBRARY,
	/* The agent's: the first of each statedump, what follows, and others. */
	KIND_PROCESS,
	KIND_STATEDUMP,
	KIND_AGENT,
};

struct kind_name {
	/* Of an event; one that ends with * is the beginning of it. */
	const char *name;
	enum kind kind;
};

/* The first that fits. */
static const struct kind_name kind_names[] = {
	{ "commcache:process", KIND_PROCESS },
	{ "commcache:statedump_*", KIND_STATEDUMP },
	{ "commcache:*", KIND_AGENT },
	{ "lttng_ust_statedump:procname", KIND_PROCNAME },
	{ "lttng_ust_statedump:bin_info", KIND_LIBRARY },
	{ "lttng_ust_statedump:*", KIND_ABOUT },
	{ "lttng_ust_lib:*", KIND_ABOUT },
	{ "*", KIND_OWN },
};

/* What is known of an event class. */
struct class {
	enum kind kind;
	/* Weak: of the event class, of which a reference is held. */
	const char *name;
	int64_t bits;
	struct learn_ref vpid;
	struct learn_ref pid_ns;
	struct learn_ref procname;
	struct learn_ref comm;
	struct learn_ref path;
};

/* A process: the programs that it ran one after the other. */
struct process {
	/* Weak, owned by `all`: the one that it runs. */
	struct program *program;
	/* The agent spoke before LTTng-UST told of a new program, if it is one. */
	bool is_announced;
};

struct process_key {
	int64_t vpid;
	int64_t pid_ns;
	/* Weak; what tells hosts and sessions apart. */
	const bt_trace *trace;
};

struct programs {
	/* bt_event_class, of which a reference is held -> struct class. */
	GHashTable *classes;
	/* struct process_key -> struct process. */
	GHashTable *processes;
	/* struct program. All owned by this. */
	GPtrArray *all;
	/* The last class that was asked for: weak. */
	const bt_event_class *last_class;
	const struct class *last;
	uint64_t events;
	uint64_t discarded;
	bool is_lossy;
};

static void destroy_program(void *data)
{
	struct program *program = data;

	g_free(program->path);
	g_free(program);
}

static guint hash_key(gconstpointer data)
{
	const struct process_key *key = data;

	return (guint) key->vpid * 31 + (guint) key->pid_ns +
		g_direct_hash(key->trace);
}

static struct process_key *copy_key(const struct process_key *key)
{
	struct process_key *copy = g_new(struct process_key, 1);

	*copy = *key;
	return copy;
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
	const struct process_key *left = a, *right = b;

	return left->vpid == right->vpid && left->pid_ns == right->pid_ns &&
		left->trace == right->trace;
}

static void put_class(void *data)
{
	bt_event_class_put_ref(data);
}

struct programs *programs_create(void)
{
	struct programs *programs = g_new0(struct programs, 1);

	programs->classes = g_hash_table_new_full(g_direct_hash,
		g_direct_equal, put_class, g_free);
	programs->processes = g_hash_table_new_full(hash_key, equal_keys,
		g_free, g_free);
	programs->all = g_ptr_array_new_with_free_func(destroy_program);
	return programs;
}

void programs_destroy(struct programs *programs)
{
	if (!programs)
		return;
	g_hash_table_destroy(programs->classes);
	g_hash_table_destroy(programs->processes);
	g_ptr_array_free(programs->all, TRUE);
	g_free(programs);
}

const GPtrArray *programs_all(const struct programs *programs)
{
	return programs->all;
}

void programs_for_each_event(const struct programs *programs,
		void (*tell)(const char *name))
{
	const struct class *class;
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, programs->classes);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		class = value;
		if (class->kind == KIND_OWN)
			tell(class->name);
	}
}

uint64_t programs_events(const struct programs *programs)
{
	return programs->events;
}

uint64_t programs_discarded(const struct programs *programs)
{
	return programs->discarded;
}

bool programs_is_lossy(const struct programs *programs)
{
	return programs->is_lossy;
}

static enum kind kind_of(const char *name)
{
	size_t i = 0;

	while (!g_pattern_match_simple(kind_names[i].name, name))
		i++;
	return kind_names[i].kind;
}

static const bt_value *environment(const bt_trace *trace, const char *name)
{
	return bt_trace_borrow_environment_entry_value_by_name_const(trace,
		name);
}

static bool is_ust(const bt_trace *trace)
{
	const bt_value *name = environment(trace, "tracer_name");

	return name && bt_value_is_string(name) &&
		strcmp(bt_value_string_get(name), "lttng-ust") == 0;
}

/* LTTng-UST tells it since 2.12. */
static int64_t bits_of(const bt_trace *trace)
{
	const bt_value *bits = environment(trace, "architecture_bit_width");

	if (bits && bt_value_is_signed_integer(bits))
		return bt_value_integer_signed_get(bits);
	return 0;
}

static const struct class *add_class(struct programs *programs,
		const bt_event_class *event_class, const bt_trace *trace)
{
	const struct learn_classes classes = {
		.stream_class = bt_event_class_borrow_stream_class_const(
			event_class),
		.event_class = event_class,
	};
	const char *name = bt_event_class_get_name(event_class);
	struct class *class = g_new0(struct class, 1);

	class->kind = name && is_ust(trace) ? kind_of(name) : KIND_OTHER;
	class->name = name;
	class->bits = bits_of(trace);
	class->vpid = learn_ref_find(&classes, class->kind == KIND_PROCESS ?
		"pid" : "ctx:vpid");
	class->pid_ns = learn_ref_find(&classes, "ctx:pid_ns");
	class->procname = learn_ref_find(&classes, "ctx:procname");
	class->comm = learn_ref_find(&classes,
		class->kind == KIND_PROCNAME ? "procname" : "comm");
	class->path = learn_ref_find(&classes,
		class->kind == KIND_PROCESS ? "exe" : "path");
	bt_event_class_get_ref(event_class);
	g_hash_table_insert(programs->classes, (gpointer) event_class, class);
	return class;
}

static const struct class *class_of(struct programs *programs,
		const bt_event_class *event_class, const bt_trace *trace)
{
	if (event_class == programs->last_class)
		return programs->last;
	programs->last = g_hash_table_lookup(programs->classes, event_class);
	if (!programs->last)
		programs->last = add_class(programs, event_class, trace);
	programs->last_class = event_class;
	return programs->last;
}

static struct process *process_of(struct programs *programs,
		const struct class *class, const bt_event *event,
		const bt_trace *trace)
{
	struct process_key key = {
		.vpid = learn_ref_id(&class->vpid, event),
		.trace = trace,
	};
	struct process *process;

	if (!learn_ref_integer(&class->pid_ns, event, &key.pid_ns))
		key.pid_ns = 0;
	process = g_hash_table_lookup(programs->processes, &key);
	if (process)
		return process;
	process = g_new0(struct process, 1);
	g_hash_table_insert(programs->processes,
		copy_key(&key), process);
	return process;
}

static void begin_program(struct programs *programs, struct process *process,
		const struct class *class, const bt_event *event)
{
	struct program *program = g_new0(struct program, 1);

	program->has_begin = class->kind == KIND_PROCNAME;
	program->vpid = learn_ref_id(&class->vpid, event);
	if (!learn_ref_integer(&class->pid_ns, event, &program->pid_ns))
		program->pid_ns = 0;
	program->bits = class->bits;
	program->has_names = process->is_announced;
	process->is_announced = false;
	process->program = program;
	g_ptr_array_add(programs->all, program);
}

static char *text_of(const struct learn_ref *ref, const bt_event *event)
{
	uint64_t length;
	const char *text = learn_ref_text(ref, event, &length);

	return text ? g_strndup(text, length) : NULL;
}

/*
 * The agent's `process` follows LTTng-UST's `procname` where a program starts,
 * and comes before it where a session does.
 */
static void take_process(struct process *process, const struct class *class,
		const bt_event *event)
{
	struct program *program = process->program;

	if (program->has_names) {
		process->is_announced = true;
		return;
	}
	program->has_names = true;
	if (program->comm.str[0] == '\0')
		(void) learn_ref_comm(&class->comm, event, &program->comm);
	g_free(program->path);
	program->path = text_of(&class->path, event);
}

/* The one file that is no library is the program. */
static void take_library(struct program *program, const struct class *class,
		const bt_event *event)
{
	char *path = text_of(&class->path, event);
	const char *name;

	if (!path)
		return;
	program->tells_libraries = true;
	name = strrchr(path, '/');
	name = name ? name + 1 : path;
	program->has_agent |= g_str_has_prefix(name, "libcommcache-ust.so");
	if (program->path || name[0] == '[' || strstr(name, ".so") ||
			path[0] != '/') {
		g_free(path);
		return;
	}
	program->path = path;
}

static void take(struct process *process, const struct class *class,
		const bt_event *event)
{
	struct program *program = process->program;

	switch (class->kind) {
	case KIND_PROCNAME:
		(void) learn_ref_comm(&class->comm, event, &program->comm);
		break;
	case KIND_LIBRARY:
		take_library(program, class, event);
		break;
	case KIND_PROCESS:
		take_process(process, class, event);
		break;
	case KIND_AGENT:
		program->has_names = true;
		break;
	case KIND_OWN:
		program->events++;
		if (program->comm.str[0] == '\0')
			(void) learn_ref_comm(&class->procname, event,
				&program->comm);
		break;
	default:
		break;
	}
}

static void take_event(struct programs *programs, const bt_event *event)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(
		bt_event_borrow_stream_const(event));
	const struct class *class = class_of(programs,
		bt_event_borrow_class_const(event), trace);
	struct process *process;

	programs->events++;
	if (class->kind == KIND_OTHER)
		return;
	process = process_of(programs, class, event, trace);
	if (!process->program || class->kind == KIND_PROCNAME)
		begin_program(programs, process, class, event);
	take(process, class, event);
}

static void take_discarded(struct programs *programs,
		const bt_message *message)
{
	uint64_t count;

	programs->is_lossy = true;
	if (bt_message_discarded_events_get_count(message, &count) ==
			BT_PROPERTY_AVAILABILITY_AVAILABLE)
		programs->discarded += count;
}

void programs_message(struct programs *programs, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		take_event(programs,
			bt_message_event_borrow_event_const(message));
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		take_discarded(programs, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		programs->is_lossy = true;
		break;
	default:
		break;
	}
}
