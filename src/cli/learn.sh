#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache learn: keep what traces tell of names. Read by commcache, which defines
# wrong_usage and $commands.

# Called by arguments.sh.
# shellcheck disable=SC2317
learn_usage()
{
	cat <<-END
	usage: commcache learn [OPTION]... DIR... -o FILE
	       commcache learn --add FILE CHUNK... [OPTION]...

	Read the traces in each DIR once, and keep in FILE what they tell of names.
	With --learned FILE, view, threads, timeline and copy then read them in one
	pass, and give each event the same name as in two.

	  -o, --output FILE       write to FILE; what was there is replaced when
	                          all is done
	  -a, --add FILE          FILE was learned from the chunks before: add what
	                          the next ones tell; it is replaced when all is
	                          done, or another one written with -o
	  -p, --param NAME=VALUE  a parameter of sink.commcache.learn, as
	                          babeltrace2's --params takes it; may be repeated
	  -n, --dry-run           print the babeltrace2 command, do not run it
	  -h, --help              print this
	END
}

# shellcheck source=src/cli/traces.sh disable=SC2154
. "$commands/traces.sh"

# take OPTION VALUE
take()
{
	case $1 in
	-o|--output)
		[ -n "$2" ] || wrong_usage "learn: $1 takes the name of a file"
		output=$2
		;;
	-a|--add)
		take_learned "$1" "$2"
		;;
	*)
		take_choice "$1" "$2"
		;;
	esac
}

takes_value()
{
	case $1 in
	-o|--output|-a|--add|-p|--param) ;;
	*) return 1 ;;
	esac
}

take_flag()
{
	return 1
}

command=learn
output=
# shellcheck source=src/cli/arguments.sh disable=SC2154
. "$commands/arguments.sh"
output=${output:-$learned}
[ -n "$output" ] || wrong_usage "learn: give the file to write with -o FILE"
check_output_file

! wants_progress || add_param progress=yes
[ -z "$learned" ] || add_param "add=$(quote_param "$learned")"
add_param "path=$(quote_param "$output")"
run_sink "$output" "what was there is as it was; make room, or give another place with -o" \
	--component=commcache:sink.commcache.learn "--params=$params" "$@"
