/* SPDX-License-Identifier: MIT */
/*
 * The file of `learned`: what was learned before, instead of a first pass.
 */
#include <stdio.h>

#include "escape.h"
#include "resolve/folder.h"
#include "resolve/naming-private.h"

static void append_cause(const struct naming *naming, const char *what)
{
	char *shown = escape_text(naming->config->learned);

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
		naming->self_component, "Parameter `%s`: %s: its file %s",
		naming->config->goes_on ? "add" : "learned", shown, what);
	g_free(shown);
}

static int64_t read_file(void *bytes, size_t size, void *file)
{
	const size_t count = fread(bytes, 1, size, file);

	return count == 0 && ferror((FILE *) file) ? -1 : (int64_t) count;
}

static enum status load(struct naming *naming, FILE *file)
{
	const struct commcache_store_input input = { read_file, file };
	enum commcache_store_status status = learn_load(naming->learn, &input,
		naming->config->goes_on);

	/* Another file's bytes, or who knows what. */
	if (status == COMMCACHE_STORE_OK && fgetc(file) != EOF)
		status = COMMCACHE_STORE_CORRUPT;
	if (status == COMMCACHE_STORE_OK)
		return STATUS_OK;
	if (status == COMMCACHE_STORE_NO_MEMORY)
		return STATUS_MEMORY_ERROR;
	append_cause(naming, commcache_store_explain(status));
	return STATUS_ERROR;
}

enum status naming_load(struct naming *naming)
{
	const struct naming_config *config = naming->config;
	enum status status;
	FILE *file;

	if (!config->learned || naming->is_loaded)
		return STATUS_OK;
	if (!config->infer_current) {
		append_cause(naming, "tells of CPUs, too: leave "
			"infer-current=no out");
		return STATUS_ERROR;
	}
	file = fopen(config->learned, "rbe");
	if (!file) {
		append_cause(naming, "cannot be opened");
		return STATUS_ERROR;
	}
	status = load(naming, file);
	(void) fclose(file);
	naming->is_loaded = status == STATUS_OK;
	return status;
}

enum status naming_status(const struct naming *naming,
		enum status status)
{
	if (status == STATUS_OK)
		return STATUS_OK;
	if (status == STATUS_MEMORY_ERROR || !naming->config->learned)
		return STATUS_MEMORY_ERROR;
	append_cause(naming, naming->config->goes_on ?
		"has been told of what comes here already: each chunk is "
		"added once, after those before it" :
		"was not learned from all that this trace holds: learn it "
		"anew, or add to it what is new (commcache learn)");
	return STATUS_ERROR;
}

/* Once for each folder: most have many streams. */
static enum status check_folder(struct naming *naming,
		const bt_stream *stream, struct learn_stream *learn)
{
	char *folder = folder_of_stream(stream);
	int64_t newest;

	if (!folder || g_hash_table_contains(naming->folders, folder)) {
		g_free(folder);
		return STATUS_OK;
	}
	g_hash_table_add(naming->folders, folder);
	return folder_newest(folder, &newest) ?
		learn_stream_newest(learn, newest) : STATUS_OK;
}

enum status naming_check_stream(struct naming *naming,
		const bt_stream *stream, struct learn_stream *learn)
{
	enum status status;

	if (!naming->config->learned && !naming->config->keeps)
		return STATUS_OK;
	status = learn_stream_identify(learn, bt_stream_class_get_id(
			bt_stream_borrow_class_const(stream)),
		bt_stream_get_id(stream));
	if (status == STATUS_OK)
		status = check_folder(naming, stream, learn);
	return naming_status(naming, status);
}

enum commcache_store_status naming_save(const struct naming *naming,
		const struct commcache_store_output *output)
{
	return learn_save(naming->learn, output);
}
