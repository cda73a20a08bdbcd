#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What a trace holds: one reading of it, by sink.commcache.survey, and what follows
# of its programs. Read by record and doctor; commcache defines $plugins and print_command, they
# $work, a folder.
#
# shellcheck disable=SC2154

# survey PARAMS [BABELTRACE2-ARG]...: the facts are in $work/facts, what the naming
# says of itself in $work/errors.
survey()
{
	survey_params=$1
	shift
	babeltrace2 "--plugin-path=$plugins" "$@" \
		--component=commcache:sink.commcache.survey --log-level=INFO \
		"--params=$survey_params" \
		>"$work/facts" 2>"$work/errors" </dev/null
}

# fact NAME: what the survey says of it.
fact()
{
	sed -n "s/^$1 //p" "$work/facts" | head -n 1
}

# Events of programs, not of LTTng-UST or the agent.
own_events()
{
	awk -F '\t' '$1 == "program" { sum += $3 } END { print sum + 0 }' \
		"$work/facts"
}

# Of the programs, what LTTng-UST itself has in all of them left out.
offered_events()
{
	sed -n 's/^event //p' "$work/facts" |
		grep -Ev '^(commcache|lttng_ust|lttng_ust_(statedump|lib|tracef|tracelog)):' |
		sort -u
}

# first_of NUMBER: of the lines that come, in one; and how many more there are.
first_of()
{
	awk -v "number=$1" '
		NR <= number { list = list (NR > 1 ? ", " : "") $0 }
		END { print list (NR > number ? " and " NR - number " more" : "") }'
}

# What the programs are called in which the agent spoke, a line each.
named_programs()
{
	awk -F '\t' '$1 == "program" && $4 == "names" && !seen[$8]++ { print $8 }' \
		"$work/facts"
}

# The programs that began while the agent should have been there, and in which it
# did not speak; a line for those of one name: what to call them, their events,
# whether the agent was loaded, the size of an address, the comm, the file.
nameless_programs()
{
	awk -F '\t' '
		$1 != "program" || $4 != "nameless" || $5 != "begun" { next }
		$3 == 0 && $6 != "no-agent" { next }
		{
			# read takes two tabs for one.
			key = $6 "\t" $7 "\t" ($8 == "" ? "?" : $8) "\t" $9
			if (!(key in events))
				keys[++count] = key
			events[key] += $3
			number[key]++
			if (number[key] <= 3)
				pids[key] = pids[key] (number[key] > 1 ? ", " : "") $2
		}
		END {
			for (i = 1; i <= count; i++) {
				key = keys[i]
				split(key, part, "\t")
				who = (number[key] > 1 ? "processes " : "process ") pids[key]
				if (number[key] > 3)
					who = who " and " number[key] - 3 " more"
				print who " (" part[3] ")\t" events[key] "\t" key
			}
		}' "$work/facts"
}

# why_nameless AGENT BITS FILE: $why the agent was silent in such a program, and
# what $help there is.
why_nameless()
{
	if [ "$1" != no-agent ] && [ "$(fact lossy)" = yes ]; then
		tell "what the agent told may be among the events that were discarded" \
			"record with a larger --buffer-size"
	elif [ "$1" = agent ]; then
		tell "the agent is loaded and turned off, or had no time to begin" \
			"unset COMMCACHE_DISABLE"
	elif [ -n "$3" ] && why_not_preloaded "$3"; then
		:
	elif [ "$2" != 0 ] && [ "$2" != "$(elf_bits "$agent")" ]; then
		tell "it is a $2-bit program, and the agent is a $(elf_bits "$agent")-bit library" \
			"install the agent for that architecture too (Debian: commcache-ust:i386), and name both in LD_PRELOAD"
	else
		tell "LD_PRELOAD did not reach it, or another one replaced it (env, sudo, a script that sets its own)" \
			"have it run with what 'commcache env' prints, its own LD_PRELOAD added behind a colon"
	fi
}
