#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commcache env: print the environment that a program started elsewhere needs. Read
# by commcache, which defines wrong_usage and $commands.

env_usage()
{
	cat <<-END
	usage: commcache env [OPTION]...

	Print the variables with which a program gets the agent, for programs that
	something else starts: services, launch files, containers, debuggers.

	  -f, --format FORMAT  plain (NAME=VALUE, the default: for env(1), or a
	                       container's file of variables), sh (export ...),
	                       systemd (Environment=...), gdb (set environment
	                       ...) or json
	  -s, --sched          those of record --sched, too
	  -h, --help           print this

	What such programs write is recorded by a session of the user that they
	run as: lttng create; lttng enable-event --userspace 'commcache:*,...'.
	END
}

# shellcheck source=src/cli/preload.sh disable=SC2154
. "$commands/preload.sh"

# systemd takes % for its own.
print_variable()
{
	case $format in
	plain) printf '%s=%s\n' "$1" "$2" ;;
	sh) printf 'export %s=%s\n' "$1" "$(quote "$2")" ;;
	systemd) printf 'Environment="%s=%s"\n' "$1" "$(printf '%s' "$2" | sed 's/%/%%/g; s/[\\"]/\\&/g')" ;;
	gdb) printf 'set environment %s %s\n' "$1" "$2" ;;
	json)
		printf '%s"%s": "%s"' "$separator" "$1" \
			"$(printf '%s' "$2" | sed 's/[\\"]/\\&/g')"
		separator=', '
		;;
	esac
}

format=plain
sched=no
while [ $# -gt 0 ]; do
	case $1 in
	-f|--format)
		[ $# -ge 2 ] || wrong_usage "env: $1 takes a value"
		format=$2
		shift
		;;
	--format=*) format=${1#*=} ;;
	-s|--sched) sched=yes ;;
	-h|--help)
		env_usage
		exit 0
		;;
	*) wrong_usage "env: unknown argument '$1'" ;;
	esac
	shift
done
case $format in
plain|sh|systemd|gdb|json) ;;
*) wrong_usage "env: no such format: '$format' (plain, sh, systemd, gdb, json)" ;;
esac
need_agent
separator=
[ "$format" != json ] || printf '{'
print_variable LD_PRELOAD "$(agent_preload)"
[ "$sched" = no ] || print_variable COMMCACHE_FEED perf
[ "$format" != json ] || echo '}'
