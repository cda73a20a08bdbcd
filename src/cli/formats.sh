#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Which formats of traces the installed tools write and read. LTTng writes CTF 2
# by itself since 2.15; babeltrace2 reads and writes it since 2.1.

# is_at_least MAJOR MINOR VERSION
is_at_least()
{
	awk -v "version=$3" -v "major=$1" -v "minor=$2" '
		BEGIN {
			split(version, part, ".")
			exit !(part[1] + 0 > major || (part[1] + 0 == major &&
				part[2] + 0 >= minor))
		}'
}

babeltrace2_version()
{
	babeltrace2 --version 2>/dev/null |
		sed -n '1s/^Babeltrace \([0-9.]*\).*/\1/p'
}

lttng_version()
{
	lttng --version 2>/dev/null |
		sed -n 's/^lttng (LTTng Trace Control) \([0-9.]*\).*/\1/p'
}

babeltrace2_knows_ctf_2()
{
	is_at_least 2 1 "$(babeltrace2_version)"
}

# An LTTng that writes it can be told to write CTF 1.8.
lttng_writes_ctf_2()
{
	lttng create --list-options 2>/dev/null | grep -qx -- --trace-format
}

# has_ctf_2 DIR: the metadata of CTF 2 begin with a record separator.
has_ctf_2()
{
	find -L "$1" -name metadata -type f -exec head -c 1 {} \; 2>/dev/null |
		od -An -v -t x1 | grep -q '1e'
}

# What to do about it, after a comma or a colon.
# shellcheck disable=SC2034
newer_babeltrace2="install babeltrace2 2.1 or later, or record CTF 1.8, as commcache record does here and lttng create --trace-format=ctf-1.8"
