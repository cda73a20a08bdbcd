#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the commands that read traces share. Read by them; commcache defines
# fail, need, print_command and $plugins, and they define $dry_run.
#
# shellcheck disable=SC2154

check_trace()
{
	[ -e "$1" ] ||
		fail 1 "no such trace: $1; give the folder that the trace was recorded to"
	[ -d "$1" ] ||
		fail 1 "$1 is not a folder; give the folder that the trace was recorded to"
	if ! [ -r "$1" ] || ! [ -x "$1" ]; then
		fail 1 "$1 cannot be read; its owner or root can"
	fi
	[ -n "$(find -L "$1" -name metadata -type f 2>/dev/null | head -n 1)" ] ||
		fail 1 "no trace in $1 (no file 'metadata' in it or below); give the folder that the trace was recorded to"
}

# Does not return.
run_babeltrace2()
{
	set -- babeltrace2 "--plugin-path=$plugins" "$@"
	if [ "$dry_run" = yes ]; then
		print_command "$@"
		exit 0
	fi
	need babeltrace2 babeltrace2
	exec "$@"
}
