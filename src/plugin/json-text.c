/* SPDX-License-Identifier: MIT */
#include "json-text.h"

void json_text_append(GString *json, const char *text)
{
	g_string_append_c(json, '"');
	for (; *text; text++) {
		if (*text == '<') {
			g_string_append(json, "\\u003c");
			continue;
		}
		if (*text == '"' || *text == '\\')
			g_string_append_c(json, '\\');
		g_string_append_c(json, *text);
	}
	g_string_append_c(json, '"');
}
