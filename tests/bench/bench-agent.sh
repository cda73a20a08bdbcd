#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The agent's price: bench-agent.sh [ROUNDS]
#
# Prints lines `agent WHAT VARIANT VALUE UNIT`. What is compared runs in turns,
# A B A B; each value is the smallest of the rounds, which other work on the
# machine disturbs least. Times are of the processors, those of starts and of
# named events of the clock.

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
operations=$top_builddir/tests/bench/agent-operations
spawn=$top_builddir/tests/bench/spawn-time
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
LTTNG_UST_REGISTER_TIMEOUT=20000
export LTTNG_UST_REGISTER_TIMEOUT

# measure PRELOAD COMMAND...: the first number it prints
measure()
{
	measure_preload=$1
	shift
	env ${measure_preload:+LD_PRELOAD="$measure_preload"} "$@" | cut -d' ' -f1
}

# compare WHAT UNIT A B PRELOAD-A PRELOAD-B COMMAND...
compare()
{
	what=$1 unit=$2 a=$3 b=$4 preload_a=$5 preload_b=$6
	shift 6
	: >"$folder/values"
	for _ in $(seq "$rounds"); do
		value_a=$(measure "$preload_a" "$@") || return 1
		value_b=$(measure "$preload_b" "$@") || return 1
		echo "$value_a $value_b" >>"$folder/values"
	done
	tell "$what" "$unit" "$a" "$b"
}

# compare_starts WHAT RUNS COMMAND...
compare_starts()
{
	what=$1 runs=$2
	shift 2
	: >"$folder/values"
	for _ in $(seq "$rounds"); do
		value_a=$(measure "" "$spawn" "$runs" liblttng-ust.so.1 "$@")
		value_b=$(measure "" "$spawn" "$runs" "$agent" "$@")
		echo "$value_a $value_b" >>"$folder/values"
	done
	tell "$what" us lttng-ust agent
}

# tell WHAT UNIT A B: of pairs of values
tell()
{
	awk -v what="$1" -v unit="$2" -v a="$3" -v b="$4" '
		NR == 1 || $1 < least_a { least_a = $1 }
		NR == 1 || $2 < least_b { least_b = $2 }
		END {
			print "agent", what, a, least_a, unit
			print "agent", what, b, least_b, unit
			printf "agent %s %s/%s %.3f ratio\n", what, b, a,
				least_b / least_a
			printf "agent %s %s-%s %.1f %s\n", what, b, a,
				least_b - least_a, unit
		}' "$folder/values"
}

# begin_session NAME EVENTS CONTEXTS [OPTION...]
begin_session()
{
	session=$1 enabled=$2 contexts=$3
	shift 3
	lttng create "$session" "$@" >/dev/null &&
		lttng enable-channel --userspace --subbuf-size=1M \
			--num-subbuf=4 c >/dev/null &&
		lttng enable-event --userspace --channel=c "$enabled" >/dev/null ||
		exit 1
	for context in $contexts; do
		lttng add-context --userspace --channel=c --type="$context" \
			>/dev/null || exit 1
	done
	lttng start >/dev/null || exit 1
}

end_session()
{
	lttng destroy "$session" >/dev/null
}

echo "# $rounds rounds"
compare event/no-session ns without agent "" "$agent" \
	"$operations" event 5000000
compare create+join/no-session ns without agent "" "$agent" \
	"$operations" create 3000
compare setname-same/no-session ns without agent "" "$agent" \
	"$operations" same 300000
compare setname-changes/no-session ns without agent "" "$agent" \
	"$operations" rename 300000

# A flight recorder: no disk comes between.
begin_session agent-bench 'commcache:*,agent_operations:*' vtid --snapshot
compare event/session ns without agent "" "$agent" \
	"$operations" event 1000000
compare create+join/session ns without agent "" "$agent" \
	"$operations" create 3000
# Of threads that are traced anyway: LTTng-UST has its own price for each.
compare create+event+join/session ns without agent "" "$agent" \
	"$operations" create-event 3000
compare setname-same/session ns without agent "" "$agent" \
	"$operations" same 300000
compare setname-changes/session ns without agent "" "$agent" \
	"$operations" rename 300000
end_session

# A name on each event: by the context, or by the agent.
: >"$folder/values"
: >"$folder/bytes"
events=1000000
for _ in $(seq "$rounds"); do
	for way in procname agent; do
		if [ "$way" = procname ]; then
			begin_session names 'agent_operations:*' 'vtid procname' \
				--output="$folder/trace"
			preload=
		else
			begin_session names 'agent_operations:*,commcache:*' \
				vtid --output="$folder/trace"
			preload=$agent
		fi
		value=$(measure "$preload" "$operations" paced "$events")
		end_session
		printf '%s ' "$value" >>"$folder/values"
		printf '%s ' "$(babeltrace2 "$folder/trace" \
			--component=sink.utils.counter 2>/dev/null |
			awk -v size="$(du -sb "$folder/trace" | cut -f1)" \
			'/Event message/ { events = $1 }
			END { printf "%.2f", size / events }')" \
			>>"$folder/bytes"
		rm -rf "$folder/trace"
	done
	echo >>"$folder/values"
	echo >>"$folder/bytes"
done
tell named-event ns procname agent
mv "$folder/bytes" "$folder/values"
tell named-event bytes procname agent

# Starts of programs, against LTTng-UST alone.
cat >"$folder/script" <<'EOF'
i=0
while [ $i -lt 100 ]; do
	/bin/true
	i=$((i + 1))
done
EOF
compare_starts start-true/no-session 30 /bin/true
compare_starts start-script/no-session 1 sh "$folder/script"
begin_session agent-bench 'commcache:*' vtid --snapshot
compare_starts start-true/session 10 /bin/true
end_session
