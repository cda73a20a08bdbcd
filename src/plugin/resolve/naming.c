/* SPDX-License-Identifier: MIT */
#include "resolve/naming.h"

#include <glib.h>

/* Adds nothing: stands in until names are learned. */
struct naming {
	int unused;
};

enum mirror_status naming_seed_load(bt_self_component *self_component,
		const char *path, struct naming_seed **seed)
{
	(void) seed;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(self_component,
		"Cannot read `%s`: not there yet", path);
	return MIRROR_STATUS_ERROR;
}

void naming_seed_destroy(struct naming_seed *seed)
{
	(void) seed;
}

struct naming *naming_create(const struct naming_config *config,
		bt_self_message_iterator *self_iterator)
{
	(void) config;
	(void) self_iterator;
	return g_new0(struct naming, 1);
}

void naming_destroy(struct naming *naming)
{
	g_free(naming);
}

const struct mirror_ops *naming_ops(void)
{
	static const struct mirror_ops ops;

	return &ops;
}

enum mirror_status naming_begin_pass(struct naming *naming,
		enum naming_pass pass)
{
	(void) naming;
	(void) pass;
	return MIRROR_STATUS_OK;
}

void naming_report(struct naming *naming)
{
	(void) naming;
}
