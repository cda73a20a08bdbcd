#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The part of commcache doctor that looks at traces: what they hold, how many
# events have a name, and for the rest what was not recorded. Read by doctor.sh,
# which defines report, first_line, $work and $plugins; the traces are the
# arguments.
#
# shellcheck disable=SC2154

# shellcheck source=src/cli/program.sh
. "$commands/program.sh"
# shellcheck source=src/cli/survey.sh
. "$commands/survey.sh"

# declares LINE-PATTERN: one of the traces of the domain that $domain_facts is of.
declares()
{
	grep -qE "^($1)\$" "$domain_facts"
}

# The trace is one of commcache record.
is_recorded()
{
	domain_facts=$work/ust
	declares 'session commcache-[0-9]+-.*'
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
		}'
}

# What each trace declares, a file for each.
split_traces()
{
	awk -v "work=$work" '
		$0 == "trace" { file = work "/trace-" ++count; print "" >file; next }
		file { print >file }' "$work/facts"
}

# What all of them declare, by domain; each is described in a line of
# $work/traces. perf calls its domain kernel too.
read_traces()
{
	: >"$work/traces"
	: >"$work/kernel"
	: >"$work/ust"
	: >"$work/perf"
	: >"$work/other"
	split_traces
	for file in "$work"/trace-*; do
		[ -f "$file" ] || break
		if grep -q '^tracer perf' "$file"; then
			domain=perf
		elif grep -qx 'domain kernel' "$file"; then
			domain=kernel
		elif grep -qx 'domain ust' "$file"; then
			domain=ust
		else
			domain=other
		fi
		cat "$file" >>"$work/$domain"
		describe <"$file" >>"$work/traces"
	done
	sort "$work/traces" | uniq -c | while read -r number description; do
		[ "$number" = 1 ] || description="$number of $description"
		report trace ok "$description"
	done
}

# Reads all and names it, once; what the naming says at the end is in
# $work/summary.
read_events()
{
	survey 'facts="all"' "$@"
	status=$?
	grep '^commcache: [0-9]* events: ' "$work/errors" >"$work/summary"
	return "$status"
}

# count WHAT: how many events the summary says of it.
count()
{
	number=$(sed -n "s/.*[ (]\([0-9][0-9]*\) $1.*/\1/p" "$work/summary")
	echo "${number:-0}"
}

check_threads()
{
	nameless=$(fact nameless)
	report threads ok "$(fact threads), with $(fact names) names$(
		[ "$nameless" = 0 ] || echo "; $nameless have none")"
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
	domain_facts=$work/other
	if declares 'tracer .*'; then
		lacks "$number" "who ran each event" \
			"have the tracer write into each event (or its context) the thread's tid, or an event sched_switch with prev_tid, next_tid and next_comm, and the CPU as cpu_id of its packets or events"
	fi
	domain_facts=$work/ust
	if declares 'domain ust' && declares 'without vtid'; then
		lacks "$number" "the thread of each user-space event" \
			"lttng add-context --userspace --type=vtid --type=vpid"
	fi
	domain_facts=$work/kernel
	declares 'domain kernel' && declares 'without tid' || return
	if ! declares 'event sched_switch'; then
		lacks "$number" "the thread of each kernel event" \
			"lttng enable-event --kernel sched_switch, or lttng add-context --kernel --type=tid"
	elif [ "$(fact lossy)" = yes ]; then
		lacks "$number" "who ran after discarded events" \
			"lttng add-context --kernel --type=tid, or lttng enable-channel --kernel --subbuf-size=4M --num-subbuf=8 CHANNEL"
	else
		lacks "$number" "who ran before the first switch of each CPU" \
			"lttng add-context --kernel --type=tid"
	fi
}

# The programs in which the agent should have spoken, by the trace: with
# `commcache record`, or where its events are.
check_programs()
{
	is_recorded || declares 'event commcache:.*' || return
	nameless_programs >"$work/nameless"
	while IFS='	' read -r who number loaded bits _ file; do
		why_nameless "$loaded" "$bits" "$file"
		report "no agent" absent "$who, $number events: $why" "$help"
		advised=yes
	done <"$work/nameless"
}

# It is known, and not what it is called.
advise_ust_names()
{
	domain_facts=$work/ust
	declares 'domain ust' || return
	if is_recorded && ! declares 'event commcache:.*'; then
		lacks "$1" "what the program's threads are called" \
			"commcache record says at its end why the agent was in no program"
	elif ! declares 'event commcache:.*'; then
		lacks "$1" "what the program's threads are called" \
			"commcache record PROGRAM, or LD_PRELOAD=libcommcache-ust.so PROGRAM and lttng enable-event --userspace 'commcache:*'"
	elif ! declares 'event commcache:statedump_thread'; then
		lacks "$1" "the threads from before the session" \
			"lttng regenerate statedump"
	fi
}

