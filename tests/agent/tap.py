# SPDX-License-Identifier: MIT
"""Test Anything Protocol, as automake's driver reads it."""

import sys


class Tap:
    """Counts checks; prints each; ends with the plan."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, passed, what, *why):
        """One check; why is shown when it fails."""
        self.count += 1
        if not passed:
            self.failed += 1
            for line in why:
                for part in str(line).splitlines():
                    print("#", part)
        print("ok" if passed else "not ok", self.count, "-", what)
        sys.stdout.flush()
        return passed

    def equal(self, got, expected, what):
        """A check that shows both sides."""
        return self.ok(got == expected, what, f"got      {got!r}",
                       f"expected {expected!r}")

    def skip(self, what, reason):
        """A check that cannot be made here."""
        self.count += 1
        print("ok", self.count, "-", what, "# SKIP", reason)

    def end(self):
        """Print the plan; the exit status."""
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


def skip_all(reason):
    """Nothing of this file can be tested here."""
    print("1..0 # SKIP", reason)
    sys.exit(0)


try:
    import bt2  # noqa: F401 pylint: disable=unused-import
except ImportError:
    skip_all("python3-bt2 is missing: install it to read traces")
