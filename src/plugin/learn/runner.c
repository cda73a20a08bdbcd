/* SPDX-License-Identifier: MIT */
/*
 * Who ran an event.
 */
#include "learn/source.h"

/* The namespace of what the process sees; see learn_processes_namespace(). */
static uint64_t find_namespace(const struct learn_event *seen)
{
	const struct learn_source *source = seen->stream->source;
	uint64_t inode;
	int64_t told;

	if (learn_ref_integer(&seen->plan->pid_ns, seen->event, &told) &&
			told > 0)
		return told;
	if (!source->table->ids_virtual)
		return learn_boot_namespace_of(source->boot, seen->runner_tid,
			seen->moment);
	inode = learn_processes_namespace(source->processes,
		learn_ref_id(&seen->plan->vpid, seen->event), seen->moment);
	if (inode != COMMCACHE_HISTORY_NS_UNKNOWN)
		return inode;
	/* A kernel trace can tell of the one process of this trace. */
	if (source->only_process > 0) {
		inode = learn_boot_namespace_of(source->boot,
			source->only_process, seen->moment);
		if (inode != COMMCACHE_HISTORY_NS_ROOT)
			return inode;
	}
	return COMMCACHE_HISTORY_NS_UNKNOWN;
}

/*
 * The same, where who ran it is settled. A kernel trace has threads of all
 * namespaces: where its thread is not known, or is known by another number than the
 * event tells, no namespace is the likely one.
 */
static uint64_t find_runners_namespace(const struct learn_event *seen)
{
	const uint64_t inode = find_namespace(seen);
	int64_t vtid;

	if (inode != COMMCACHE_HISTORY_NS_ROOT ||
			seen->stream->source->table->ids_virtual)
		return inode;
	if (seen->runner_tid < 0)
		return LEARN_NAMESPACE_AMBIGUOUS;
	vtid = learn_ref_id(&seen->plan->vtid, seen->event);
	return vtid > 0 && vtid != seen->runner_tid ?
		LEARN_NAMESPACE_AMBIGUOUS : inode;
}

static void set_namespace(struct learn_event *seen, uint64_t inode)
{
	struct learn_stream *stream = seen->stream;

	if (inode == LEARN_NAMESPACE_AMBIGUOUS)
		return;
	if (!stream->last_namespace || stream->last_inode != inode) {
		stream->last_inode = inode;
		stream->last_namespace = learn_boot_namespace(
			stream->source->boot, inode);
	}
	seen->virtual_domain = stream->last_namespace;
}

/* By what was told so far; a second pass knows it by itself. */
static bool is_recorded(const struct learn_source *source,
		const struct learn_event *seen)
{
	return source->learn->pass == LEARN_PASS_SECOND ||
		learn_recorded_has(source->recorded, seen->cpu,
			seen->moment.time);
}

/* What the switches of the boot's other traces tell; -1: not one thread. */
static int64_t ask_others(const struct learn_event *seen)
{
	const struct learn_source *source = seen->stream->source;
	const GPtrArray *sources = source->boot->sources;
	int64_t tid = -1, told;
	guint i;

	for (i = 0; i < sources->len; i++) {
		const struct learn_source *other = sources->pdata[i];

		if (other == source || !other->cpus ||
				other->cpus_mode != COMMCACHE_CPUS_RECORD ||
				!is_recorded(other, seen))
			continue;
		told = commcache_cpus_at(other->cpus, seen->cpu,
			seen->moment.time);
		if (told >= 0 && tid >= 0 && told != tid)
			return -1;
		tid = MAX(tid, told);
	}
	return tid;
}

/* The tid that the CPU's switches tell; -1: they do not. */
static int64_t ask_cpu(const struct learn_event *seen)
{
	const struct learn_source *source = seen->stream->source;
	int64_t tid = -1;

	if (seen->cpu < 0 || !source->learn->options->infer_current)
		return -1;
	if (source->cpus)
		tid = commcache_cpus_now(source->cpus, seen->cpu,
			seen->moment);
	return tid >= 0 ? tid : ask_others(seen);
}

