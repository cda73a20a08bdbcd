# SPDX-License-Identifier: MIT
#
# Out of memory is an error like others: babeltrace2 ends with status 1 and says
# so, whichever of the plugin's allocations fails. (See no-memory.c for which.)

set -u

shared=${COMMCACHE_SHARED:-$top_srcdir/../shared}
preload=$top_builddir/tests/plugin/.libs/no-memory.so
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
points=0

# read_trace TRACE PARAMS
read_trace()
{
	LD_PRELOAD=$preload babeltrace2 "$1" \
		--component=filter.commcache.resolve --params="$2" \
		--component=sink.text.details >"$scratch/out" 2>"$scratch/err"
}

# try TRACE PARAMS: a test point for one that fails, another for all that follow.
try()
{
	export NO_MEMORY_AT=0
	unset NO_MEMORY_ON
	read_trace "$shared/$1" "$2"
	mv "$scratch/out" "$scratch/whole"
	total=$(sed -n 's/^no-memory: \([0-9]*\) .*/\1/p' "$scratch/err")
	for on in "" 1; do
		points=$((points + 1))
		wrong=0
		unset NO_MEMORY_ON
		[ -z "$on" ] || export NO_MEMORY_ON=1
		# All of the first, where classes and streams are made; then some.
		NO_MEMORY_AT=1
		while [ "$NO_MEMORY_AT" -le "$total" ]; do
			read_trace "$shared/$1" "$2"
			status=$?
			# Nothing is lost where it goes on.
			case $status in
			0) cmp -s "$scratch/out" "$scratch/whole" ;;
			1) grep -qi memory "$scratch/err" ;;
			*) false ;;
			esac || {
				wrong=$((wrong + 1))
				echo "# allocation $NO_MEMORY_AT: status $status"
				grep -v '^ ' "$scratch/err" | tail -3 | sed 's/^/#   /'
			}
			[ "$status" = 1 ] && failed=$((failed + 1))
			NO_MEMORY_AT=$((NO_MEMORY_AT + 1 + NO_MEMORY_AT / 60))
			tried=$((tried + 1))
		done
		[ "$wrong" = 0 ] || printf "not "
		echo "ok $points - $1, $2: ${on:+from }each of $total allocations${on:+ on}"
	done
}

tried=0
failed=0
[ -f "$preload" ] || { echo "1..0 # SKIP no $preload: make check builds it"; exit 0; }
for trace in ktraces/K5-lean/ust/uid/0/64-bit \
		traces/babeltrace/packet-seq-num/2-streams-lost-in-1; do
	[ -d "$shared/$trace" ] || continue
	for params in lookahead=no lookahead=yes,provenance=yes; do
		try "$trace" "$params"
	done
done

[ "$points" != 0 ] || { echo "1..0 # SKIP no traces: set COMMCACHE_SHARED"; exit 0; }
points=$((points + 1))
[ "$failed" -gt 50 ] || printf "not "
echo "ok $points - $failed of $tried failures ended the reading"
echo "1..$points"
