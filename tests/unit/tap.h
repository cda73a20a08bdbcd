/* SPDX-License-Identifier: MIT */
#ifndef COMMCACHE_TESTS_UNIT_TAP_H
#define COMMCACHE_TESTS_UNIT_TAP_H

/*
 * Test Anything Protocol, for tests of many threads and processes, where an
 * assertion cannot leave a function by longjmp. Only the thread of main()
 * reports.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int tap_tests;
static int tap_failures;

__attribute__((format(printf, 2, 3)))
static inline bool ok(bool pass, const char *format, ...)
{
	va_list arguments;

	printf("%sok %d - ", pass ? "" : "not ", ++tap_tests);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	fflush(stdout);
	tap_failures += !pass;
	return pass;
}

static inline bool ok_equal(long long value, long long expected,
		const char *name)
{
	if (!ok(value == expected, "%s", name)) {
		printf("# is %lld, expected %lld\n", value, expected);
		return false;
	}
	return true;
}

static inline void skip(const char *name, const char *reason)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_tests, name, reason);
	fflush(stdout);
}

/* Something the test itself needs failed: nothing can be said. */
static inline void bail_out_unless(bool condition, const char *what)
{
	if (condition)
		return;
	printf("Bail out! %s\n", what);
	exit(EXIT_FAILURE);
}

/* What main() returns. */
static inline int tap_end(void)
{
	printf("1..%d\n", tap_tests);
	return tap_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif /* COMMCACHE_TESTS_UNIT_TAP_H */
