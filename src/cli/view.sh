#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache view: print the events of traces with names. Read by commcache,
# which defines wrong_usage and $commands.

view_usage()
{
	cat <<-END
	usage: commcache view [OPTION]... DIR... [-- BABELTRACE2-OPTION...]

	Print the events of the traces in each DIR, beside each the name (comm)
	that its thread had then, and that of its process's main thread
	(vpid_comm).

	  -p, --param NAME=VALUE  a parameter of filter.commcache.resolve, as
	                          babeltrace2's --params takes it; may be repeated
	  -n, --dry-run           print the babeltrace2 command, do not run it
	  -h, --help              print this

	What follows -- goes to babeltrace2 as it is, for example
	--begin=12:30:00 or --component=sink.ctf.fs --params='path="OUT"'.
	END
}

# shellcheck source=src/cli/traces.sh disable=SC2154
. "$commands/traces.sh"

dry_run=no
traces=0
expected=word

# The words that are babeltrace2's go through the argument list once round.
for word in "$@"; do
	shift
	case $expected$word in
	rest*)
		set -- "$@" "$word"
		continue
		;;
	param*)
		params=${params:+$params,}$word
		expected=word
		continue
		;;
	esac
	case $word in
	--)
		expected=rest
		;;
	-p|--param)
		expected=param
		;;
	--param=*)
		params=${params:+$params,}${word#*=}
		;;
	-n|--dry-run)
		dry_run=yes
		;;
	-h|--help)
		view_usage
		exit 0
		;;
	-*)
		wrong_usage "view: unknown option '$word'"
		;;
	*)
		check_trace "$word"
		traces=$((traces + 1))
		set -- "$@" "$word"
		;;
	esac
done
[ "$expected" != param ] || wrong_usage "view: --param takes NAME=VALUE"
[ "$traces" -gt 0 ] || wrong_usage "view: no trace folder given"

! wants_progress || add_param progress=yes
[ -z "$params" ] || set -- "--params=$params" "$@"
run_babeltrace2 --component=commcache:filter.commcache.resolve "$@"
