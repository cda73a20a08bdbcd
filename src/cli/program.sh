#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What can be told of a program's file: why no library can be preloaded into it.
# Read by the commands that say why a program has no names; commcache defines
# $agent.
#
# shellcheck disable=SC2154

# program_file PROGRAM: its path, as it is looked for when it is run.
program_file()
{
	case $1 in
	*/*)
		echo "$1"
		;;
	*)
		(
			IFS=:
			for folder in $PATH; do
				if [ -f "$folder/$1" ] && [ -x "$folder/$1" ]; then
					echo "$folder/$1"
					break
				fi
			done
		)
		;;
	esac
}

# number FILE OFFSET BYTES: an unsigned integer of this machine's byte order.
number()
{
	od -An -v -t "u$3" -j "$2" -N "$3" "$1" 2>/dev/null | tr -d ' \n'
}

is_elf()
{
	[ "$(od -An -v -t x1 -N 4 "$1" 2>/dev/null | tr -d ' ')" = 7f454c46 ]
}

# 32 or 64, as elf.h has them.
elf_bits()
{
	case $(number "$1" 4 1) in
	1) echo 32 ;;
	2) echo 64 ;;
	esac
}

# The loader that the program names (PT_INTERP): nothing, if it is static, or no
# program: what its header says of itself could take hours to follow.
elf_interpreter()
{
	is_elf "$1" || return
	if [ "$(elf_bits "$1")" = 64 ]; then
		set -- "$1" "$(number "$1" 32 8)" "$(number "$1" 54 2)" \
			"$(number "$1" 56 2)" 8 8 32
	else
		set -- "$1" "$(number "$1" 28 4)" "$(number "$1" 42 2)" \
			"$(number "$1" 44 2)" 4 4 16
	fi
	header=0
	while [ "$header" -lt "${4:-0}" ]; do
		at=$(($2 + header * $3))
		header=$((header + 1))
		[ "$(number "$1" "$at" 4)" = 3 ] || continue
		offset=$(number "$1" $((at + $6)) "$5")
		length=$(number "$1" $((at + $7)) "$5")
		tail -c "+$((offset + 1))" "$1" | head -c "$((length - 1))" |
			tr -cd '[:print:]'
		break
	done
}

# A script is what its interpreter is.
script_interpreter()
{
	[ "$(head -c 2 "$1" 2>/dev/null | tr -d '\0')" = '#!' ] || return
	head -n 1 "$1" | sed 's/^#![ 	]*\([^ 	]*\).*/\1/'
}

# Root's capabilities are not more with the file's.
has_more_rights()
{
	[ -n "$(find -L "$1" -prune \( -perm -4000 ! -user "$(id -u)" -o \
		-perm -2000 ! -group "$(id -g)" \) 2>/dev/null)" ] && return
	[ "$(id -u)" != 0 ] &&
		[ -n "$(PATH=$PATH:/sbin:/usr/sbin getcap "$1" 2>/dev/null)" ]
}

# tell WHY HELP: what the functions here find.
# shellcheck disable=SC2034
tell()
{
	why=$1
	help=$2
}

static_help="link it dynamically (Go: CGO_ENABLED=1 go build -ldflags=-linkmode=external), or record the kernel (lttng enable-event --kernel sched_switch), which names all threads"

# why_not_preloaded FILE: $why and $help, if its file tells; else false.
why_not_preloaded()
{
	file=$1
	subject=it
	[ -r "$file" ] || return
	if has_more_rights "$file"; then
		tell "it is setuid, setgid or has capabilities, and the loader then leaves preloaded libraries out" \
			"run a copy without these rights, or run it as the user that it becomes"
		return
	fi
	if ! is_elf "$file"; then
		file=$(script_interpreter "$file")
		is_elf "$file" || return
		subject="its interpreter $file"
	fi
	interpreter=$(elf_interpreter "$file")
	if [ -z "$interpreter" ]; then
		tell "$subject is a static program, into which no library can be preloaded" \
			"$static_help"
	elif [ "$(elf_bits "$file")" != "$(elf_bits "$agent")" ]; then
		tell "$subject is a $(elf_bits "$file")-bit program, and the agent is a $(elf_bits "$agent")-bit library" \
			"install the agent for that architecture too (Debian: commcache-ust:i386), and name both in LD_PRELOAD"
	elif [ "$interpreter" != "$(elf_interpreter "/proc/$$/exe")" ]; then
		tell "$subject is loaded by $interpreter, with another C library than the agent's" \
			"build it with this system's C library"
	else
		return 1
	fi
}
