/* SPDX-License-Identifier: MIT */
#include "ir/mirror.h"

#include <string.h>

#include "ir/text.h"

/* An array of bytes, as far as one can tell. */
static bool is_byte_array(const bt_field_class *field_class)
{
	const bt_field_class *element;

	if (!bt_field_class_type_is(bt_field_class_get_type(field_class),
			BT_FIELD_CLASS_TYPE_ARRAY))
		return false;
	element = bt_field_class_array_borrow_element_field_class_const(
		field_class);
	return bt_field_class_type_is(bt_field_class_get_type(element),
			BT_FIELD_CLASS_TYPE_INTEGER) &&
		bt_field_class_integer_get_field_value_range(element) == 8;
}

bool text_is_text_class(const bt_field_class *field_class)
{
	bt_field_class_type type = bt_field_class_get_type(field_class);

	return type == BT_FIELD_CLASS_TYPE_STRING ||
		(type == BT_FIELD_CLASS_TYPE_STATIC_ARRAY &&
		is_byte_array(field_class));
}

static bool is_unsigned(const bt_field *field)
{
	return bt_field_class_type_is(bt_field_get_class_type(field),
		BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
}

static void set_byte(bt_field *field, char byte)
{
	if (is_unsigned(field))
		bt_field_integer_unsigned_set_value(field,
			(unsigned char) byte);
	else
		bt_field_integer_signed_set_value(field, (signed char) byte);
}

static char get_byte(const bt_field *field)
{
	return is_unsigned(field) ?
		(char) bt_field_integer_unsigned_get_value(field) :
		(char) bt_field_integer_signed_get_value(field);
}

void mirror_set_array(bt_field *field, const char *text, size_t length)
{
	uint64_t size = bt_field_array_get_length(field);
	uint64_t i;

	for (i = 0; i < size; i++) {
		/* The last element is 0, as the kernel writes a comm. */
		set_byte(bt_field_array_borrow_element_field_by_index(field, i),
			i < length && i + 1 < size ? text[i] : '\0');
	}
}

static void get_array(const bt_field *field, char *buffer, size_t size,
		size_t *length)
{
	uint64_t field_length = bt_field_array_get_length(field);
	size_t i;

	for (i = 0; i < size && i < field_length; i++) {
		buffer[i] = get_byte(
			bt_field_array_borrow_element_field_by_index_const(
				field, i));
		if (buffer[i] == '\0')
			break;
	}

	*length = i;
}

bool mirror_get_text(const bt_field *field, char *buffer, size_t size,
		const char **text, size_t *length)
{
	if (bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_STRING) {
		*text = bt_field_string_get_value(field);
		*length = strnlen(*text, bt_field_string_get_length(field));
		return true;
	}

	if (!is_byte_array(bt_field_borrow_class_const(field)))
		return false;
	get_array(field, buffer, size, length);
	*text = buffer;
	return true;
}
