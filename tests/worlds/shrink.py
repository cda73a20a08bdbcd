# SPDX-License-Identifier: MIT
"""Makes a failing scenario small: fewer sessions, contexts, events, actions,
as long as it fails in the same way."""

from session import Session


def _but(session, **changes):
    return Session(**dict(session.setup, offset=session.offset, **changes))


def _simpler_sessions(scenario):
    """Scenarios with one session less, or a simpler one."""
    sessions = scenario.sessions
    for place, session in enumerate(sessions):
        def using(*instead):
            return scenario.but(sessions=sessions[:place] + list(instead) +
                                sessions[place + 1:])
        yield using()
        for change in ({'drain': 0}, {'overwrite': False}, {'size': 4096},
                       {'track': None}, {'offset': 0}, {'compact': False}):
            (name, value), = change.items()
            if getattr(session, name) != value:
                yield using(Session(**dict(session.setup, **change)))
        for context in session.contexts:
            yield using(_but(session, contexts=[
                other for other in session.contexts if other != context]))
        names = [name for channel in session.channels for name in channel]
        if len(session.channels) > 1:
            yield using(_but(session, channels=[names]))
        for name in names:
            channels = [[other for other in channel if other != name]
                        for channel in session.channels]
            channels = [channel for channel in channels if channel]
            if channels:
                yield using(_but(session, channels=channels))


def _fewer_actions(scenario, fails):
    actions = scenario.actions
    size = len(actions) // 2
    while size:
        place = 0
        while place < len(actions):
            fewer = actions[:place] + actions[place + size:]
            if fails(scenario.but(actions=fewer)):
                actions = fewer
            else:
                place += size
        size //= 2
    return scenario.but(actions=actions)


def _cut(scenario, fails):
    """The shortest beginning that fails."""
    low, high = 0, len(scenario.actions)
    while low < high:
        middle = (low + high) // 2
        if fails(scenario.but(actions=scenario.actions[:middle])):
            high = middle
        else:
            low = middle + 1
    shorter = scenario.but(actions=scenario.actions[:high])
    return shorter if fails(shorter) else scenario


def _simplify(scenario, fails):
    while True:
        for simpler in _simpler_sessions(scenario):
            if fails(simpler):
                scenario = simpler
                break
        else:
            return scenario


def shrink(scenario, fails):
    scenario = _simplify(_cut(scenario, fails), fails)
    count = None
    while count != len(scenario.actions):
        count = len(scenario.actions)
        scenario = _simplify(_fewer_actions(scenario, fails), fails)
    return scenario
