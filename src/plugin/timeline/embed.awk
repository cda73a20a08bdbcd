# SPDX-License-Identifier: MIT
#
# Makes C text of the page: page.html with what is named in lines @FILE@ put in,
# cut in two at the line @data@. A list of lines: no compiler has to take a string
# longer than C99 asks of it.

function put(line)
{
	gsub(/[\\"]/, "\\\\&", line)
	printf "\t\"%s\\n\",\n", line
}

function put_file(name, line)
{
	if (system("test -r \"" directory "/" name "\"") != 0) {
		print "cannot read " directory "/" name >"/dev/stderr"
		exit 1
	}
	while ((getline line <(directory "/" name)) > 0)
		put(line)
	close(directory "/" name)
}

BEGIN {
	print "/* Made of page/. */"
	print "extern const char *const page_head[];"
	print "extern const char *const page_tail[];"
	print "const char *const page_head[] = {"
}

/^@data@$/ {
	print "\t(void *) 0,\n};"
	print "const char *const page_tail[] = {"
	next
}

/^@[a-z.-]+@$/ {
	put_file(substr($0, 2, length($0) - 2))
	next
}

{ put($0) }

END { print "\t(void *) 0,\n};" }
