#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache doctor: say what of the chain, from the traced program to the reader
# of its trace, works on this machine, and what a trace lacks. Read by commcache,
# which defines fail, wrong_usage, $agent, $commands and $plugins.
#
# shellcheck disable=SC2154

doctor_usage()
{
	cat <<-END
	usage: commcache doctor [OPTION]... [DIR...]

	Say what works on this machine, a line for each part of it: "ok"; "missing",
	which recording or viewing needs; or "absent", which only some uses need.
	What is not ok is followed by what to do.

	With the traces in each DIR, read together: what names they hold, why the
	other events have none ("partly"), and what would have recorded them.

	  -j, --json         print one JSON document instead of lines
	  -h, --help         print this

	The exit status is 0 if recording and viewing work and the traces could be
	read, else 1.
	END
}

# shellcheck source=src/cli/traces.sh
. "$commands/traces.sh"

healthy=yes
json=no
# What the report is about: the machine, or the traces.
about=machine

# report PART STATUS DETAIL [WHAT-TO-DO]
report()
{
	if [ "$json" = yes ]; then
		printf '%s\t%s\t%s\t%s\t%s\n' "$about" "$1" "$2" \
			"$(one_line "$3")" "$(one_line "${4-}")" >>"$work/report"
	else
		printf '%-20s %-8s %s\n' "$1" "$2" "$3${4:+: $4}"
	fi
	[ "$2" != missing ] || healthy=no
}

one_line()
{
	printf '%s' "$1" | tr '\n\t' '  ' | tr -d '[:cntrl:]'
}

print_json()
{
	awk -F '\t' -v "healthy=$healthy" '
		function text(s) {
			gsub(/\\/, "\\\\", s)
			gsub(/"/, "\\\"", s)
			return "\"" s "\""
		}
		BEGIN {
			printf "{\"format\": \"commcache doctor 1\", \"healthy\": %s, \"reports\": [",
				(healthy == "yes" ? "true" : "false")
		}
		{
			printf "%s\n  {\"about\": %s, \"part\": %s, \"status\": %s, \"detail\": %s, \"help\": %s}",
				(NR > 1 ? "," : ""), text($1), text($2), text($3),
				text($4), ($5 == "" ? "null" : text($5))
		}
		END { print "]}" }' "$work/report"
}

# The first line of a file, free of control bytes; for what others say.
first_line()
{
	grep -v '^$' "$1" | head -n 1 | tr -cd '[:print:]'
}

has()
{
	command -v "$1" >/dev/null
}

check_babeltrace2()
{
	if ! has babeltrace2; then
		report babeltrace2 missing "nothing can be viewed" \
			"install the package babeltrace2"
		return
	fi
	formats="CTF 1.8"
	! babeltrace2_knows_ctf_2 || formats="CTF 1.8 and 2"
	report babeltrace2 ok "$(babeltrace2_version), reads $formats, $(command -v babeltrace2)"
}

# plugin_path [BABELTRACE2-OPTION...]: the plugin's file and its version, as
# babeltrace2 finds it.
plugin_path()
{
	babeltrace2 "$@" list-plugins 2>/dev/null | awk '
		/^[^ ].*:$/ { plugin = $1 }
		plugin == "commcache:" && $1 == "Path:" { sub(/^ *Path: /, ""); path = $0 }
		plugin == "commcache:" && $1 == "Version:" { version = $2 }
		END { if (path) print path " " version }'
}

check_plugin()
{
	if ! has babeltrace2; then
		report plugin missing "not looked for: there is no babeltrace2"
		return
	fi
	plugin=$plugins/babeltrace-plugin-commcache.so
	found=$(plugin_path "--plugin-path=$plugins")
	if [ -n "$found" ]; then
		report plugin ok "${found##* }, ${found% *}"
	elif [ -e "$plugin" ]; then
		report plugin missing "babeltrace2 cannot load $plugin" \
			"install the package babeltrace2-commcache anew, or see what fails with: ldd -r $plugin"
		return
	else
		report plugin missing "$plugin is not there" \
			"install the package babeltrace2-commcache"
		return
	fi
	if [ -n "$(plugin_path)" ]; then
		report "plugin by itself" ok "babeltrace2 finds it without a path"
	else
		report "plugin by itself" absent \
			"babeltrace2 without commcache does not find it" \
			"export BABELTRACE_PLUGIN_PATH=$plugins"
	fi
}