/* As commcache_history_thread(): as a rule it is that of the event before. */
static struct commcache_history_thread *find_thread(
		const struct learn_event *seen,
		struct commcache_history_domain *domain, int64_t tid)
{
	struct learn_stream *stream = seen->stream;
	const uint64_t version = stream->source->learn->numbers_version;
	struct commcache_history_thread *thread;

	if (stream->last_thread.tid == tid &&
			stream->last_thread.domain == domain &&
			stream->last_thread.numbers_version == version)
		return stream->last_thread.thread;
	thread = commcache_history_thread(domain, tid, seen->cpu);
	/* An idle thread's number is that of all CPUs'. */
	if (thread && tid > 0) {
		stream->last_thread.numbers_version = version;
		stream->last_thread.domain = domain;
		stream->last_thread.tid = tid;
		stream->last_thread.thread = thread;
	}
	return thread;
}

static void ran(struct learn_event *seen, enum learn_told told,
		struct commcache_history_domain *domain, int64_t tid)
{
	seen->told = told;
	seen->runner = find_thread(seen, domain, tid);
	seen->runner_tid = domain == seen->stream->source->boot->root ? tid :
		-1;
}

/* What the event tells is a tid of the root namespace. */
static bool see_tid(struct learn_event *seen)
{
	int64_t tid = learn_ref_id(&seen->plan->runner, seen->event);

	if (tid == LEARN_NO_ID)
		tid = learn_ref_id(&seen->plan->runner_or, seen->event);
	if (tid == LEARN_NO_ID)
		return false;
	ran(seen, LEARN_TOLD_BY_EVENT, seen->stream->source->boot->root, tid);
	if (tid != seen->stream->run_tid) {
		seen->stream->run_tid = tid;
		seen->stream->run_since = seen->moment;
	}
	return true;
}

static int64_t on_cpu_key(int64_t vpid, int64_t vtid)
{
	/* vpid is LEARN_NO_ID where none is told. */
	return (int64_t) ((uint64_t) vpid << 32 | (uint64_t) vtid);
}

static void remember_on_cpu(struct learn_source *source, int64_t vpid,
		int64_t vtid, int64_t tid)
{
	const int64_t key = on_cpu_key(vpid, vtid);
	int64_t *copy;

	if (GPOINTER_TO_INT(g_hash_table_lookup(source->seen_on_cpu, &key)) ==
			tid)
		return;
	copy = g_new(int64_t, 1);
	*copy = key;
	g_hash_table_insert(source->seen_on_cpu, copy,
		GINT_TO_POINTER((int) tid));
}

/*
 * The event tells a tid as its process sees it, and not in which namespace.
 * The CPU can tell which thread that is. It is not trusted where it names a
 * thread that has no such number: the thread can be moved from its CPU between
 * the tracer's looking at the CPU and at the clock. 0: no one tells.
 */
static int64_t find_root_tid(const struct learn_event *seen, int64_t vtid)
{
	struct learn_source *source = seen->stream->source;
	const int64_t vpid = learn_ref_id(&seen->plan->vpid, seen->event);
	const int64_t tid = ask_cpu(seen);
	const int64_t key = on_cpu_key(vpid, vtid);
	int64_t known;

	if (tid <= 0 && g_hash_table_size(source->seen_on_cpu) == 0)
		return 0;
	if (tid > 0 && learn_boot_is_alias(source->boot, tid, vtid)) {
		remember_on_cpu(source, vpid, vtid, tid);
		return tid;
	}
	known = GPOINTER_TO_INT(g_hash_table_lookup(source->seen_on_cpu, &key));
	if (known > 0)
		return known;
	return tid > 0 && !learn_boot_is_numbered(source->boot, tid) ? tid : 0;
}

/*
 * What the numbers mean can be remembered where nothing depends on the event's
 * time: no CPU is asked, and no pid is one in one namespace now and in another
 * then.
 */
static bool is_lasting(const struct learn_source *source)
{
	return !learn_source_has_switches(source) &&
		!learn_processes_move(source->processes);
}

