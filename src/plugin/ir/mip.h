/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_PLUGIN_IR_MIP_H
#define COMMCACHE_PLUGIN_IR_MIP_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "ir/field-class.h"

/*
 * What differs between the versions of the message interchange protocol (MIP)
 * under which babeltrace2 runs a graph. Its 2.0 knows version 0 only; 2.1 knows
 * 1 too, and reads CTF 2 under that only.
 *
 * What belongs to one version must not be called under the other. So each
 * version's functions are called in one file: mip-0.c and mip-1.c, of which the
 * second is built where the headers have it (HAVE_MIP_1).
 */
struct mip {
	/*
	 * Each copies what this version says of the object beyond what both
	 * say. False: no memory.
	 */
	bool (*copy_clock_class)(const bt_clock_class *in, bt_clock_class *out);
	bool (*copy_trace)(const bt_trace *in, bt_trace *out);
	bool (*copy_stream_class)(const bt_stream_class *in,
			bt_stream_class *out);
	bool (*copy_event_class)(const bt_event_class *in, bt_event_class *out);
	void (*copy_integer_class)(const bt_field_class *in,
			bt_field_class *out);
	bool (*copy_bit_array_class)(const bt_field_class *in,
			bt_field_class *out);

	/*
	 * Each makes a class that can be linked to another field, its length or
	 * its selector. On success the caller owns `*out`. On failure that is
	 * NULL, and a cause is appended if it is not memory.
	 */
	enum status (*make_dynamic_array)(
			struct field_class_mirror *mirror,
			const bt_field_class *in, bt_field_class *element,
			bt_field_class **out);
	enum status (*make_option)(struct field_class_mirror *mirror,
			const bt_field_class *in, bt_field_class *content,
			bt_field_class **out);
	/* Without its options. */
	enum status (*make_variant)(struct field_class_mirror *mirror,
			const bt_field_class *in, bt_field_class **out);

	/*
	 * A class of a type that only this version has, with the kind of its
	 * plan; STATUS_OK and `*out` NULL: it has none such.
	 */
	enum status (*make_other)(struct field_class_mirror *mirror,
			const bt_field_class *in, bt_field_class **out,
			struct copy_plan *plan);
};

extern const struct mip mip_0;
#if HAVE_MIP_1
extern const struct mip mip_1;
#endif

/* That of the graph in which the iterator is. */
const struct mip *mip_of(bt_self_message_iterator *self_iterator);

/* Tells a component class's method for it which versions are known here. */
bt_component_class_get_supported_mip_versions_method_status
mip_add_supported(bt_integer_range_set_unsigned *versions);

#endif /* COMMCACHE_PLUGIN_IR_MIP_H */
