#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What could not be written, and why: a full disk, a quota. Read by the commands
# that write; commcache defines $commands, and who cuts streams $work, a folder.
#
# shellcheck disable=SC2154

# shellcheck source=src/cli/program.sh
. "$commands/program.sh"

# write_failure DIR BYTES: why no more can be written there, in the system's words;
# nothing, if it can.
write_failure()
{
	probe=$1/.commcache-probe-$$
	{ LC_ALL=C dd if=/dev/zero of="$probe" bs="$2" count=1 >/dev/null; } 2>&1 |
		sed -n 's/^dd: .*: //p' | head -n 1
	rm -f "$probe"
}

# Where LTTng's packets have their size in bits: behind magic, UUID, the stream's
# class and number, two times and the size of what is in it.
packet_size_at=56

# indexed_packets DATA INDEX: of the packets that the index has, those that are whole
# in the data: where they end there, and where their entries end.
indexed_packets()
{
	entry=$(od -An -v -t u4 --endian=big -j 12 -N 4 "$2" 2>/dev/null | tr -d ' ')
	case $entry in
	''|0) entry=72 ;;
	esac
	# An entry begins with the packet's place, in bytes, and its size, in bits.
	od -An -v -t u8 --endian=big "-w$entry" -j 16 "$2" 2>/dev/null | awk \
		-v "size=$(stat -c %s "$1")" -v "fields=$((entry / 8))" '
		NF == fields && !torn && $1 == end && end + $2 / 8 <= size {
			end += $2 / 8
			count++
			next
		}
		{ torn = 1 }
		END { printf "%.0f %.0f\n", end, 16 + count * fields * 8 }'
}

# whole_packets DATA FROM: where the last whole one ends, those from FROM on being
# in no index.
whole_packets()
{
	end=$2
	size=$(stat -c %s "$1")
	while [ $((end + packet_size_at + 8)) -le "$size" ]; do
		bits=$(number "$1" $((end + packet_size_at)) 8)
		case $bits in
		''|0|-*|*[!0-9]*|????????????????*) break ;;
		esac
		if [ "$bits" -lt 8 ] || [ $((end + bits / 8)) -gt "$size" ]; then
			break
		fi
		end=$((end + bits / 8))
	done
	echo "$end"
}

# cut_streams DIR: babeltrace2 refuses a trace in which a packet is not whole, and
# all that is with it. What cannot be read is cut off; false, if there is nothing.
cut_streams()
{
	cut=no
	find "$1" -path '*/index/*.idx' -type f >"$work/indexes"
	while IFS= read -r index; do
		folder=${index%/index/*}
		data=$folder/$(basename -- "$index" .idx)
		[ -f "$data" ] || continue
		# shellcheck disable=SC2046
		set -- $(indexed_packets "$data" "$index")
		end=$(whole_packets "$data" "$1")
		[ "$end" -lt "$(stat -c %s "$data")" ] ||
			[ "$2" -lt "$(stat -c %s "$index")" ] || continue
		truncate -s "$end" "$data" && truncate -s "$2" "$index" && cut=yes
	done <"$work/indexes"
	[ "$cut" = yes ]
}
