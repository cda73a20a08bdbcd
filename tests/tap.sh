# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# The Test Anything Protocol for sh. A script counts its checks and ends with
# tap_done, so that a script that stops half-way fails for want of a plan.

tap_count=0
tap_failed=0

# ok DESCRIPTION COMMAND [ARG...]: a check holds where its command succeeds.
ok()
{
	tap_description=$1
	shift
	tap_count=$((tap_count + 1))
	if "$@"; then
		echo "ok $tap_count - $tap_description"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $tap_description"
	fi
}

# is DESCRIPTION GOT EXPECTED
is()
{
	ok "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || diag "got:      $2
expected: $3"
}

# into FILE COMMAND [ARG...]: for ok, whose own output must not go there.
into()
{
	tap_file=$1
	shift
	"$@" >"$tap_file"
}

# eventually COMMAND [ARG...]: waits until it succeeds. Minutes, for a busy machine:
# the limit is for one on which it never does.
eventually()
{
	tap_tries=3000
	until "$@"; do
		tap_tries=$((tap_tries - 1))
		[ "$tap_tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

skip()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

diag()
{
	printf '%s\n' "$1" | sed 's/^/# /'
}

tap_done()
{
	echo "1..$tap_count"
	[ "$tap_failed" = 0 ]
}
