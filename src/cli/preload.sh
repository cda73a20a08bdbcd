#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What is to be preloaded into a program. Read by the commands that do it, or say
# it; commcache defines fail and $agent.
#
# shellcheck disable=SC2154

need_agent()
{
	[ -f "$agent" ] ||
		fail 1 "the agent is missing: $agent; install the package commcache-ust, or run make"
}

# liblttng-ust-fork lets a forked child go on being traced; the loader says so
# on the program's stderr where it is missing, so ask it first.
agent_preload()
{
	fork_library=liblttng-ust-fork.so.1
	if [ -z "$(LD_PRELOAD=$fork_library true 2>&1)" ]; then
		echo "$agent:$fork_library"
	else
		echo "$agent"
	fi
}
