#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What commcache record says at its end: what came of it, and what did not and why.
# Read by record.sh, which defines $work_folder, $output, $events and $status.
#
# shellcheck disable=SC2154

# shellcheck source=src/cli/unwritten.sh
. "$commands/unwritten.sh"
# shellcheck source=src/cli/survey.sh
. "$commands/survey.sh"

# Seconds that the look at what was recorded may take.
survey_limit=10

notice()
{
	echo "commcache: $1" >&2
}

has_trace()
{
	[ -n "$(find "$output" -name metadata -type f 2>/dev/null | head -n 1)" ]
}

# Nothing was told by anything: what is known of the program is its file.
why_nothing()
{
	if [ "${COMMCACHE_DISABLE-}" = 1 ] && [ -s "$work/facts" ]; then
		tell "COMMCACHE_DISABLE=1 turns the agent off, and $program has no events of its own" \
			"unset COMMCACHE_DISABLE"
	elif [ "$status" = 126 ] || [ "$status" = 127 ]; then
		tell "$program did not start (exit status $status)" \
			"see what it says when it is run alone"
	elif why_not_preloaded "$(program_file "$program")"; then
		why="$program: $why"
	elif [ "${LTTNG_UST_REGISTER_TIMEOUT-}" = 0 ]; then
		tell "$program ended before LTTng knew of it: LTTNG_UST_REGISTER_TIMEOUT is 0" \
			"unset LTTNG_UST_REGISTER_TIMEOUT"
	else
		tell "nothing of $program spoke to LTTng: what it runs may be static, or clear its environment, or speak to another user's session daemon" \
			"see what fails with: LTTNG_UST_DEBUG=1 COMMCACHE_DEBUG=1 commcache record $program"
	fi
}

# has_event PATTERN FACT: whether the survey tells of such an event.
has_event()
{
	sed -n "s/^$2 //p" "$work/facts" | while IFS= read -r event; do
		# shellcheck disable=SC2254
		case $event in
		$1) echo yes && break ;;
		esac
	done | grep -q yes
}

# Of each name that was asked for, and that nothing came of.
tell_asked()
{
	echo "$events" | tr , '\n' >"$work/asked"
	while IFS= read -r pattern; do
		if has_event "$pattern" fired; then
			continue
		elif [ "$(fact lossy)" = yes ]; then
			notice "no event $pattern: it may be among those that were discarded"
		elif has_event "$pattern" event; then
			notice "no event $pattern: it is there, and was never reached"
		else
			notice "no event $pattern: no program has one that is so named, or its provider is not loaded; while the program runs, see: lttng list --userspace"
		fi
	done <"$work/asked"
}

# No program has written an event of its own.
tell_no_events()
{
	[ "$(fact lossy)" = no ] || return
	offered=$(offered_events | first_of 3)
	if [ -n "$offered" ]; then
		notice "no event of a program's own came: there is $offered, and it was never reached"
	elif [ -z "$events" ]; then
		notice "no event of a program's own came: none has LTTng-UST events, or their provider is not loaded"
	fi
}

tell_nameless()
{
	nameless_programs >"$work/nameless"
	while IFS='	' read -r who count loaded bits comm file; do
		if [ "${COMMCACHE_DISABLE-}" = 1 ]; then
			tell "COMMCACHE_DISABLE=1 turns the agent off" \
				"unset COMMCACHE_DISABLE"
		else
			name=$(basename -- "$program" | cut -c 1-15)
			[ -n "$file" ] || [ "$comm" != "$name" ] ||
				file=$(program_file "$program")
			why_nameless "$loaded" "$bits" "$file"
		fi
		notice "$who: no names of its threads, $count events: $why; $help"
	done <"$work/nameless"
}

tell_discarded()
{
	[ "$(fact lossy)" = yes ] || return
	notice "$(fact discarded) events were discarded, the buffers were full; record with a larger --buffer-size"
}

# What is empty of what we made: the program may have put something there.
remove_empty()
{
	[ "$made_output" = no ] ||
		find "$output" -depth -type d -empty -delete 2>/dev/null
}

tell_nothing()
{
	if [ "$(fact lossy)" = yes ]; then
		tell "all of the $(fact discarded) events were discarded, the buffers were full" \
			"record with a larger --buffer-size"
	else
		why_nothing
	fi
	notice "nothing was recorded: $why; $help"
	remove_empty
}

# What was recorded is other than nothing.
tell_recorded()
{
	[ -z "$events" ] || tell_asked
	tell_nameless
	tell_discarded
	[ "$is_kept" = yes ] || return
	if [ "$(own_events)" = 0 ]; then
		tell_no_events
		notice "only names were recorded to $output, of $(named_programs | first_of 5) (a static program, or one without LD_PRELOAD, is not among them); list them with: commcache threads $(quote "$output")"
	else
		notice "recorded to $output; read it with: commcache view $(quote "$output")"
	fi
}

# Without metadata nothing is; with them, what is whole.
is_readable()
{
	[ -n "$(find "$output" -name metadata -type f -size +0 2>/dev/null | head -n 1)" ] ||
		return
	cut_streams "$output"
	babeltrace2 "$output" 2>/dev/null | head -n 1 | grep -q .
}

# tell_unwritten REASON: a part of it could not be written.
tell_unwritten()
{
	[ "$status" != 0 ] || status=1
	if [ "$is_kept" = no ]; then
		notice "events were lost: cannot write to $output: $1; make room there, or set TMPDIR to where there is some"
	elif is_readable; then
		notice "only a part was recorded to $output: $1; the events after that are lost; read what is there with: commcache view $(quote "$output")"
	else
		notice "nothing that can be read was recorded to $output: $1; the events are lost; make room there, or name another folder with -o"
	fi
}

# The session is closed.
tell_result()
{
	work=$work_folder
	made_output=$output_is_ours
	output_is_ours=no
	: >"$work/facts"
	params="facts=\"programs\",seconds=$survey_limit"
	[ ! -t 2 ] || params=$params,progress=yes
	reason=$(write_failure "$output" 4096)
	if [ -n "$reason" ]; then
		tell_unwritten "$reason"
	elif ! has_trace; then
		tell_nothing
	elif ! command -v babeltrace2 >/dev/null || { ! survey "$params" "$output" &&
			! grep -q '^cut ' "$work/facts"; }; then
		if cut_streams "$output"; then
			tell_unwritten "a packet of events was not written to its end"
			return
		fi
		[ -z "$warnings" ] || echo "$warnings" >&2
		notice "recorded to $output; read it with: commcache view $(quote "$output")"
	elif [ "$(own_events)" = 0 ] && [ -z "$(named_programs)" ] &&
			[ "$(fact cut)" = no ]; then
		tell_nothing
	else
		tell_recorded
	fi
}
