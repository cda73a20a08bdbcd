#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache timeline: draw the threads of traces over time. Read by commcache,
# which defines wrong_usage and $commands.

# Called by arguments.sh.
# shellcheck disable=SC2317
timeline_usage()
{
	cat <<-END
	usage: commcache timeline [OPTION]... DIR... -o FILE
	                          [-- BABELTRACE2-OPTION...]

	Draw the threads of the traces in each DIR: a lane for each, grouped by
	process, with what it was called when, where it ran and waited if
	sched_switch tells it, and where its events are. FILE is one page that
	any browser opens, without a network.

	  -o, --output FILE       write to FILE; what was there is replaced when
	                          all is done
	  -f, --format FORMAT     html (the default), or perfetto: a JSON trace for
	                          https://ui.perfetto.dev
	  -l, --learned FILE      what commcache learn kept of these traces: read
	                          them once, with the same names
	      --comm GLOB         only threads that had such a name; may be repeated
	      --pid N, --tid N    only that process, that thread; may be repeated
	  -p, --param NAME=VALUE  a parameter of sink.commcache.timeline, as
	                          babeltrace2's --params takes it; may be repeated
	  -n, --dry-run           print the babeltrace2 command, do not run it
	  -h, --help              print this

	What follows -- goes to babeltrace2 as it is, for example
	--begin=12:30:00: a part of the trace is drawn with more detail.
	END
}

# shellcheck source=src/cli/traces.sh disable=SC2154
. "$commands/traces.sh"

# take OPTION VALUE
take()
{
	case $1 in
	-o|--output)
		[ -n "$2" ] || wrong_usage "timeline: $1 takes the name of a file"
		output=$2
		;;
	-f|--format)
		case $2 in
		html|perfetto) ;;
		*) wrong_usage "timeline: no such format: '$2' (html, perfetto)" ;;
		esac
		format=$2
		;;
	*)
		take_choice "$1" "$2"
		;;
	esac
}

takes_value()
{
	case $1 in
	-o|--output|-f|--format) ;;
	*) is_choice "$1" ;;
	esac
}

take_flag()
{
	return 1
}

command=timeline
output=
format=
# shellcheck source=src/cli/arguments.sh disable=SC2154
. "$commands/arguments.sh"
[ -n "$output" ] ||
	wrong_usage "timeline: give the file to write with -o FILE"
check_output_file

add_choices
! wants_progress || add_param progress=yes
[ -z "$title" ] || add_param "title=$(quote_param "$title")"
[ -z "$format" ] || add_param "format=\"$format\""
add_param "path=$(quote_param "$output")"
set -- "--params=$params" "$@"
run_sink "$output" "what was there is as it was; make room, or give another place with -o" \
	--component=commcache:sink.commcache.timeline "$@"
