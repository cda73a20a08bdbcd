/* SPDX-License-Identifier: MIT */
#include "ir/clock-class.h"

#include "ir/mip.h"

/*
 * How many that no one uses are kept. A muxer downstream bears no two without
 * an identity at a time; a live session makes new ones without end.
 */
#define IDLE_MAX	8

static void clock_class_destroy(gpointer data)
{
	struct mirror_clock_class *clock_class = data;

	bt_clock_class_put_ref(clock_class->in);
	bt_clock_class_put_ref(clock_class->out);
	g_free(clock_class);
}

GHashTable *clock_class_table_create(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, clock_class_destroy);
}

void clock_class_table_destroy(struct mirror *mirror)
{
	/* Their links are in what goes now. */
	g_queue_init(&mirror->idle_clock_classes);
	g_hash_table_destroy(mirror->clock_classes);
}

static bool copy_texts(const bt_clock_class *in, bt_clock_class *out)
{
	const char *name = bt_clock_class_get_name(in);
	const char *description = bt_clock_class_get_description(in);

	return (!name || bt_clock_class_set_name(out, name) ==
			BT_CLOCK_CLASS_SET_NAME_STATUS_OK) &&
		(!description || bt_clock_class_set_description(out,
			description) ==
			BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK);
}

static bt_clock_class *copy(struct mirror *mirror, const bt_clock_class *in)
{
	bt_clock_class *out = bt_clock_class_create(
		bt_self_message_iterator_borrow_component(
			mirror->self_iterator));
	int64_t seconds;
	uint64_t cycles;

	if (!out)
		return NULL;
	if (!copy_texts(in, out) || !mirror->mip->copy_clock_class(in, out)) {
		BT_CLOCK_CLASS_PUT_REF_AND_RESET(out);
		return NULL;
	}

	bt_clock_class_get_offset(in, &seconds, &cycles);
	/* The frequency first: an offset's cycles have to be fewer. */
	bt_clock_class_set_frequency(out, bt_clock_class_get_frequency(in));
	bt_clock_class_set_offset(out, seconds, cycles);
	bt_clock_class_set_user_attributes(out,
		bt_clock_class_borrow_user_attributes_const(in));
	return out;
}

struct mirror_clock_class *clock_class_use(struct mirror *mirror,
		const bt_clock_class *in)
{
	struct mirror_clock_class *clock_class =
		g_hash_table_lookup(mirror->clock_classes, in);

	if (clock_class) {
		if (clock_class->user_count++ == 0)
			g_queue_unlink(&mirror->idle_clock_classes,
				&clock_class->idle);
		return clock_class;
	}

	clock_class = g_new0(struct mirror_clock_class, 1);
	clock_class->out = copy(mirror, in);
	if (!clock_class->out) {
		g_free(clock_class);
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			mirror->self_iterator, "Cannot mirror a clock class");
		return NULL;
	}

	clock_class->in = in;
	bt_clock_class_get_ref(in);
	clock_class->user_count = 1;
	g_hash_table_insert(mirror->clock_classes, (gpointer) in, clock_class);
	return clock_class;
}

void clock_class_release(struct mirror *mirror,
		struct mirror_clock_class *clock_class)
{
	GQueue *idle = &mirror->idle_clock_classes;

	if (!clock_class || --clock_class->user_count > 0)
		return;
	clock_class->idle.data = clock_class;
	g_queue_push_tail_link(idle, &clock_class->idle);
	if (idle->length > IDLE_MAX) {
		clock_class = g_queue_pop_head_link(idle)->data;
		g_hash_table_remove(mirror->clock_classes, clock_class->in);
	}
}
