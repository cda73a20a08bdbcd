#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache view: print the events of traces with names. Read by commcache,
# which defines wrong_usage and $commands.

# Called by arguments.sh.
# shellcheck disable=SC2317
view_usage()
{
	cat <<-END
	usage: commcache view [OPTION]... DIR... [-- BABELTRACE2-OPTION...]

	Print the events of the traces in each DIR, beside each the name (comm)
	that its thread had then, and that of its process's main thread
	(vpid_comm).

	  -l, --learned FILE      what commcache learn kept of these traces: read
	                          them once, with the same names
	  -p, --param NAME=VALUE  a parameter of filter.commcache.resolve, as
	                          babeltrace2's --params takes it; may be repeated
	  -n, --dry-run           print the babeltrace2 command, do not run it
	  -h, --help              print this

	What follows -- goes to babeltrace2 as it is, for example
	--begin=12:30:00.
	END
}

# shellcheck source=src/cli/traces.sh disable=SC2154
. "$commands/traces.sh"

takes_value()
{
	case $1 in
	-p|--param|-l|--learned) ;;
	*) return 1 ;;
	esac
}

take()
{
	take_choice "$1" "$2"
}

take_flag()
{
	return 1
}

command=view
# shellcheck source=src/cli/arguments.sh disable=SC2154
. "$commands/arguments.sh"

add_learned
! wants_progress || add_param progress=yes
[ -z "$params" ] || set -- "--params=$params" "$@"
run_babeltrace2 --component=commcache:filter.commcache.resolve "$@"
