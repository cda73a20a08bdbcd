/* SPDX-License-Identifier: MIT */
#include "escape.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char *escape_byte(char *out, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";

	*out++ = '\\';
	*out++ = 'x';
	*out++ = digits[byte >> 4];
	*out++ = digits[byte & 15];
	return out;
}

/* The bytes of the character that `text` begins with; 0: not UTF-8. */
static size_t character_length(const char *text, size_t length)
{
	const gunichar character = g_utf8_get_char_validated(text, length);

	if (character == (gunichar) -1 || character == (gunichar) -2)
		return 0;
	return g_utf8_next_char(text) - text;
}

static bool is_harmful(const char *text)
{
	switch (g_unichar_type(g_utf8_get_char(text))) {
	/* Those of ASCII, and of Latin 1: CSI is one of the latter. */
	case G_UNICODE_CONTROL:
	/* All of bidi's, and zero-width ones. */
	case G_UNICODE_FORMAT:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR:
		return true;
	default:
		return false;
	}
}

/*
 * What follows would be taken for a byte that was escaped: a thread can have
 * that name letter by letter.
 */
static bool looks_escaped(const char *text, size_t length)
{
	return length >= 4 && text[0] == '\\' && text[1] == 'x' &&
		g_ascii_isxdigit(text[2]) && g_ascii_isxdigit(text[3]);
}

size_t escape_bytes(const char *bytes, size_t length, char *out)
{
	char *const text = out;
	size_t i = 0;

	while (i < length) {
		size_t count = character_length(bytes + i, length - i);
		const bool escape = count == 0 || is_harmful(bytes + i) ||
			looks_escaped(bytes + i, length - i);

		for (count = MAX(count, 1); count > 0; count--, i++) {
			if (escape)
				out = escape_byte(out,
					(unsigned char) bytes[i]);
			else
				*out++ = bytes[i];
		}
	}
	*out = '\0';
	return out - text;
}

char *escape_text(const char *text)
{
	const size_t length = strlen(text);
	char *out = g_malloc(4 * length + 1);

	escape_bytes(text, length, out);
	return out;
}

void escape_print(const char *text)
{
	char *shown = escape_text(text);

	fputs(shown, stdout);
	g_free(shown);
}