/* The numbers that the event tells. */
static struct learn_runner read_numbers(const struct learn_event *seen)
{
	const struct learn_plan *plan = seen->plan;
	struct learn_runner numbers = {
		.numbers_version =
			seen->stream->source->learn->numbers_version,
		.vtid = learn_ref_id(&plan->runner, seen->event),
		.vpid = learn_ref_id(&plan->vpid, seen->event),
	};

	(void) learn_ref_integer(&plan->pid_ns, seen->event, &numbers.pid_ns);
	return numbers;
}

static void remember_runner(const struct learn_event *seen,
		const struct learn_runner *numbers)
{
	struct learn_runner *last = &seen->stream->last_runner;

	*last = *numbers;
	last->runner = seen->runner;
	last->runner_tid = seen->runner_tid;
	last->virtual_domain = seen->virtual_domain;
}

/* What the event tells is a tid as the process sees it. */
static bool see_vtid(struct learn_event *seen)
{
	struct learn_boot *boot = seen->stream->source->boot;
	const struct learn_runner numbers = read_numbers(seen);
	const int64_t vtid = numbers.vtid;
	uint64_t inode;
	int64_t tid = -1;

	/* 0: a thread that is about to be gone, or the idle one. */
	if (vtid <= 0)
		return false;
	inode = find_namespace(seen);
	if (inode == COMMCACHE_HISTORY_NS_UNKNOWN ||
			inode == LEARN_NAMESPACE_AMBIGUOUS) {
		tid = find_root_tid(seen, vtid);
		if (tid > 0)
			inode = learn_boot_namespace_of(boot, tid,
				seen->moment);
	} else if (!learn_boot_is_joined(boot, inode, vtid)) {
		/* Of that number nothing was told; the CPU may know. */
		tid = ask_cpu(seen);
		if (learn_boot_is_numbered(boot, tid))
			tid = -1;
	}
	set_namespace(seen, inode);
	if (tid > 0)
		ran(seen, LEARN_TOLD_BY_EVENT, boot->root, tid);
	else if (seen->virtual_domain)
		ran(seen, LEARN_TOLD_BY_EVENT, seen->virtual_domain, vtid);
	if (seen->told != LEARN_TOLD_BY_EVENT)
		return false;
	if (seen->runner && is_lasting(seen->stream->source))
		remember_runner(seen, &numbers);
	return true;
}

/*
 * A kernel event with vtid and no tid: the CPU tells the tid, unless that
 * thread has no such vtid.
 */
static bool see_cpu(struct learn_event *seen)
{
	struct learn_boot *boot = seen->stream->source->boot;
	const int64_t tid = ask_cpu(seen);
	uint64_t inode;
	int64_t vtid;

	if (tid < 0)
		return false;
	if (seen->plan->runner_virtual) {
		vtid = learn_ref_id(&seen->plan->runner, seen->event);
		inode = find_namespace(seen);
		if (vtid > 0 && !learn_boot_is_alias(boot, tid, vtid) &&
				(inode == LEARN_NAMESPACE_AMBIGUOUS ||
				learn_boot_is_joined(boot, inode, vtid)))
			return false;
	}
	ran(seen, LEARN_TOLD_BY_CPU, boot->root, tid);
	return true;
}

void learn_see_runner(struct learn_event *seen)
{
	const struct learn_plan *plan = seen->plan;
	const bool has_vtid = plan->runner_virtual;

	seen->told = LEARN_TOLD_NOT;
	seen->runner = NULL;
	seen->runner_tid = -1;
	seen->virtual_domain = NULL;

	if (plan->runner.reader != LEARN_ABSENT && !has_vtid && see_tid(seen))
		goto end;
	/* UST sees its vtid itself, at the very moment; the kernel the tid. */
	if (has_vtid && !seen->stream->source->tells_cpus && see_vtid(seen))
		goto end;
	if (see_cpu(seen))
		goto end;
	/*
	 * A kernel trace has threads of all namespaces: without one, the number
	 * can be that of several.
	 */
	if (has_vtid && seen->stream->source->tells_cpus &&
			plan->pid_ns.reader != LEARN_ABSENT)
		(void) see_vtid(seen);
end:
	if (!seen->virtual_domain && plan->needs_virtual)
		set_namespace(seen, find_runners_namespace(seen));
}
