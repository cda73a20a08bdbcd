/* SPDX-License-Identifier: MIT */
#include "resolve/component.h"

#include <glib.h>

#include "ir/mip.h"

static const char * const input_name = "in";
static const char * const output_name = "out";

static void component_destroy(struct resolve_component *component)
{
	resolve_params_finish(&component->params);
	g_free(component);
}

static enum status add_ports(bt_self_component_filter *self)
{
	enum status status = status_of_library(
		bt_self_component_filter_add_input_port(self, input_name, NULL,
			NULL));

	if (status == STATUS_OK)
		status = status_of_library(
			bt_self_component_filter_add_output_port(self,
				output_name, NULL, NULL));
	return status;
}

bt_component_class_get_supported_mip_versions_method_status
resolve_component_get_mip_versions(
		bt_self_component_class_filter *self
			__attribute__((unused)),
		const bt_value *params __attribute__((unused)),
		void *data __attribute__((unused)),
		bt_logging_level level __attribute__((unused)),
		bt_integer_range_set_unsigned *versions)
{
	return mip_add_supported(versions);
}

bt_component_class_initialize_method_status resolve_component_init(
		bt_self_component_filter *self,
		bt_self_component_filter_configuration *configuration
			__attribute__((unused)),
		const bt_value *params, void *data __attribute__((unused)))
{
	bt_self_component *self_component =
		bt_self_component_filter_as_self_component(self);
	struct resolve_component *component;
	enum status status;

	component = g_new0(struct resolve_component, 1);
	component->self = self;
	status = resolve_params_init(&component->params, self_component,
		params);
	if (status != STATUS_OK) {
		g_free(component);
		goto end;
	}
	status = add_ports(self);
	if (status == STATUS_OK)
		bt_self_component_set_data(self_component, component);
	else
		component_destroy(component);
end:
	return status_to_library(status);
}

void resolve_component_finalize(bt_self_component_filter *self)
{
	component_destroy(bt_self_component_get_data(
		bt_self_component_filter_as_self_component(self)));
}

bt_self_component_port_input *resolve_component_borrow_input(
		const struct resolve_component *component)
{
	return bt_self_component_filter_borrow_input_port_by_name(
		component->self, input_name);
}
