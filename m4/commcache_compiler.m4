dnl SPDX-License-Identifier: MIT

dnl COMMCACHE_CHECK_COMPILER
dnl
dnl Sets AM_CFLAGS and AM_LDFLAGS for the whole tree: warnings on, symbols
dnl hidden unless a public header shows them.
AC_DEFUN([COMMCACHE_CHECK_COMPILER], [
	commcache_saved_cflags="$CFLAGS"
	AM_CFLAGS="-std=gnu11 -fvisibility=hidden"
	for flag in -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes \
			-Wshadow -Wpointer-arith -Wwrite-strings; do
		CFLAGS="$commcache_saved_cflags -Werror $flag"
		AC_MSG_CHECKING([whether $CC takes $flag])
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
			[AC_MSG_RESULT([yes])
			AM_CFLAGS="$AM_CFLAGS $flag"],
			[AC_MSG_RESULT([no])])
	done
	CFLAGS="$commcache_saved_cflags"

	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [a compiler warning is an error])],
		[AS_IF([test "x$enableval" = xyes],
			[AM_CFLAGS="$AM_CFLAGS -Werror"])])

	AM_CPPFLAGS='-I$(top_srcdir)/include -I$(top_srcdir)/src -I$(top_builddir)'
	AM_CPPFLAGS="$AM_CPPFLAGS -include config.h"
	AC_SUBST([AM_CFLAGS])
	AC_SUBST([AM_CPPFLAGS])
])
