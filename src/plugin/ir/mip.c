/* SPDX-License-Identifier: MIT */
#include "ir/mip.h"

/*
 * As the headers have it: a plugin that was built with those of 2.0 knows no
 * more when it is loaded by 2.1.
 */
#define NEWEST	(HAVE_MIP_1 ? 1 : 0)

const struct mip *mip_of(bt_self_message_iterator *self_iterator)
{
#if HAVE_MIP_1
	if (bt_self_message_iterator_get_graph_mip_version(self_iterator) > 0)
		return &mip_1;
#else
	(void) self_iterator;
#endif
	return &mip_0;
}

bt_component_class_get_supported_mip_versions_method_status
mip_add_supported(bt_integer_range_set_unsigned *versions)
{
	return (bt_component_class_get_supported_mip_versions_method_status)
		bt_integer_range_set_unsigned_add_range(versions, 0, NEWEST);
}
