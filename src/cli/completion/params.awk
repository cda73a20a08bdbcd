# SPDX-License-Identifier: MIT
#
# Puts, at the line @PARAMS@ of its last file, what the components take: a line
# for each parameter and, where it is one of a few, each value. The files before
# it hold rows of struct param (src/plugin/param.h); command= tells which command
# passes them on. So there is one list.

FNR == 1 { delete words; array = "" }

/static const char \*const [a-z_]+\[\] = / {
	array = $5
	sub(/\[.*/, "", array)
}

array && /"[a-z]+"/ {
	match($0, /"[a-z]+"/)
	words[array] = words[array] " " substr($0, RSTART + 1, RLENGTH - 2)
}

/^\};/ { array = "" }

/^\t+\{ "[a-z-]+", PARAM_/ {
	name = $2
	gsub(/[",]/, "", name)
	values = ""
	if ($3 ~ /^PARAM_BOOL/)
		values = " yes no"
	else if ($3 ~ /^PARAM_WORD/)
		values = words[$5]
	if (values ~ /^$/)
		params = params command " " name "=\n"
	count = split(values, value, " ")
	for (i = 1; i <= count; i++)
		params = params command " " name "=" value[i] "\n"
}

is_template && /^@PARAMS@$/ { printf "%s", params; next }
is_template
