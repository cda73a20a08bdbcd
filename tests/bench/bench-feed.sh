#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The second feed's price, COMMCACHE_FEED=perf: bench-feed.sh [ROUNDS]
#
# Prints lines `feed WHAT VARIANT VALUE ns` and ratios. `hooks` and `perf` run in
# turns, with a session that wants all that they write; each value is the least
# of the rounds, and the ratio is that of the least. `unread` is the kernel's
# own part: the feed is on, and no session wants it.

set -u

: "${top_srcdir:?}" "${top_builddir:?}"
case ${COMMCACHE_BENCH_INSIDE-} in
'')
	COMMCACHE_BENCH_INSIDE=yes exec \
		"$top_srcdir/tests/with-sessiond" "$0" "$@"
	;;
esac

rounds=${1-${ROUNDS-11}}
agent=$top_builddir/src/agent/.libs/libcommcache-ust.so
switches=$top_builddir/tests/bench/switches
LTTNG_UST_REGISTER_TIMEOUT=20000
export LTTNG_UST_REGISTER_TIMEOUT

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Which of the numbers that are printed; the second is not disturbed by what
# else runs on the machine.
CLOCK=1
CPU=2

# measure FEED NUMBER COMMAND...: that number of those it prints
measure()
{
	feed=$1 number=$2
	shift 2
	COMMCACHE_FEED=$feed LD_PRELOAD=$agent "$@" 2>/dev/null |
		awk -v number="$number" '
			$1 ~ /^[0-9.]+$/ { print $number; exit }
			/Total time/ { print $3; exit }'
}

# compare WHAT UNIT B NUMBER COMMAND...: hooks and perf, which is called B
compare()
{
	what=$1 unit=$2 b=$3
	shift 3
	: >"$folder/values"
	for _ in $(seq "$rounds"); do
		echo "$(measure hooks "$@") $(measure perf "$@")" \
			>>"$folder/values"
	done
	awk -v what="$what" -v unit="$unit" -v b="$b" '
		NR == 1 || $1 < least_a { least_a = $1 }
		NR == 1 || $2 < least_b { least_b = $2 }
		END {
			print "feed", what, "hooks", least_a, unit
			print "feed", what, b, least_b, unit
			printf "feed %s %s/hooks %.3f ratio\n", what, b,
				least_b / least_a
		}' "$folder/values"
}

echo "# $rounds rounds"
compare ping-one-cpu ns unread "$CPU" taskset -c 0 "$switches" ping 50000
compare ping ns unread "$CLOCK" "$switches" ping 50000

# A flight recorder: no disk comes between.
lttng create feed-bench --snapshot >/dev/null &&
	lttng enable-channel --userspace --subbuf-size=1M --num-subbuf=4 c \
		>/dev/null &&
	lttng enable-event --userspace --channel=c 'commcache:*' >/dev/null &&
	lttng add-context --userspace --channel=c --type=vtid >/dev/null &&
	lttng start >/dev/null || exit 1
compare ping-one-cpu/session ns perf "$CPU" taskset -c 0 "$switches" ping 50000
compare ping/session ns perf "$CLOCK" "$switches" ping 50000
compare messages/session ns perf "$CPU" "$switches" messages 200000
compare compute/session ns perf "$CPU" "$switches" compute 100000000
if perf bench sched messaging -t -g 1 -l 1 >/dev/null 2>&1; then
	compare perf-bench-messaging/session s perf "$CLOCK" \
		perf bench sched messaging -t -g 5 -l 200
else
	echo "# perf is missing: no perf bench sched messaging"
fi
lttng destroy feed-bench >/dev/null