advise_kernel_names()
{
	domain_facts=$work/kernel
	declares 'domain kernel' || return
	if ! declares 'event sched_switch'; then
		lacks "$1" "the kernel's scheduling" \
			"lttng enable-event --kernel sched_switch,sched_process_fork,sched_process_exec"
	elif ! declares 'event lttng_statedump_process_state'; then
		lacks "$1" "the threads from before the session" \
			"lttng enable-event --kernel 'lttng_statedump_*'"
	elif ! declares 'event sched_process_fork'; then
		lacks "$1" "the births of threads" \
			"lttng enable-event --kernel sched_process_fork,sched_process_exec"
	fi
}

advise_names()
{
	number=$(($(count 'thread never told of') + $(count 'thread not alive then') +
		$(count 'no name told') + $(count "parent's name unknown")))
	[ "$number" -gt 0 ] || return
	advise_ust_names "$number"
	domain_facts=$work/perf
	if declares 'tracer perf.*' && ! declares 'event perf_comm'; then
		lacks "$number" "what perf knows of threads" \
			"perf data convert --all --to-ctf=DIR"
	fi
	domain_facts=$work/other
	if declares 'tracer .*'; then
		lacks "$number" "what the threads are called" \
			"have the tracer write a name (comm) beside a tid, once for each thread and at each rename; or give names with --param 'names-from=\"FILE\"'"
	fi
	advise_kernel_names "$number"
}

# A rename is told, the name is not.
advise_renames()
{
	number=$(count 'renamed, not told to what')
	[ "$number" -gt 0 ] || return
	domain_facts=$work/kernel
	if declares 'domain kernel' && declares 'without procname'; then
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
	if [ "$number" -gt 0 ] && ! is_recorded; then
		report "may be stale" absent "names from LTTng-UST's procname ($number events)" \
			"commcache record PROGRAM"
	fi
	number=$(count between)
	domain_facts=$work/kernel
	if [ "$number" -gt 0 ] && declares 'domain kernel' && declares 'without procname'; then
		report "may be stale" absent \
			"names up to a rename, of which nothing tells when it was ($number events)" \
			"lttng add-context --kernel --type=procname, or lttng enable-event --kernel --syscall prctl,write,openat,execve"
	fi
	number=$(count 'taken as of the root PID namespace')
	domain_facts=$work/ust
	if [ "$number" -gt 0 ] && grep -qx 'domain kernel' "$work/kernel" &&
			declares 'domain ust'; then
		report "may be another's" absent \
			"ids taken as the host's, not a container's ($number events)" \
			"lttng add-context --userspace --type=pid_ns"
	fi
}

# What would name the rest, where nothing better is known.
advise_rest()
{
	[ "$advised" = no ] && grep -q ' unknown (' "$work/summary" || return
	if ! is_recorded && declares 'domain ust'; then
		lacks "$((events - named))" "what would name the rest" \
			"commcache record PROGRAM, or see babeltrace2-filter.commcache.resolve(7)"
	else
		lacks "$((events - named))" "what would name the rest" \
			"see babeltrace2-filter.commcache.resolve(7), and doc/limits.md"
	fi
}

advise()
{
	advised=no
	check_programs
	advise_tid
	advise_names
	advise_renames
	advise_namespaces
	advise_rest
	advise_doubts
	[ "$(fact lossy)" = no ] || report discarded absent \
		"$(fact discarded) events were discarded, names may be among them" \
		"larger buffers: commcache record --buffer-size=SIZE, or lttng enable-channel --subbuf-size=SIZE"
}

if ! has babeltrace2 || [ -z "$(plugin_path "--plugin-path=$plugins")" ]; then
	report traces missing "cannot be read" "mend what is missing above"
else
	read_events "$@" || failed=yes
	read_traces
	if [ "${failed-}" = yes ]; then
		report traces missing "cannot be read to the end ($(error_cause "$work/errors"))" \
			"see what fails with: $(print_command babeltrace2 "$@")"
	fi
	if [ -s "$work/summary" ]; then
		check_threads
		check_events
		advise
	elif [ "$(fact events)" = 0 ]; then
		report events absent "none" "record while something runs"
	fi
fi
