# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the live tests share: a relay daemon on loopback, a session that sends
# to it, a reader through the filter. To be sourced after tap.sh.

for program in lttng-relayd babeltrace2; do
	command -v $program >/dev/null || skip_all "$program is missing"
done

BABELTRACE_PLUGIN_PATH=${top_builddir:?is set by make check}/src/plugin/.libs
export BABELTRACE_PLUGIN_PATH
commcache=$top_builddir/src/cli/commcache
work=$(mktemp -d)
relayd=
reader=
session=commcache-live-$$

cleanup()
{
	[ -z "$reader" ] || kill "$reader" 2>/dev/null
	[ -z "$relayd" ] || kill "$relayd" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

list_sessions()
{
	babeltrace2 --input-format=lttng-live "net://127.0.0.1:$live" 2>/dev/null
}

answers_or_ended()
{
	list_sessions >/dev/null || ! kill -0 "$relayd" 2>/dev/null
}

# Ports that nobody has: the relay daemon ends at once if somebody does.
start_relayd()
{
	for try in 1 2 3 4 5 6 7 8 9 10; do
		control=$((20000 + ($$ * 7 + try * 1009) % 20000))
		data=$((control + 1))
		live=$((control + 2))
		lttng-relayd --control-port "tcp://127.0.0.1:$control" \
			--data-port "tcp://127.0.0.1:$data" \
			--live-port "tcp://127.0.0.1:$live" \
			--output "$work/relayd" >"$work/relayd.log" 2>&1 &
		relayd=$!
		eventually answers_or_ended
		# That of another may have answered.
		kill -0 "$relayd" 2>/dev/null && return
	done
	return 1
}

# start_session EVENTS
start_session()
{
	{
		lttng create "$session" --live=200000 \
			--set-url="net://127.0.0.1:$control:$data"
		lttng enable-channel --userspace --subbuf-size=1M --num-subbuf=8 all
		lttng enable-event --userspace --channel=all \
			"$1,commcache:*,lttng_ust_statedump:*"
		lttng add-context --userspace --type=vtid --type=vpid
		lttng start
	} >"$work/lttng.log" 2>&1
}

is_listed()
{
	list_sessions | grep -q "$session"
}

# A reader is given what comes after it came: LTTng keeps the rest to itself.
is_read()
{
	list_sessions | grep -q "$session.* 1 client"
}

# read_live ARGS...: babeltrace2 through the filter, in this place of it.
read_live()
{
	url=$(list_sessions | sed -n "s,^\\(net://[^ ]*/$session\\) .*,\\1,p")
	exec babeltrace2 --input-format=lttng-live "$url" \
		--component=filter.commcache.resolve "$@"
}

# What `commcache record` would preload into that program.
preload_of()
{
	"$commcache" record --dry-run -o "$work/unused" "$1" |
		sed -n 's/.*\(LD_PRELOAD=[^ ]*\).*/\1/p'
}
