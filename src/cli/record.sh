#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache record: run a program and record its LTTng-UST events and the names
# of its threads. Read by commcache, which defines fail, wrong_usage, need,
# print_command and $agent.

record_usage()
{
	cat <<-END
	usage: commcache record [OPTION]... [--] PROGRAM [ARG...]

	Run PROGRAM, record its LTTng-UST events and the names of its threads in an
	LTTng session of its own, and exit with PROGRAM's status.

	  -o, --output DIR   record to DIR, which must be new or empty
	                     (default: commcache-PROGRAM-DATE-TIME, made here)
	  -e, --event EVENT  record these LTTng-UST events only, as lttng
	                     enable-event names them; may be repeated
	                     (default: all)
	  -c, --context TYPE record this context too, as lttng add-context --type
	                     names it; may be repeated (always: vpid, vtid,
	                     and pid_ns where LTTng knows it)
	  -s, --sched        have the kernel tell of PROGRAM's switches too, and of
	                     renames by ways that nothing else sees
	  -b, --buffer-size SIZE
	                     of one of the four buffers of each CPU, as lttng
	                     enable-channel --subbuf-size takes it: larger where
	                     events were discarded
	  -l, --live         print the events with names as they come, on stdout;
	                     nothing is kept but with -o
	  -v, --verbose      say what is chosen, and print the commands that are run
	  -n, --dry-run      print the commands, do not run them
	  -h, --help         print this

	A session daemon is started where none runs, and stopped at the end unless
	another session uses it by then. Other traced programs of the same user are
	recorded too if they have the events.
	END
}

# shellcheck source=src/cli/preload.sh disable=SC2154
. "$commands/preload.sh"
# shellcheck source=src/cli/live.sh disable=SC2154
. "$commands/live.sh"
# shellcheck source=src/cli/result.sh disable=SC2154
. "$commands/result.sh"
# shellcheck source=src/cli/formats.sh disable=SC2154
. "$commands/formats.sh"

# What is undone at the end, whatever the end is.
session=
daemon_pid_file=
output_is_ours=no
work_folder=

# Before lttng: a command that ends it if it takes too long.
limit=
warnings=

# Run one command of lttng's; what it says is shown only where it fails. What it
# warns of is kept: at the end it is what was discarded.
run_lttng()
{
	if [ "$dry_run" = yes ]; then
		print_command lttng "$@"
		return
	fi
	[ "$verbose" = no ] || print_command lttng "$@" >&2
	$limit lttng --no-sessiond "$@" >"$work_folder/lttng" 2>&1 </dev/null
	lttng_status=$?
	warnings=$(grep -i '^warning' "$work_folder/lttng")
	return "$lttng_status"
}

lttng_or_fail()
{
	run_lttng "$@" ||
		fail 1 "'lttng $1' failed: $(grep -v '^$' "$work_folder/lttng" | tail -n 1)"
	[ -z "$warnings" ] || echo "$warnings" >&2
}

daemon_is_running()
{
	lttng --no-sessiond list >/dev/null 2>&1
}

start_daemon()
{
	if [ "$dry_run" = yes ]; then
		daemon_is_running || print_command lttng-sessiond --daemonize --no-kernel
		return
	fi
	daemon_is_running && return
	daemon_pid_file=$work_folder/lttng-sessiond.pid
	lttng-sessiond --daemonize --no-kernel --pidfile="$daemon_pid_file" \
			>"$work_folder/lttng-sessiond" 2>&1 </dev/null ||
		fail 1 "the session daemon does not start: $(tail -n 1 "$work_folder/lttng-sessiond"); try: lttng-sessiond --verbose"
}

# Another session has come to depend on the daemon: it is theirs now.
# shellcheck disable=SC2317
daemon_is_shared()
{
	lttng --no-sessiond --mi=xml list 2>/dev/null | grep -q '<session>'
}

# Run by the trap of clean_up.
# shellcheck disable=SC2317
stop_daemon()
{
	daemon_pid=$(cat "$daemon_pid_file" 2>/dev/null) || return
	if daemon_is_shared; then
		echo "commcache: the session daemon (process $daemon_pid) goes on: there are other sessions" >&2
		return
	fi
	kill "$daemon_pid" 2>/dev/null
	# Not a child of this shell: wait can not wait for it.
	for _ in $(seq 100); do
		kill -0 "$daemon_pid" 2>/dev/null || return
		sleep 0.1
	done
	echo "commcache: the session daemon (process $daemon_pid) does not end; end it with: kill -KILL $daemon_pid" >&2
}

