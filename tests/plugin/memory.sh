# SPDX-License-Identifier: MIT
#
# valgrind finds no error and no leak that has the filter in its stack. (Of
# Python, its bindings and babeltrace2 itself it finds some.)

set -u

if [ -z "${VALGRIND:-}" ]; then
	echo "1..0 # SKIP valgrind is missing: install it and configure again"
	exit 0
fi

here=$top_srcdir/tests/plugin
shared=${COMMCACHE_SHARED:-$top_srcdir/../shared}
plugins=$top_builddir/tests/plugin/.libs
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
# Prints the records whose innermost frame beyond the libraries is ours: not
# those of a source in Python that our iterator called.
ours_first='
	function finish() { if (ours) printf "%s--\n", record; record = ""; ours = decided = 0 }
	/^==[0-9]*== *$/ { finish(); next }
	{ record = record $0 "\n" }
	!decided && /== *(at|by) 0x/ {
		if ($0 ~ /_native_bt|python3/) decided = 1
		if ($0 ~ /\/plugin\/[a-z]*\/*[a-z-]*\.c:|commcachetest/) decided = ours = 1
	}
	END { finish() }
'
count=0

# run NAME COMMAND...: a test point.
run()
{
	name=$1
	shift
	count=$((count + 1))
	log=$scratch/log
	PYTHONMALLOC=malloc G_SLICE=always-malloc BABELTRACE_PLUGIN_PATH=$plugins \
		"$VALGRIND" --leak-check=full --show-leak-kinds=definite,possible \
		--keep-debuginfo=yes --num-callers=40 --fullpath-after= \
		--log-file="$log" \
		"$@" >"$scratch/out" 2>&1
	status=$?
	awk "$ours_first" "$log" >"$scratch/ours"
	ours=$(grep -c '^--$' "$scratch/ours")
	invalid=$(grep -c 'Invalid \(read\|write\|free\)\|uninitialised' "$log")
	if ! grep -q 'ERROR SUMMARY' "$log" || [ $status -ge 126 ]; then
		echo "not ok $count - $name: did not run (status $status)"
		tail -5 "$scratch/out" | sed 's/^/# /'
	elif [ "$ours" != 0 ] || [ "$invalid" != 0 ]; then
		echo "not ok $count - $name: $invalid bad accesses, $ours records of ours"
		head -60 "$scratch/ours" | sed 's/^/# /'
	else
		echo "ok $count - $name"
	fi
}

python3=${PYTHON3:-/usr/bin/python3}
if "$python3" -c 'import bt2' 2>/dev/null; then
	run "field classes and metadata" "$python3" "$here/mirror-grid.py" \
		fc_variant fc_nested_compounds user_attributes \
		classes_that_come_late traces_that_come_and_go inactivity \
		packets_with_both_times discarded_events_and_packets_with_times
	run "errors, seeking, dropped events" "$python3" "$here/iterator.py" \
		passes input_fails owner_fails keep replace refused \
		seek_values seek_in_first_pass no_seeking
	run "parameters" "$python3" "$here/params.py"
else
	echo "# no babeltrace2 bindings for $python3: only the command is tried"
fi

for trace in ktraces/K5-lean/ust/uid/0/64-bit \
		traces/babeltrace/packet-seq-num/2-streams-lost-in-1 \
		traces/babeltrace/fail/valid-events-then-invalid-events/trace \
		traces/perfview/validation_003/kernel; do
	[ -d "$shared/$trace" ] || continue
	for params in lookahead=yes 'ids=["common","specific","payload","nested"],lookahead=no'; do
		run "$trace, $params" babeltrace2 "$shared/$trace" \
			--component=filter.commcachetest.mirror --params="$params" \
			--component=sink.text.details
	done
done

[ $count != 0 ] || { echo "1..0 # SKIP neither bindings nor traces"; exit 0; }
echo "1..$count"
