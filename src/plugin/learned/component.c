/* SPDX-License-Identifier: MIT */
#include "learned/component.h"

#include <errno.h>
#include <glib.h>
#include <stddef.h>
#include <string.h>

#include "escape.h"
#include "out-file.h"
#include "threads/sink.h"

struct learned_sink {
	struct sink sink;
	struct threads_params params;
	/* Owned by this. */
	char *path;
};

static enum status check_path(const struct param_reader *reader, void *place)
{
	return **(char **) place ? STATUS_OK :
		param_wrong_value(reader, "", "the name of a file");
}

#define PLACE(member)	.place = offsetof(struct learned_sink, member)

static const struct param known[] = {
	{ "add", PARAM_PATH, PLACE(params.naming.learned), .check = check_path },
	{ "path", PARAM_PATH, PLACE(path), .check = check_path },
	{ "progress", PARAM_BOOL, PLACE(params.progress) },
};

static void finish(struct sink *sink)
{
	struct learned_sink *own = (struct learned_sink *) sink;

	threads_params_finish(&own->params);
	g_free(own->path);
}

static enum status init(struct sink *sink, const bt_value *values)
{
	struct learned_sink *own = (struct learned_sink *) sink;
	struct param_reader reader = {
		.self_component = sink->self_component,
		.params = own,
		.known = known,
		.known_count = G_N_ELEMENTS(known),
	};
	enum status status;

	sink->params = &own->params;
	sink->only_learns = true;
	threads_params_set_defaults(&own->params);
	status = param_read_all(&reader, values);
	if (status == STATUS_OK && !own->path) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			sink->self_component, "Parameter `path` is missing: "
			"the file to keep what is learned in");
		status = STATUS_ERROR;
	}
	own->params.naming.keeps = true;
	own->params.naming.goes_on = own->params.naming.learned != NULL;
	if (status != STATUS_OK)
		finish(sink);
	return status;
}

static bool write_file(const void *bytes, size_t size, void *file)
{
	return fwrite(bytes, 1, size, file) == size;
}

static enum status refuse(const struct learned_sink *own,
		const char *reason)
{
	char *shown = escape_text(own->path);

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		own->sink.self_component, "Cannot write to %s: %s", shown,
		reason);
	g_free(shown);
	return STATUS_ERROR;
}

/* Whole, or what was there before stays. */
static enum status print(struct sink *sink)
{
	struct learned_sink *own = (struct learned_sink *) sink;
	struct commcache_store_output output = { .write = write_file };
	enum commcache_store_status status;
	struct out_file out;
	int error;

	errno = 0;
	if (!out_file_open(&out, own->path))
		return refuse(own, g_strerror(errno));
	output.data = out.file;
	status = naming_save(sink->reader.naming, &output);
	error = errno;
	if (status != COMMCACHE_STORE_OK) {
		out_file_drop(&out);
		return refuse(own, status == COMMCACHE_STORE_FAILED && error ?
			g_strerror(error) : commcache_store_explain(status));
	}
	return out_file_finish(&out) ? STATUS_OK :
		refuse(own, g_strerror(errno));
}

bt_component_class_initialize_method_status learned_component_init(
		bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration
			__attribute__((unused)),
		const bt_value *params, void *data __attribute__((unused)))
{
	static const struct sink_class class = {
		.size = sizeof(struct learned_sink),
		.init = init,
		.finish = finish,
		.print = print,
	};

	return sink_init(&class, self, params);
}
