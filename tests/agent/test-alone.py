# SPDX-License-Identifier: MIT
"""Where there is nothing to trace: programs without LTTng, no session, no
session daemon, the agent disabled."""

import os
import subprocess

from tap import Tap
from session import AGENT, FORK, environment, program

tap = Tap()

SCRIPT = ("echo out; echo err >&2; ls -d /; printf 'a\\nb\\n' | sort -r; "
          "(exit 3); echo $?; exec sh -c 'exit 42'")


def without_daemon(command):
    """Have a command see no session daemon."""
    if os.getuid() == 0:
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c",
                'mount -t tmpfs none /run/lttng && exec "$@"', "sh", *command]
    return ["env", "LTTNG_HOME=/nonexistent", *command]


def outcome(command, preload, wrap=list, **more):
    """Exit status and output. The preloading is for the program alone."""
    variables = [f"{key}={value}" for key, value in more.items()]
    if preload:
        variables.append("LD_PRELOAD=" + " ".join(preload))
    result = subprocess.run(wrap(["env", *variables, *command]),
                            env=environment(()), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False, timeout=60)
    return result.returncode, result.stdout, result.stderr


def compare(what, command, wrap=list, **more):
    """The same with the agent as without."""
    plain = outcome(command, (), wrap)
    for preload in (AGENT,), (AGENT, FORK), (FORK, AGENT):
        tap.equal(outcome(command, preload, wrap, **more), plain,
                  f"{what}, preloading "
                  f"{' and '.join(os.path.basename(one) for one in preload)}")


for where, wrap in ("no session", list), ("no session daemon", without_daemon):
    compare(f"a shell script, {where}", ["sh", "-c", SCRIPT], wrap)
    compare(f"a program that names threads, {where}",
            [program("names"), "ends"], wrap)
    compare(f"a program that forks, {where}", [program("names"), "fork"], wrap)
    compare(f"a program that fails, {where}", [program("names"), "none"], wrap)
compare("disabled", [program("names"), "self"], COMMCACHE_DISABLE="1")

status, out, err = outcome([program("names"), "self"], (AGENT,),
                           COMMCACHE_DISABLE="1", COMMCACHE_DEBUG="1")
tap.equal((status, out, len(err.splitlines())), (0, b"", 1),
          "disabled, with COMMCACHE_DEBUG=1: one line says so")
tap.ok(err.endswith(b": off: COMMCACHE_DISABLE=1\n"), "it says why", err)

tap.end()
