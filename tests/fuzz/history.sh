# SPDX-License-Identifier: MIT
#
# The history against the naive model, on bytes that libFuzzer finds: those that
# are kept, then new ones for some seconds, or for what the arguments say.

set -u

: "${top_srcdir:=../..}" "${top_builddir:=../..}"
fuzzer=$top_builddir/tests/fuzz/sanitized/fuzz-history
corpus=$top_srcdir/tests/fuzz/corpus-history

[ -x "$fuzzer" ] || { echo "1..0 # SKIP no $fuzzer: clang with libFuzzer is missing"; exit 0; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
status=0

# fuzz NAME ARGUMENT...: one test point; what was found is printed.
fuzz()
{
	name=$1
	shift
	if "$fuzzer" -artifact_prefix="$scratch/found-" "$@" >"$scratch/log" 2>&1; then
		echo "ok $name"
		return
	fi
	status=1
	echo "not ok $name"
	tail -n 40 "$scratch/log" | sed 's/^/# /'
	for found in "$scratch"/found-*; do
		[ -f "$found" ] && od -An -v -tx1 "$found" | sed 's/^/# /'
	done
}

echo "1..2"
[ $# -gt 0 ] || set -- -max_total_time=20
mkdir "$scratch/new"
# With -runs=0 it reads what is there and looks for no more.
fuzz "1 - what is kept" -runs=0 "$corpus"
fuzz "2 - what is new, $*" -seed=1 -max_len=1200 -timeout=60 "$@" "$scratch/new" "$corpus"
exit $status
