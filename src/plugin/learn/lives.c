/* SPDX-License-Identifier: MIT */
#include "learn/lives.h"

GArray *learn_lives_create(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct learn_life));
}

void learn_lives_destroy(void *lives)
{
	g_array_free(lives, TRUE);
}

struct learn_life *learn_lives_last(const GArray *lives)
{
	return lives->len > 0 ? &g_array_index(lives, struct learn_life,
		lives->len - 1) : NULL;
}

uint64_t learn_lives_namespace(const GArray *lives,
		struct commcache_moment moment)
{
	const struct learn_life *life;
	guint i = lives->len;

	do {
		life = &g_array_index(lives, struct learn_life, --i);
	} while (i > 0 && life->begin > moment.time);
	return life->inode;
}

void learn_lives_save(const void *value, struct parts_writer *writer)
{
	const GArray *lives = value;
	guint i;

	parts_write_number(writer, lives->len);
	for (i = 0; i < lives->len; i++) {
		const struct learn_life *life = &g_array_index(lives,
			struct learn_life, i);

		parts_write_signed(writer, life->begin);
		parts_write_number(writer, life->inode);
	}
}

void *learn_lives_load(struct parts_reader *reader)
{
	GArray *lives = learn_lives_create();
	uint64_t count = parts_read_limited(reader, G_MAXINT);

	for (; count > 0 && parts_is_good(reader); count--) {
		struct learn_life life;

		life.begin = parts_read_signed(reader);
		life.inode = parts_read_number(reader);
		g_array_append_val(lives, life);
	}
	if (lives->len > 0)
		return lives;
	learn_lives_destroy(lives);
	return NULL;
}
