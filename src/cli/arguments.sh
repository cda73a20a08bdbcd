#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The arguments of a command that reads traces. Not a function, so that it can
# set them: the folders, and what follows --, are left.
#
# Read by a command that has read traces.sh, and that defines $command,
# ${command}_usage, takes_value OPTION, take OPTION VALUE and take_flag OPTION:
# whether there is such an option, and what becomes of it. Left behind: $dry_run
# and $title (the names of the traces).
#
# shellcheck disable=SC2034,SC2154

dry_run=no
traces=0
title=
expected=word

# The words that are babeltrace2's go through the argument list once round.
for word in "$@"; do
	shift
	case $expected in
	rest)
		set -- "$@" "$word"
		continue
		;;
	-*)
		take "$expected" "$word"
		expected=word
		continue
		;;
	esac
	case $word in
	--)
		expected=rest
		;;
	-n|--dry-run)
		dry_run=yes
		;;
	-h|--help)
		"${command}_usage"
		exit 0
		;;
	-*)
		if takes_value "$word"; then
			expected=$word
		elif [ "$word" != "${word#--*=}" ] && takes_value "${word%%=*}"; then
			take "${word%%=*}" "${word#*=}"
		else
			take_flag "$word" ||
				wrong_usage "$command: unknown option '$word'"
		fi
		;;
	*)
		check_trace "$word"
		traces=$((traces + 1))
		title=${title:+$title, }$(basename -- "$word")
		set -- "$@" "$word"
		;;
	esac
done
case $expected in
-*) wrong_usage "$command: $expected takes a value" ;;
esac
[ "$traces" -gt 0 ] || wrong_usage "$command: no trace folder given"
