dnl SPDX-License-Identifier: MIT

dnl _COMMCACHE_NEED(VARIABLE, PKG-CONFIG-MODULE, DEBIAN-PACKAGE, FEDORA-PACKAGE)
dnl
dnl What is missing is collected, so that one run of configure names it all.
AC_DEFUN([_COMMCACHE_NEED], [
	PKG_CHECK_MODULES([$1], [$2], [], [
		commcache_missing="$commcache_missing
  $2: Debian and Ubuntu: $3, Fedora: $4"
		commcache_missing_debian="$commcache_missing_debian $3"
		commcache_missing_fedora="$commcache_missing_fedora $4"])
])

dnl COMMCACHE_CHECK_DEPENDENCIES
dnl
dnl Every library and program that building or testing needs, with the package
dnl that brings it. Needs pkg-config's own macros; without them the message
dnl must come from here, not from a syntax error in configure.
AC_DEFUN([COMMCACHE_CHECK_DEPENDENCIES], [
	m4_ifndef([PKG_PROG_PKG_CONFIG], [m4_fatal([pkg-config's macros are
missing: install pkg-config (Debian and Ubuntu), pkgconf-pkg-config (Fedora)])])
	PKG_PROG_PKG_CONFIG([0.26])
	AS_IF([test -z "$PKG_CONFIG"], [AC_MSG_ERROR([pkg-config is missing: install
  pkg-config (Debian and Ubuntu), pkgconf-pkg-config (Fedora)])])

	commcache_missing=
	commcache_missing_debian=
	commcache_missing_fedora=
	_COMMCACHE_NEED([LTTNG_UST], [lttng-ust >= 2.13],
		[liblttng-ust-dev], [lttng-ust-devel])
	_COMMCACHE_NEED([URCU],
		[liburcu-bp >= 0.12 liburcu-memb >= 0.12 liburcu-cds >= 0.12],
		[liburcu-dev], [userspace-rcu-devel])
	_COMMCACHE_NEED([BABELTRACE2], [babeltrace2 >= 2.0.4],
		[libbabeltrace2-dev], [libbabeltrace2-devel])
	_COMMCACHE_NEED([GLIB], [glib-2.0 >= 2.28],
		[libglib2.0-dev], [glib2-devel])
	AS_IF([test -n "$commcache_missing"], [AC_MSG_ERROR([these are missing:
$commcache_missing

Install them with one of
  apt install$commcache_missing_debian
  dnf install$commcache_missing_fedora])])

	lttng_ust_version=`$PKG_CONFIG --modversion lttng-ust`
	babeltrace2_version=`$PKG_CONFIG --modversion babeltrace2`
	dnl Version 1 of its message interchange protocol, and with it CTF 2.
	have_mip_1=0
	PKG_CHECK_EXISTS([babeltrace2 >= 2.1], [have_mip_1=1])
	AC_DEFINE_UNQUOTED([HAVE_MIP_1], [$have_mip_1],
		[babeltrace2's headers have version 1 of its protocol.])
	AM_CONDITIONAL([HAVE_MIP_1], [test $have_mip_1 = 1])

	PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1.5], [have_cmocka=yes],
		[have_cmocka="no (Debian and Ubuntu: libcmocka-dev, Fedora: libcmocka-devel)"])
	AM_CONDITIONAL([HAVE_CMOCKA], [test "x$have_cmocka" = xyes])

	AC_CHECK_PROG([ASCIIDOCTOR], [asciidoctor], [asciidoctor])
	have_asciidoctor=yes
	AS_IF([test -z "$ASCIIDOCTOR"],
		[have_asciidoctor="no (Debian and Ubuntu: asciidoctor, Fedora: rubygem-asciidoctor)"])
	AM_CONDITIONAL([HAVE_ASCIIDOCTOR], [test -n "$ASCIIDOCTOR"])
	dnl A tarball has the pages.
	AS_IF([test -f "$srcdir/doc/man/commcache.1"], [have_man_pages=yes],
		[have_man_pages="$have_asciidoctor"])
	AM_CONDITIONAL([HAVE_MAN_PAGES], [test "x$have_man_pages" = xyes])
	AC_PATH_PROG([VALGRIND], [valgrind])
])
