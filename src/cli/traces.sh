#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the commands that read traces share. Read by them; commcache defines
# fail, need, print_command, run_child and $plugins, and they define $command
# and $dry_run.
#
# shellcheck disable=SC2154

# shellcheck source=src/cli/formats.sh
. "$commands/formats.sh"
# shellcheck source=src/cli/unwritten.sh
. "$commands/unwritten.sh"

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
		fail 1 "no trace in $1 (no file 'metadata' in it or below): nothing was recorded to it, or it is another folder"
	check_format "$1"
}

# Without babeltrace2 its absence is told, later.
check_format()
{
	if ! has_ctf_2 "$1" || ! command -v babeltrace2 >/dev/null ||
			babeltrace2_knows_ctf_2; then
		return
	fi
	fail 1 "$1 is a CTF 2 trace, which babeltrace2 $(babeltrace2_version) cannot read; $newer_babeltrace2"
}

# A string as babeltrace2's --params takes it.
quote_param()
{
	printf '"'
	printf '%s' "$1" | sed 's/[\\"]/\\&/g'
	printf '"'
}

check_number()
{
	case $2 in
	''|*[!0-9]*) wrong_usage "$command: $1 takes a number, not '$2'" ;;
	esac
}

# take_learned OPTION FILE
take_learned()
{
	[ -n "$2" ] || wrong_usage "$command: $1 takes the name of a file"
	[ -f "$2" ] || fail 1 "no such file: $2; commcache learn DIR... -o $2 makes it"
	[ -r "$2" ] || fail 1 "$2 cannot be read; its owner or root can"
	learned=$2
}

# Before anything is read: that can take minutes.
check_output_file()
{
	folder=$(dirname -- "$output")
	[ ! -d "$output" ] ||
		fail 1 "$output is a folder; give the name of a file"
	[ -d "$folder" ] ||
		fail 1 "no such folder: $folder; make it first"
	if [ ! -e "$output" ] || [ -f "$output" ]; then
		[ -w "$folder" ] ||
			fail 1 "cannot write to $folder; give another place with -o"
	fi
}

# What commcache learn kept; none.
learned=

# Which threads, of the commands that list or draw them.
params=
names=
pids=
tids=

is_choice()
{
	case $1 in
	-p|--param|-l|--learned|--comm|--name|--pid|--tid) ;;
	*) return 1 ;;
	esac
}

# take_choice OPTION VALUE
take_choice()
{
	case $1 in
	-p|--param)
		params=${params:+$params,}$2
		;;
	-l|--learned)
		take_learned "$1" "$2"
		;;
	--comm|--name)
		[ -n "$2" ] || wrong_usage "$command: $1 takes a pattern"
		names=${names:+$names,}$(quote_param "$2")
		;;
	--pid)
		check_number "$1" "$2"
		pids=${pids:+$pids,}$2
		;;
	--tid)
		check_number "$1" "$2"
		tids=${tids:+$tids,}$2
		;;
	esac
}

add_param()
{
	params=$1${params:+,$params}
}

add_learned()
{
	[ -z "$learned" ] || add_param "learned=$(quote_param "$learned")"
}

add_choices()
{
	add_learned
	[ -z "$tids" ] || add_param "tid=[$tids]"
	[ -z "$pids" ] || add_param "pid=[$pids]"
	[ -z "$names" ] || add_param "name=[$names]"
}

# Whether to tell how far the reading is: to who sits there and waits.
wants_progress()
{
	[ "$dry_run" = no ] && [ -t 2 ]
}

# It takes a second one as it takes the first. Called by a trap.
# shellcheck disable=SC2317
on_interrupt()
{
	[ -z "$child" ] || kill -INT "$child" 2>/dev/null
}

# babeltrace2's last cause is the first one: its text, without the values.
# error_cause FILE
error_cause()
{
	awk '
		/^CAUSED BY |^ERROR: / { cause = ""; next }
		/^  / { cause = cause substr($0, 2) }
		END { sub(/^ */, "", cause); sub(/:? *[a-z-]+=.*/, "", cause); print cause }
	' "$1" | tr -cd '[:print:]'
}

# run_quietly [NAME=VALUE]... PROGRAM [ARG...]: what it says is kept in $errors, so
# that it can be told in one line; not where somebody waits at a terminal, who is
# told how far it is.
run_quietly()
{
	errors=
	[ -t 2 ] || errors=$(mktemp "${TMPDIR:-/tmp}/commcache.XXXXXX" 2>/dev/null)
	if [ -z "$errors" ] || [ -n "$(write_failure "${errors%/*}" 4096)" ]; then
		[ -z "$errors" ] || rm -f "$errors"
		errors=
		run_child "$@"
		return
	fi
	run_child "$@" 2>"$errors"
}

# tell_errors FORGOTTEN: what run_quietly kept, but for what is told in other words.
tell_errors()
{
	[ -n "$errors" ] || return
	[ "$1" = yes ] || cat "$errors" >&2
	rm -f "$errors"
	errors=
}

# Why $learned is of no use, what run_quietly kept being of it.
learned_reason()
{
	if [ -n "$errors" ] && [ -n "$learned" ]; then
		error_cause "$errors" |
			sed -n 's/^Parameter .[a-z]*.: .*: its file //p'
	fi
}

# fail_learned: in one line, where that is what is wrong.
fail_learned()
{
	reason=$(learned_reason)
	[ -n "$reason" ] || return 0
	tell_errors yes
	fail 1 "$learned $reason"
}

# What a sink of ours writes, and what to do if it cannot; none.
written=
written_help=

# fail_unwritten: in one line, where what run_quietly kept is of that.
fail_unwritten()
{
	reason=
	if [ -n "$errors" ] && [ -n "$written" ]; then
		reason=$(error_cause "$errors" |
			sed -n 's/^Cannot write to .*: //p')
	fi
	[ -n "$reason" ] || return 0
	tell_errors yes
	fail 1 "cannot write to $written: $reason; $written_help"
}

# run_sink WHAT HELP BABELTRACE2-ARG...: what it writes, and what to do if it cannot.
# Does not return.
run_sink()
{
	written=$1
	written_help=$2
	shift 2
	run_babeltrace2 "$@"
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
	if [ -n "$learned$written" ]; then
		run_quietly "$@"
		status=$?
		if [ "$status" != 0 ]; then
			fail_learned
			fail_unwritten
		fi
		tell_errors no
	else
		run_child "$@"
		status=$?
	fi
	[ "$interrupted" = no ] || exit 130
	exit "$status"
}
