#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache threads: list the threads of traces with their names over time. Read
# by commcache, which defines wrong_usage and $commands.

# Called by arguments.sh.
# shellcheck disable=SC2317
threads_usage()
{
	cat <<-END
	usage: commcache threads [OPTION]... DIR... [-- BABELTRACE2-OPTION...]

	List the threads of the traces in each DIR: one line for each name that a
	thread had, with the time it began, how it is known, the events that the
	thread ran under that name, the first and the last of them, and its CPU
	time and switches where sched_switch tells them.

	  -j, --json              print one JSON document instead of a table
	  -s, --sort KEY          by tid (host, process, thread, time: the default),
	                          name, events, cpu, switches, preemptions, first
	                          or last
	  -T, --totals            a line for each thread, not for each of its names
	  -l, --learned FILE      what commcache learn kept of these traces: read
	                          them once, with the same names
	      --comm GLOB         only names that match (also: --name); may be
	                          repeated
	      --pid N, --tid N    only that process, that thread; may be repeated
	  -p, --param NAME=VALUE  a parameter of sink.commcache.threads, as
	                          babeltrace2's --params takes it; may be repeated
	  -n, --dry-run           print the babeltrace2 command, do not run it
	  -h, --help              print this

	What follows -- goes to babeltrace2 as it is, for example
	--begin=12:30:00. Times are those of TZ.
	END
}

# shellcheck source=src/cli/traces.sh disable=SC2154
. "$commands/traces.sh"

# take OPTION VALUE
take()
{
	case $1 in
	-s|--sort)
		case $2 in
		tid|name|events|cpu|switches|preemptions|first|last) ;;
		*) wrong_usage "threads: cannot sort by '$2'" ;;
		esac
		sort=$2
		;;
	*)
		take_choice "$1" "$2"
		;;
	esac
}

takes_value()
{
	case $1 in
	-s|--sort) ;;
	*) is_choice "$1" ;;
	esac
}

take_flag()
{
	case $1 in
	-j|--json) format=json ;;
	-T|--totals) totals=yes ;;
	*) return 1 ;;
	esac
}

command=threads
format=
sort=
totals=
# shellcheck source=src/cli/arguments.sh disable=SC2154
. "$commands/arguments.sh"

add_choices
! wants_progress || add_param progress=yes
[ -z "$totals" ] || add_param "totals=$totals"
[ -z "$sort" ] || add_param "sort=\"$sort\""
[ -z "$format" ] || add_param "format=\"$format\""
[ -z "$params" ] || set -- "--params=$params" "$@"
run_sink "the standard output" "what is there is not whole; make room, or write elsewhere" \
	--component=commcache:sink.commcache.threads "$@"