check_lttng()
{
	for program in lttng lttng-sessiond; do
		if ! has "$program"; then
			report lttng missing "no $program, nothing can be recorded" \
				"install the package lttng-tools"
			return
		fi
	done
	if lttng_writes_ctf_2; then
		report lttng ok "$(lttng_version), writes CTF 2, or CTF 1.8 where told"
	else
		report lttng ok "$(lttng_version), writes CTF 1.8"
	fi
}

check_formats()
{
	if ! has lttng || ! has babeltrace2; then
		return
	elif ! lttng_writes_ctf_2 || babeltrace2_knows_ctf_2; then
		report "trace format" ok "babeltrace2 reads what lttng writes"
	else
		report "trace format" absent \
			"babeltrace2 does not read what lttng writes by itself; commcache record has it write CTF 1.8" \
			"install babeltrace2 2.1 or later, or use lttng create --trace-format=ctf-1.8"
	fi
}

# The library itself tells its version nowhere but to its packages.
ust_version()
{
	# shellcheck disable=SC2016
	dpkg-query -W -f '${Version}\n' liblttng-ust1 2>/dev/null | head -n 1 |
		grep . && return
	rpm -q --qf '%{VERSION}\n' lttng-ust 2>/dev/null | head -n 1 |
		grep '^[0-9]' && return
	pkg-config --modversion lttng-ust 2>/dev/null ||
		echo "version not known"
}

# can_preload LIBRARY: what the loader says goes to $work/preload. Nothing waits
# for a session daemon.
can_preload()
{
	env LTTNG_UST_REGISTER_TIMEOUT=0 COMMCACHE_DEBUG=1 "LD_PRELOAD=$1" true \
		>"$work/preload" 2>&1 </dev/null && ! grep -q '^ERROR: ld.so' "$work/preload"
}

check_ust()
{
	if can_preload liblttng-ust.so.1; then
		report lttng-ust ok "$(ust_version)"
	else
		report lttng-ust missing "the loader does not find liblttng-ust.so.1" \
			"install the package liblttng-ust1"
	fi
	if can_preload liblttng-ust-fork.so.1; then
		report "lttng-ust-fork" ok "forked children are traced"
	else
		report "lttng-ust-fork" absent "forked children are not traced" \
			"install the package liblttng-ust1"
	fi
}

check_agent()
{
	if ! [ -e "$agent" ]; then
		report agent missing "$agent is not there" \
			"install the package commcache-ust"
	elif can_preload "$agent" && grep -q '^commcache\[[0-9]*\]: on:' "$work/preload"; then
		report agent ok "$agent, preloaded into true"
	elif [ "${COMMCACHE_DISABLE-}" = 1 ]; then
		report agent missing "turned off by COMMCACHE_DISABLE=1" \
			"unset COMMCACHE_DISABLE"
	else
		report agent missing "preloading $agent fails ($(first_line "$work/preload"))" \
			"install the package commcache-ust anew"
	fi
}

is_root()
{
	[ "$(id -u)" = 0 ]
}

in_tracing_group()
{
	id -nG | tr ' ' '\n' | grep -qx tracing
}

# As lttng itself chooses.
daemon_owner()
{
	if is_root || { in_tracing_group &&
			[ -S /var/run/lttng/client-lttng-sessiond ]; }; then
		echo "root's"
	else
		echo "your own"
	fi
}

check_daemon()
{
	has lttng && has lttng-sessiond || return
	if timeout 20 lttng --no-sessiond list >"$work/list" 2>&1 </dev/null; then
		report "session daemon" ok "$(daemon_owner), running"
	elif grep -q 'No session daemon' "$work/list"; then
		report "session daemon" ok "none runs, commcache record starts one"
	else
		report "session daemon" missing "it does not answer ($(first_line "$work/list"))" \
			"see lttng --no-sessiond -vvv list"
	fi
}