# lttng waits until all events are whole, for ever if a process was stopped in the
# midst of one.
destroy_session()
{
	destroyed=$session
	session=
	limit='timeout 60'
	run_lttng destroy "$destroyed" && return
	limit=
	if [ "$lttng_status" = 124 ] && run_lttng destroy --no-wait "$destroyed"; then
		echo "commcache: a process was stopped while it wrote an event; the trace may lack the last ones" >&2
	elif [ -z "$(write_failure "$output" 4096)" ]; then
		echo "commcache: 'lttng destroy $destroyed' failed, the trace may lack its end: $(tail -n 1 "$work_folder/lttng")" >&2
	fi
}

# Runs at every exit: nothing half-made stays behind.
# shellcheck disable=SC2317
clean_up()
{
	status=$?
	trap '' HUP INT TERM
	[ -z "$session" ] || destroy_session
	end_live
	[ -z "$daemon_pid_file" ] || stop_daemon
	[ "$output_is_ours" = no ] || rm -rf "$output"
	[ -z "$work_folder" ] || rm -rf "$work_folder"
	exit "$status"
}

# In the folders of PATH only: a name may also be one of this shell's own.
check_program()
{
	case $1 in
	*/*)
		[ -e "$1" ] || fail 127 "no such program: $1"
		if [ -d "$1" ] || ! [ -x "$1" ]; then
			fail 126 "$1 is not a program that can be run"
		fi
		;;
	*)
		(
			IFS=:
			for folder in $PATH; do
				[ -f "$folder/$1" ] && [ -x "$folder/$1" ] && exit 0
			done
			exit 1
		) || fail 127 "no such program: $1; if it is here, name it as ./$1"
		;;
	esac
}

# The folder is made before anything is started, so that a wrong one costs
# nothing.
make_output()
{
	if [ -e "$output" ]; then
		[ -d "$output" ] ||
			fail 1 "cannot record to $output: it is not a folder; name another with -o"
		[ -z "$(ls -A "$output")" ] ||
			fail 1 "$output is not empty; name a new folder with -o"
		[ -w "$output" ] ||
			fail 1 "cannot write to $output; name another folder with -o"
	else
		mkdir -p "$output" 2>/dev/null ||
			fail 1 "cannot make the folder $output; name another with -o"
		output_is_ours=yes
	fi
	output=$(CDPATH='' cd "$output" && pwd)
	reason=$(write_failure "$output" 4096)
	[ -z "$reason" ] ||
		fail 1 "cannot write to $output: $reason; make room there, or name another folder with -o"
}

# With pid_ns, processes of two containers that see themselves under the same
# numbers are told apart. LTTng knows it since 2.12.
always_contexts()
{
	echo vpid vtid
	lttng --no-sessiond add-context --list 2>/dev/null | grep -x pid_ns
}

# Beside the events asked for our own, and the one that tells of each program that
# starts; lttng refuses one that it has.
with_names()
{
	list=$1
	for event in 'commcache:*' lttng_ust_statedump:procname; do
		case ,$list, in
		*,"$event",*|*,\*,*) ;;
		*) list=$list,$event ;;
		esac
	done
	echo "$list"
}

# What is recorded here is read here, as a rule.
choose_format()
{
	format=
	if ! command -v babeltrace2 >/dev/null || babeltrace2_knows_ctf_2 ||
			! lttng_writes_ctf_2; then
		return
	fi
	format=--trace-format=ctf-1.8
	[ "$verbose" = no ] ||
		echo "commcache: CTF 1.8 is recorded: babeltrace2 $(babeltrace2_version) cannot read CTF 2" >&2
}

make_session()
{
	choose_format
	# shellcheck disable=SC2086
	if [ "$live" = yes ]; then
		lttng_or_fail create "$session_name" --live=200000 \
			--set-url="net://127.0.0.1:$control_port:$data_port" $format
	else
		lttng_or_fail create "$session_name" --output="$output" $format
	fi
	session=$session_name
	channel=
	if [ -n "$buffer_size" ]; then
		channel=--channel=channel0
		lttng_or_fail enable-channel --userspace --session="$session" \
			--num-subbuf=4 --subbuf-size="$buffer_size" channel0
	fi
	if [ -z "$events" ]; then
		# shellcheck disable=SC2086
		lttng_or_fail enable-event --userspace --session="$session" $channel --all
	else
		# shellcheck disable=SC2086
		lttng_or_fail enable-event --userspace --session="$session" $channel \
			"$(with_names "$events")"
	fi
	for context in $(always_contexts) $contexts; do
		lttng_or_fail add-context --userspace --session="$session" \
			--type="$context"
	done
	lttng_or_fail start "$session"
}

# What the kernel may refuse a process to know of itself: the program runs all
# the same, so say what will be missing.
check_sched()
{
	paranoid=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null) || paranoid=
	if [ -z "$paranoid" ]; then
		reason="this kernel has no performance events"
	elif [ "$paranoid" -gt 2 ] && [ "$(id -u)" != 0 ]; then
		reason="kernel.perf_event_paranoid is $paranoid; root can allow it with: sysctl kernel.perf_event_paranoid=2"
	else
		return
	fi
	echo "commcache: --sched: no switches will be recorded: $reason" >&2
}

output=
events=
contexts=
buffer_size=
sched=no
live=no
is_kept=yes
verbose=no
dry_run=no
while [ $# -gt 0 ]; do
	case $1 in
	-o|--output|-e|--event|-c|--context|-b|--buffer-size)
		[ $# -ge 2 ] || wrong_usage "record: $1 takes a value"
		case $1 in
		-o|--output) output=$2 ;;
		-b|--buffer-size) buffer_size=$2 ;;
		-e|--event) events=${events:+$events,}$2 ;;
		*) contexts="$contexts $2" ;;
		esac
		shift 2
		;;
	--output=*)
		output=${1#*=}
		shift
		;;
	--event=*)
		events=${events:+$events,}${1#*=}
		shift
		;;
	--buffer-size=*)
		buffer_size=${1#*=}
		shift
		;;
	--context=*)
		contexts="$contexts ${1#*=}"
		shift
		;;
	-s|--sched)
		sched=yes
		shift
		;;
	-l|--live)
		live=yes
		shift
		;;
	-v|--verbose)
		verbose=yes
		shift
		;;
	-n|--dry-run)
		dry_run=yes
		shift
		;;
	-h|--help)
		record_usage
		exit 0
		;;
	--)
		shift
		break
		;;
	-*)
		wrong_usage "record: unknown option '$1'"
		;;
	*)
		break
		;;
	esac
done
[ $# -gt 0 ] || wrong_usage "record: no program given"

need lttng lttng-tools
need lttng-sessiond lttng-tools
need_agent
check_program "$1"
program=$1

now=$(date +%Y%m%d-%H%M%S)
session_name=commcache-$now-$$
[ "$live" = no ] || [ -n "$output" ] || is_kept=no
[ -n "$output" ] || output=commcache-$(basename -- "$1")-$now
case $output in
-*) output=./$output ;;
esac
# What stands before a program's name is env's, and a name with = would be.
case $1 in
*=*)
	# shellcheck disable=SC2016
	set -- sh -c 'exec "$0" "$@"' "$@"
	;;
esac

if [ "$dry_run" = no ]; then
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' HUP TERM
	work_folder=$(mktemp -d "${TMPDIR:-/tmp}/commcache.XXXXXX") ||
		fail 1 "cannot make a temporary folder; set TMPDIR to where that is possible"
	[ "$is_kept" = yes ] || output=$work_folder/live
	make_output
fi
if [ "$live" = yes ]; then
	[ "$dry_run" = no ] ||
		wrong_usage "record: --live has no --dry-run: see 'While it runs' in doc/how-to.md"
	need babeltrace2 babeltrace2
	need lttng-relayd lttng-tools
	start_relayd
fi
if [ "$sched" = yes ]; then
	check_sched
	set -- COMMCACHE_FEED=perf "$@"
fi
start_daemon
make_session
[ "$live" = no ] || start_reader
preload=$(agent_preload)${LD_PRELOAD:+:$LD_PRELOAD}
if [ "$dry_run" = yes ]; then
	print_command env "LD_PRELOAD=$preload" "$@"
	run_lttng destroy "$session"
	exit 0
fi
run_child "LD_PRELOAD=$preload" "$@"
status=$?
# shellcheck disable=SC2034
child=
trap '' HUP INT TERM
destroy_session
end_live
trap 'exit 130' INT
trap 'exit 143' HUP TERM
tell_result
exit "$status"
