#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The part of commcache record that prints events as they come: a relay daemon of
# our own, and a reader. Read by record.sh, which defines fail, $work_folder,
# $output, $session and $plugins.
#
# shellcheck disable=SC2154

relayd=
reader=

live_url()
{
	echo "net://127.0.0.1:$live_port"
}

# What the relay daemon has, a line for each session.
list_live()
{
	babeltrace2 --input-format=lttng-live "$(live_url)" 2>/dev/null
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for()
{
	tries=$(($1 * 10))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return
		sleep 0.1
	done
}

has_ended()
{
	! kill -0 "$1" 2>/dev/null
}

relayd_answers()
{
	has_ended "$relayd" || list_live >/dev/null
}

# Not at the terminal: Ctrl-C is the program's, and what it still writes is printed.
start_relayd()
{
	for try in 1 2 3 4 5 6 7 8 9; do
		control_port=$((20000 + ($$ * 7 + try * 1009) % 12000))
		data_port=$((control_port + 1))
		live_port=$((control_port + 2))
		setsid lttng-relayd --control-port="tcp://127.0.0.1:$control_port" \
			--data-port="tcp://127.0.0.1:$data_port" \
			--live-port="tcp://127.0.0.1:$live_port" \
			--output="$output" >"$work_folder/lttng-relayd" 2>&1 </dev/null &
		relayd=$!
		# Another's may answer at a port that was not free: then ours ends.
		wait_for 60 relayd_answers && ! has_ended "$relayd" && return
		stop_process "$relayd"
		relayd=
	done
	fail 1 "no relay daemon starts: $(tail -n 1 "$work_folder/lttng-relayd")"
}

stop_process()
{
	kill "$1" 2>/dev/null
	wait_for 10 has_ended "$1" || kill -KILL "$1" 2>/dev/null
}

is_read()
{
	has_ended "$reader" || list_live | grep -q "/$session .* 1 client"
}

is_listed()
{
	list_live | grep -q "/$session "
}

# Events are given to who was there before them.
start_reader()
{
	wait_for 60 is_listed ||
		fail 1 "the relay daemon does not know of the session"
	url=$(list_live | sed -n "s,^\\(net://[^ ]*/$session\\) .*,\\1,p")
	setsid babeltrace2 "--plugin-path=$plugins" --input-format=lttng-live \
		"$url" --component=commcache:filter.commcache.resolve </dev/null &
	reader=$!
	if ! wait_for 60 is_read || has_ended "$reader"; then
		fail 1 "the events cannot be read while they come, see above"
	fi
}

# The session is closed: the reader has its last events, and ends.
end_live()
{
	if [ -n "$reader" ] && ! wait_for 20 has_ended "$reader"; then
		echo "commcache: the relay daemon does not say that all is read: the last events may be missing above" >&2
		kill "$reader" 2>/dev/null
	fi
	reader=
	[ -z "$relayd" ] || stop_process "$relayd"
	relayd=
}
