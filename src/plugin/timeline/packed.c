/* SPDX-License-Identifier: MIT */
#include "timeline/packed.h"

void packed_add(GByteArray *packed, uint64_t number)
{
	do {
		const uint8_t byte = (number & 127) | (number > 127 ? 128 : 0);

		g_byte_array_append(packed, &byte, 1);
		number >>= 7;
	} while (number > 0);
}

void packed_flush(GByteArray *packed, GString *json)
{
	gchar *text = g_base64_encode(packed->data, packed->len);

	g_string_append_printf(json, "\"%s\"", text);
	g_free(text);
	g_byte_array_set_size(packed, 0);
}
