#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The part of commcache doctor that looks at traces: what they hold, how many
# events have a name, and for the rest what was not recorded. Read by doctor.sh,
# which defines report, first_line, $work and $plugins; the traces are the
# arguments.
#
# shellcheck disable=SC2154

# One word a line of what a trace's metadata declares: "domain kernel", "tracer
# lttng-modules 2.13.9", "host H", "context tid" and, for a stream that lacks
# them, "without tid"; "event NAME".
metadata_facts()
{
	awk '
		/^env / { env = 1 }
		/^};/ { env = 0; in_event = 0 }
		/^event / { in_event = 1 }
		/^stream / { delete seen }
		env && $2 == "=" {
			value = $0
			sub(/^[^=]*= "?/, "", value)
			sub(/"?;.*/, "", value)
			of[$1] = value
		}
		in_event && $1 == "name" { name = $3; gsub(/[";]/, "", name); print "event " name }
		/event.context := struct/ { in_context = 1 }
		in_context && /^[ \t]*}( align\([0-9]*\))?;/ { in_context = 0 }
		in_context && /;$/ {
			name = $NF
			sub(/^_/, "", name)
			sub(/(\[.*)?;$/, "", name)
			print "context " name
			seen[name] = 1
		}
		/^};/ && was_stream {
			for (i = split("tid vtid procname", wanted); i > 0; i--)
				if (!(wanted[i] in seen))
					print "without " wanted[i]
		}
		/^};/ { was_stream = 0 }
		/^stream / { was_stream = 1 }
		END {
			print "domain " (of["domain"] ? of["domain"] : "unknown")
			version = of["tracer_major"] "." of["tracer_minor"]
			if ("tracer_patchlevel" in of)
				version = version "." of["tracer_patchlevel"]
			print "tracer " (of["tracer_name"] ? of["tracer_name"] : "unknown tracer") \
				(of["tracer_major"] == "" ? "" : " " version)
			print "host " (of["hostname"] ? of["hostname"] : of["host"])
		}'
}

# fact LINE-PATTERN: of the traces of the domain that $domain_facts is of.
fact()
{
	grep -qE "^($1)\$" "$domain_facts"
}

# What one trace is, in words that are the same for traces of a kind.
describe()
{
	awk '
		{ word = $1; sub(/^[^ ]* ?/, "") }
		word == "tracer" { tracer = $0 }
		word == "host" && $0 != "" { host = " of " $0 }
		word == "event" { events++ }
		word == "context" && !($0 in seen) { contexts = contexts " " $0; seen[$0] }
		END {
			print tracer host ", contexts:" \
				(contexts ? contexts : " none") ", kinds of events: " events + 0
		}' | tr -cd '[:print:]\n'
}

# The facts of all traces, by domain; each trace is described in a line of
# $work/traces. perf calls its domain kernel too.
read_metadata()
{
	: >"$work/traces"
	: >"$work/kernel"
	: >"$work/ust"
	: >"$work/perf"
	: >"$work/other"
	find -L "$@" -name metadata -type f >"$work/metadata" 2>/dev/null
	while IFS= read -r file; do
		babeltrace2 --output-format=ctf-metadata "$(dirname "$file")" \
			</dev/null 2>/dev/null | metadata_facts >"$work/facts"
		if grep -q '^tracer perf' "$work/facts"; then
			domain=perf
		elif grep -qx 'domain kernel' "$work/facts"; then
			domain=kernel
		elif grep -qx 'domain ust' "$work/facts"; then
			domain=ust
		else
			domain=other
		fi
		cat "$work/facts" >>"$work/$domain"
		describe <"$work/facts" >>"$work/traces"
	done <"$work/metadata"
	sort "$work/traces" | uniq -c | while read -r number description; do
		[ "$number" = 1 ] || description="$number of $description"
		report trace ok "$description"
	done
}

# Reads all and names it; what the filter says at the end is in $work/summary.
read_events()
{
	babeltrace2 "--plugin-path=$plugins" "$@" \
		--component=commcache:filter.commcache.resolve --log-level=INFO \
		--component=sink.utils.counter --params=step=+0 \
		>"$work/counts" 2>"$work/errors" </dev/null
	status=$?
	grep '^commcache: [0-9]* events: ' "$work/errors" >"$work/summary"
	return "$status"
}

# babeltrace2's last cause is the first one: its text, without the values.
error_cause()
{
	awk '
		/^CAUSED BY |^ERROR: / { cause = ""; next }
		/^  / { cause = cause $0 }
		END { sub(/^ */, "", cause); sub(/:? *[a-z-]+=.*/, "", cause); print cause }
	' "$work/errors" | tr -cd '[:print:]'
}

# count WHAT: how many events the summary says of it.
count()
{
	number=$(sed -n "s/.*[ (]\([0-9][0-9]*\) $1.*/\1/p" "$work/summary")
	echo "${number:-0}"
}

check_threads()
{
	babeltrace2 "--plugin-path=$plugins" "$@" \
		--component=commcache:sink.commcache.threads \
		'--params=format="json"' 2>/dev/null </dev/null | awk '
		function thread_ends() { unnamed += is_thread && !is_named }
		/^  {/ {
			thread_ends()
			is_named = 0
			is_thread = /"idle_cpu": null/ && (/"tid": [0-9]/ || /"vtid": [0-9]/)
			threads += is_thread
		}
		/^    {"name": "/ { is_named = 1; names += is_thread }
		END {
			thread_ends()
			print threads + 0 ", with " names + 0 " names" \
				(unnamed ? "; " unnamed " have none" : "")
		}' >"$work/threads"
	report threads ok "$(cat "$work/threads")"
}

# Reads the summary; the lines of the report are those of its numbers.
check_events()
{
	events=$(count events:)
	named=$(count named)
	if [ "$events" = 0 ]; then
		report events absent "none" "record while something runs"
		return
	fi
	summary="$named of $events are named"
	unknown=$(sed -n 's/.*[0-9] unknown (\([^()]*\)).*/\1/p' "$work/summary")
	if [ -z "$unknown" ]; then
		report events ok "$summary"
	else
		report events partly "$summary, $((events - named)) are not ($unknown)"
	fi
}

# lacks NUMBER WHAT COMMAND: the trace lacks it, and so many events a name.
lacks()
{
	report "not recorded" absent "$2 ($1 events)" "$3"
	advised=yes
}

# Who ran the event is not known.
advise_tid()
{
	number=$(count 'no tid')
	[ "$number" -gt 0 ] || return
	domain_facts=$work/ust
	if fact 'domain ust' && fact 'without vtid'; then
		lacks "$number" "the thread of each user-space event" \
			"lttng add-context --userspace --type=vtid --type=vpid"
	fi
	domain_facts=$work/kernel
	fact 'domain kernel' && fact 'without tid' || return
	if ! fact 'event sched_switch'; then
		lacks "$number" "the thread of each kernel event" \
			"lttng enable-event --kernel sched_switch, or lttng add-context --kernel --type=tid"
	elif [ "$discarded" -gt 0 ]; then
		lacks "$number" "who ran after discarded events" \
			"lttng add-context --kernel --type=tid, or lttng enable-channel --kernel --subbuf-size=4M --num-subbuf=8 CHANNEL"
	else
		lacks "$number" "who ran before the first switch of each CPU" \
			"lttng add-context --kernel --type=tid"
	fi
}

# It is known, and not what it is called.
advise_names()
{
	number=$(($(count 'thread never told of') + $(count 'thread not alive then') +
		$(count 'no name told') + $(count "parent's name unknown")))
	[ "$number" -gt 0 ] || return
	domain_facts=$work/ust
	if fact 'domain ust' && ! fact 'event commcache:.*'; then
		lacks "$number" "what the program's threads are called" \
			"commcache record PROGRAM, or LD_PRELOAD=libcommcache-ust.so PROGRAM and lttng enable-event --userspace 'commcache:*'"
	elif fact 'domain ust' && ! fact 'event commcache:statedump_thread'; then
		lacks "$number" "the threads from before the session" \
			"lttng regenerate statedump"
	fi
	domain_facts=$work/perf
	if fact 'tracer perf.*' && ! fact 'event perf_comm'; then
		lacks "$number" "what perf knows of threads" \
			"perf data convert --all --to-ctf=DIR"
	fi
	domain_facts=$work/kernel
	fact 'domain kernel' || return
	if ! fact 'event sched_switch'; then
		lacks "$number" "the kernel's scheduling" \
			"lttng enable-event --kernel sched_switch,sched_process_fork,sched_process_exec"
	elif ! fact 'event lttng_statedump_process_state'; then
		lacks "$number" "the threads from before the session" \
			"lttng enable-event --kernel 'lttng_statedump_*'"
	elif ! fact 'event sched_process_fork'; then
		lacks "$number" "the births of threads" \
			"lttng enable-event --kernel sched_process_fork,sched_process_exec"
	fi
}

# A rename is told, the name is not.
advise_renames()
{
	number=$(count 'renamed, not told to what')
	[ "$number" -gt 0 ] || return
	domain_facts=$work/kernel
	if fact 'domain kernel' && fact 'without procname'; then
		lacks "$number" "the name after a rename" \
			"lttng add-context --kernel --type=procname, or beside the kernel trace commcache record PROGRAM"
	fi
}

advise_namespaces()
{
	number=$(($(count 'namespace not told of') + $(count 'in one of two PID namespaces')))
	[ "$number" -gt 0 ] || return
	lacks "$number" "which thread a vtid of a container is" \
		"lttng add-context --userspace --type=pid_ns --type=vtid, and lttng enable-event --kernel sched_process_fork,'lttng_statedump_*'"
}

advise_doubts()
{
	number=$(count 'by a procname that may be stale')
	[ "$number" = 0 ] ||
		report "may be stale" absent "names from LTTng-UST's procname ($number events)" \
			"commcache record PROGRAM"
	number=$(count 'taken as of the root PID namespace')
	domain_facts=$work/ust
	if [ "$number" -gt 0 ] && grep -qx 'domain kernel' "$work/kernel" &&
			fact 'domain ust'; then
		report "may be another's" absent \
			"ids taken as the host's, not a container's ($number events)" \
			"lttng add-context --userspace --type=pid_ns"
	fi
}

advise()
{
	advised=no
	discarded=$(sed -n 's/.*[^0-9]\([0-9][0-9]*\) Discarded event message.*/\1/p' \
		"$work/counts" | tail -n 1)
	discarded=${discarded:-0}
	advise_tid
	advise_names
	advise_renames
	advise_namespaces
	if [ "$advised" = no ] && grep -q ' unknown (' "$work/summary"; then
		lacks "$((events - named))" "what would name the rest" \
			"commcache record PROGRAM, or see babeltrace2-filter.commcache.resolve(7)"
	fi
	advise_doubts
}

if ! has babeltrace2 || [ -z "$(plugin_path "--plugin-path=$plugins")" ]; then
	report traces missing "cannot be read" "mend what is missing above"
else
	read_metadata "$@"
	if ! read_events "$@"; then
		report traces missing "cannot be read to the end ($(error_cause))" \
			"see what fails with: $(print_command babeltrace2 "$@")"
	fi
	if [ -s "$work/summary" ]; then
		check_threads "$@"
		check_events
		advise
	fi
fi
