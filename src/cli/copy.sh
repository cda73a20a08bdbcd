#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache copy: write traces anew, with names. Read by commcache, which defines
# fail, wrong_usage, run_child and $commands.

# Called by arguments.sh.
# shellcheck disable=SC2317
copy_usage()
{
	cat <<-END
	usage: commcache copy [OPTION]... DIR... -o NEW-DIR
	                      [-- BABELTRACE2-OPTION...]

	Write the traces in each DIR anew to NEW-DIR, beside each event the name
	(comm) that its thread had then: for Trace Compass, scripts, and all else
	that reads CTF and cannot load the plugin.

	  -o, --output DIR        write to DIR, which must be new or empty; it is
	                          there when all is written, or not at all
	  -m, --mend              put the names into the context procname, which
	                          LTTng-UST leaves stale, in place of comm
	      --ctf-version N     the format: 1 (CTF 1.8) or 2, which babeltrace2
	                          writes since 2.1 (default: that of the traces)
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

# take OPTION VALUE
take()
{
	case $1 in
	-o|--output)
		[ -n "$2" ] || wrong_usage "copy: $1 takes the name of a folder"
		output=$2
		;;
	--ctf-version)
		case $2 in
		1|1.8) ctf_version=1 ;;
		2|2.0) ctf_version=2 ;;
		*) wrong_usage "copy: no such version of CTF: '$2' (1, 2)" ;;
		esac
		;;
	*)
		take_choice "$1" "$2"
		;;
	esac
}

takes_value()
{
	case $1 in
	-o|--output|--ctf-version|-p|--param|-l|--learned) ;;
	*) return 1 ;;
	esac
}

take_flag()
{
	case $1 in
	-m|--mend) mend=yes ;;
	*) return 1 ;;
	esac
}

check_output()
{
	case $output in
	-*) output=./$output ;;
	esac
	folder=$(dirname -- "$output")
	if [ -d "$output" ]; then
		[ -z "$(ls -A "$output")" ] ||
			fail 1 "$output is not empty; name a new folder with -o"
	elif [ -e "$output" ] || [ -L "$output" ]; then
		fail 1 "$output is there already, and is not a folder; name a new one with -o"
	fi
	[ -d "$folder" ] ||
		fail 1 "no such folder: $folder; make it first"
	[ -w "$folder" ] ||
		fail 1 "cannot write to $folder; give another place with -o"
}

# choose_version WORD...: sets $ctf_version, where that is to be said; of the words
# those that are folders are traces.
choose_version()
{
	if ! babeltrace2_knows_ctf_2; then
		[ "$ctf_version" != 2 ] ||
			fail 1 "this babeltrace2 cannot write CTF 2; install 2.1 or later, or leave out --ctf-version"
		ctf_version=
	elif [ -z "$ctf_version" ]; then
		ctf_version=1
		for word in "$@"; do
			[ ! -d "$word" ] || ! has_ctf_2 "$word" || ctf_version=2
		done
	fi
}

# Runs at every exit: what is half-made never bears the name of the whole.
# shellcheck disable=SC2317
clean_up()
{
	status=$?
	trap '' HUP INT TERM
	[ -z "$unfinished" ] || rm -rf "$unfinished"
	[ -z "$errors" ] || rm -f "$errors"
	exit "$status"
}

# finish: what was written gets its name, all at once.
finish()
{
	mv -T "$unfinished/copy" "$output" 2>/dev/null ||
		fail 1 "cannot name the copy $output: something came to be there"
	echo "commcache: copied to $output" >&2
}

command=copy
output=
errors=
mend=no
ctf_version=
unfinished=
# sink.ctf.fs asks for room step by step, and dies where there is none.
step=1M
# shellcheck source=src/cli/arguments.sh disable=SC2154
. "$commands/arguments.sh"
[ -n "$output" ] || wrong_usage "copy: give the folder to write with -o DIR"
check_output
need babeltrace2 babeltrace2

choose_version "$@"
add_learned
! wants_progress || add_param progress=yes
[ "$mend" = no ] || add_param 'field-name="procname"'
[ -z "$params" ] || set -- "--params=$params" "$@"
path=$output
if [ "$dry_run" = no ]; then
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' HUP TERM
	unfinished=$(mktemp -d "$folder/.commcache-unfinished.XXXXXX") ||
		fail 1 "cannot write to $folder; give another place with -o"
	path=$unfinished/copy
fi
sink_params="path=$(quote_param "$path")${ctf_version:+,ctf-version=\"$ctf_version\"}"
set -- babeltrace2 "--plugin-path=$plugins" \
	--component=commcache:filter.commcache.resolve "$@" \
	--component=sink.ctf.fs "--params=$sink_params"
if [ "$dry_run" = yes ]; then
	print_command "$@"
	exit 0
fi
run_quietly "$@" >"$unfinished/log"
status=$?
reason=
[ "$status" = 0 ] || reason=$(write_failure "$unfinished" "$step")
if [ -n "$reason" ]; then
	tell_errors yes
	fail 1 "cannot write the copy to $folder: $reason; nothing of it is left; make room, or give another place with -o"
fi
[ "$status" = 0 ] || fail_learned
tell_errors no
[ "$interrupted" = no ] || exit 130
if [ "$status" != 0 ]; then
	fail "$status" "the copy failed, see above; nothing of it is left"
fi
[ -d "$unfinished/copy" ] ||
	fail 1 "nothing was copied: there is no event in the traces"
finish