check_group()
{
	if is_root; then
		report "tracing group" ok "root needs it not"
	elif in_tracing_group; then
		report "tracing group" ok "$(id -un) is in it"
	else
		report "tracing group" absent "needed for kernel traces" \
			"sudo usermod --append --groups tracing $(id -un), then log in anew"
	fi
}

check_kernel()
{
	if [ -d /sys/module/lttng_tracer ]; then
		report "kernel tracer" ok "lttng-modules, loaded"
	elif PATH=$PATH:/sbin:/usr/sbin modinfo lttng-tracer >/dev/null 2>&1; then
		report "kernel tracer" ok "lttng-modules, root's session daemon loads it"
	else
		report "kernel tracer" absent "needed for kernel traces" \
			"install the package lttng-modules-dkms"
	fi
}

# The levels are told in Documentation/admin-guide/sysctl/kernel.rst of Linux; 3
# is Debian's: nothing without a capability.
check_perf()
{
	if ! level=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null); then
		report perf_event_paranoid absent "this kernel has no perf events"
	elif [ "$level" -le 2 ] || is_root; then
		report perf_event_paranoid ok "$level"
	else
		report perf_event_paranoid absent \
			"$level: perf events are root's, needed to follow scheduling without a kernel trace" \
			"sudo sysctl kernel.perf_event_paranoid=2"
	fi
}

# The agent tells what became of it.
check_sched()
{
	can_preload "$agent" || return
	feed=$(env LTTNG_UST_REGISTER_TIMEOUT=0 COMMCACHE_FEED=perf COMMCACHE_DEBUG=1 \
		"LD_PRELOAD=$agent" true 2>&1 </dev/null |
		sed -n 's/^commcache\[[0-9]*\]: feed: //p' | tr -cd '[:print:]')
	case $feed in
	perf*)
		report "record --sched" ok "${feed#perf; }"
		;;
	*)
		report "record --sched" absent \
			"a program cannot follow its own scheduling (${feed#hooks; })" \
			"see perf_event_paranoid, or record a kernel trace"
		;;
	esac
}

# What everything else is for. Other programs are traced for a moment too, if
# they are preloaded with the agent.
check_record()
{
	if [ "$healthy" = no ]; then
		report "record and view" missing "not tried" "mend what is missing above"
		return
	fi
	if ! timeout 60 sh "$command" record -o "$work/trace" -e lttng_ust_statedump:procname \
			true >"$work/record" 2>&1 </dev/null; then
		report "record and view" missing \
			"recording fails ($(first_line "$work/record"))" \
			"see what fails with: commcache record true"
	elif ! timeout 60 sh "$command" view "$work/trace" >"$work/view" 2>&1 </dev/null ||
			! grep -q '[{ ]comm = "true"' "$work/view"; then
		report "record and view" missing \
			"what is recorded has no names ($(first_line "$work/view"))" \
			"see what fails with: commcache record -o DIR true; commcache view DIR"
	else
		report "record and view" ok "the program true, with its name"
	fi
}

while [ $# -gt 0 ]; do
	case $1 in
	-j|--json)
		json=yes
		shift
		;;
	-h|--help)
		doctor_usage
		exit 0
		;;
	--)
		shift
		break
		;;
	-*)
		wrong_usage "doctor: unknown option '$1'"
		;;
	*)
		break
		;;
	esac
done
for trace in "$@"; do
	check_trace "$trace"
done

command=$(readlink -f "$0")
work=$(mktemp -d "${TMPDIR:-/tmp}/commcache.XXXXXX") ||
	fail 1 "cannot make a temporary folder; set TMPDIR to where that is possible"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

check_babeltrace2
check_plugin
check_lttng
check_formats
check_ust
check_agent
check_daemon
check_group
check_kernel
check_perf
check_sched
check_record
if [ $# -gt 0 ]; then
	[ "$json" = yes ] || echo
	about=traces
	# shellcheck source=src/cli/doctor-trace.sh
	. "$commands/doctor-trace.sh"
fi
[ "$json" = no ] || print_json
[ "$healthy" = yes ]
