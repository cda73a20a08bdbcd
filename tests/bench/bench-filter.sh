#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the filter costs: bench-filter.sh [ROUNDS]
#
# Records a trace of a million UST events with the contexts vtid, vpid and ip,
# and the agent's names, then reads it to nowhere: plainly, with the filter in one
# pass and in two, with debug-info, and with a filter in Python. The same of a
# kernel trace, if there is one among the shared ones; and through the sinks. Then
# the instructions of a smaller one, and the peak memory at 1 and 4 million events.
# bench-filter.py does the measuring.

set -eu

: "${top_srcdir:?}" "${top_builddir:?}"
rounds=${1:-${ROUNDS:-5}}
python3=${PYTHON3:-/usr/bin/python3}
load=$top_builddir/tests/bench/ust-load
agent=$top_builddir/src/agent/.libs/libcommcache-ust.so
kernel=${COMMCACHE_SHARED:-$top_srcdir/../shared}/traces/tracevizlab/apt
scratch=$(mktemp -d "${TMPDIR:-/tmp}/commcache-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM

# record EVENTS: in $scratch/EVENTS. Nothing is discarded: the program waits.
record()
{
	cat >"$scratch/session" <<-END
	set -e
	lttng create bench --output="$scratch/$1"
	lttng enable-channel -u all --subbuf-size=1M --num-subbuf=8 --blocking-timeout=inf
	lttng enable-event -u -c all 'ust_load:*,lttng_ust_statedump:*,commcache:*'
	lttng add-context -u -t vtid -t vpid -t ip
	lttng start
	LTTNG_UST_ALLOW_BLOCKING=1 LD_PRELOAD="$agent" "$load" "$1" 4
	lttng destroy
	END
	"$top_srcdir/tests/with-sessiond" sh "$scratch/session" >"$scratch/log" 2>&1 || {
		sed 's/^/bench-filter: /' "$scratch/log" >&2
		exit 1
	}
}

for events in 100000 1000000 4000000; do
	record $events
done

export BABELTRACE_PLUGIN_PATH="$top_builddir/src/plugin/.libs"
[ -d "$kernel" ] || kernel=
"$python3" "$top_srcdir/tests/bench/bench-filter.py" "$rounds" "$kernel" \
	"$scratch/100000" "$scratch/1000000" "$scratch/4000000"
