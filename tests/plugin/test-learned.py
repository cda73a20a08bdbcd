#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What was learned is kept in a file, and one pass with it is as good as two: event
by event, and count by count, of all traces at hand; also of chunks. A file that is
not of that trace gives no name."""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ctf
import graphs
import names_oracle as oracle
from names_oracle import bt2

tap = oracle.Tap()
# As many bytes at the most.
SIZES = {'tracevizlab/apt': 150000}
KERNEL = {'domain': 'kernel', 'tracer_name': 'lttng-modules', 'hostname': 'here'}
PACKETS = (ctf.SIZES, ctf.BEGIN, ctf.END)


def run(traces, component, params):
    return subprocess.run(
        ['babeltrace2'] + traces + ['--component=c:' + component,
                                    '--log-level=INFO', '--params=' + params],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def learn(traces, path, add=None):
    params = 'path="%s"' % path
    if add:
        params += ',add="%s"' % add
    return run(traces, 'sink.commcache.learn', params)


def resolve(traces, path=None):
    params = 'provenance=yes'
    if path:
        params += ',learned="%s"' % path
    return run(traces, 'filter.commcache.resolve', params)


def counts(result):
    return [line for line in result.stderr.decode(errors='replace').split('\n')
            if ' events: ' in line]


def same(got, wanted, what):
    if not tap.ok(got == wanted, what):
        tap.note('got    %r\nwanted %r' % (got, wanted))


def compare(name, traces, work):
    path = os.path.join(work, 'learned')
    told = learn(traces, path)
    if told.returncode != 0:
        # What cannot be read to its end leaves nothing.
        tap.ok(not os.path.exists(path) and resolve(traces).returncode != 0,
               '%s: cannot be read, nothing is kept' % name)
        return
    twice, once = resolve(traces), resolve(traces, path)
    if not tap.ok(once.stdout == twice.stdout and
                  counts(once) == counts(twice) and once.returncode == 0,
                  '%s: the same names' % name):
        for one, other in zip(once.stdout.split(b'\n'), twice.stdout.split(b'\n')):
            if one != other:
                tap.note('got    %r\nwanted %r' % (one, other))
                break
        tap.note('\n'.join(counts(once) + counts(twice)))
    size = os.path.getsize(path)
    tap.ok(size <= SIZES.get(name, size), '%s: %d bytes' % (name, size))
    os.remove(path)


def folders(top):
    """What is read as one: a folder with all that is below it."""
    for name in sorted(os.listdir(top)):
        path = os.path.join(top, name)
        if os.path.isdir(path) and oracle.find_traces(path):
            yield name, path


def test_all_traces(work):
    top = graphs.shared_dir()
    found = False
    for part in ('ktraces', 'ctf2'):
        for name, path in (folders(os.path.join(top, part))
                           if top and os.path.isdir(os.path.join(top, part))
                           else ()):
            found = True
            if part == 'ctf2' and bt2.get_maximal_mip_version() == 0:
                tap.skip(name, 'this babeltrace2 cannot read CTF 2')
                continue
            compare(name, [path], work)
    traces = os.path.join(top, 'traces') if top else ''
    for collection, path in folders(traces) if os.path.isdir(traces) else ():
        found = True
        for name, folder in folders(path) if not os.path.exists(
                os.path.join(path, 'metadata')) else ():
            for whole in ([folder] if name != 'succeed' else
                          [one for _, one in folders(folder)]):
                compare('%s/%s' % (collection, os.path.basename(whole)),
                        [whole], work)
    if not found:
        tap.skip('real traces', 'there are none')


# Two chunks of a trace, on two CPUs: switches, events, a name told late.
CHUNKS = [
    [(0, [(1000, 1), (1100, ('idle', 0, 'worker', 11)), (1200, 2), (1900, 3)]),
     (1, [(1050, ('other', 20, 'idle', 0)), (1400, 4)])],
    [(0, [(2000, 5), (2100, ('job-1', 11, 'late', 12)), (2200, 6), (2900, 7)]),
     (1, [(2050, 8), (2500, ('idle', 0, 'late', 12)), (2600, 9)])],
    [(0, [(3000, 10), (3100, ('renamed', 12, 'idle', 0))]), (1, [(3050, 11)])],
]


def write(folder, chunks):
    trace = ctf.Writer(folder, 64, PACKETS, KERNEL)
    for chunk in chunks:
        for cpu, events in chunk:
            trace.packet(cpu, events)
    return folder


def lines(result):
    """Events by their time."""
    return sorted(result.stdout.decode().split('\n')[:-1])


def test_chunks(work):
    chunks = [write(os.path.join(work, 'chunk-%d' % place), [chunk])
              for place, chunk in enumerate(CHUNKS)]
    whole = write(os.path.join(work, 'whole'), CHUNKS)
    path, grown = os.path.join(work, 'w'), os.path.join(work, 'g')
    learn([whole], path)
    # The difference to the event before is another, of the first of a chunk.
    def without_delta(result):
        return sorted(line.split(')', 1)[1] for line in lines(result))
    wanted = without_delta(resolve([whole]))
    learn([chunks[0]], grown)
    for chunk in chunks[1:]:
        added = learn([chunk], grown, add=grown)
        same(added.returncode, 0, 'a chunk is added')
    with open(path, 'rb') as one, open(grown, 'rb') as other:
        same(other.read(), one.read(), 'chunks added one by one are the whole')
    for learned, name in ((path, 'at once'), (grown, 'in chunks')):
        got = sorted(line for chunk in chunks
                     for line in without_delta(resolve([chunk], learned)))
        same(got, wanted, 'each chunk alone is named as the whole, learned ' + name)
        got = without_delta(resolve([chunks[0]], learned)) + without_delta(
            resolve([chunks[2]], learned))
        same(set(got) - set(wanted), set(), 'nothing else with one left out')
    again = learn([chunks[1]], grown, add=grown)
    tap.ok(again.returncode != 0 and b'already' in again.stderr,
           'a chunk is not added twice')
    with open(path, 'rb') as one, open(grown, 'rb') as other:
        same(other.read(), one.read(), 'and the file is as it was')


def refused(traces, path, words, what):
    """No event, no name, and why not."""
    result = resolve(traces, path)
    text = result.stderr.decode(errors='replace')
    if not tap.ok(result.returncode != 0 and not result.stdout and words in text,
                  what):
        tap.note('%d: %r\n%s' % (result.returncode, result.stdout, text))


def make_absolute(folder):
    """Its clock counts from 1970: babeltrace2 2.1 merges no others."""
    path = os.path.join(folder, 'metadata')
    with open(path) as file:
        text = file.read()
    with open(path, 'w') as file:
        file.write(text.replace('clock {', 'clock { absolute = TRUE;'))


def test_refused(work):
    trace = write(os.path.join(work, 'trace'), CHUNKS[:2])
    make_absolute(trace)
    path = os.path.join(work, 'l')
    learn([trace], path)
    with open(path, 'rb') as file:
        good = file.read()
    bad = os.path.join(work, 'bad')

    def put(content):
        with open(bad, 'wb') as file:
            file.write(content)
        return bad
    same([size for size in range(0, len(good), 7) if resolve(
        [trace], put(good[:size])).returncode == 0], [], 'each cut is refused')
    same([place for place in range(0, len(good), 11) if resolve(
        [trace], put(good[:place] + bytes([good[place] ^ 1]) +
                     good[place + 1:])).returncode == 0], [],
         'each change is refused')
    refused([trace], put(good[:100]), 'is cut', 'a cut one')
    refused([trace], put(good + b'x'), 'is corrupt', 'one with more behind it')
    refused([trace], put(b'not a file of ours\n' * 9), 'is not such a file',
            'any other file')
    refused([trace], os.path.join(work, 'nothing'), 'cannot be opened', 'none')
    other = ctf.Writer(os.path.join(work, 'other'), 64, PACKETS,
                       dict(KERNEL, hostname='there'))
    other.packet(0, CHUNKS[0][0][1])
    make_absolute(other.folder)
    refused([other.folder], path, 'was not learned from', 'of another trace')
    refused([trace, other.folder], path, 'was not learned from',
            'of one of two traces')
    grown = write(os.path.join(work, 'grown'), CHUNKS)
    refused([grown], path, 'was not learned from', 'of a trace that has grown')
    shutil.copytree(trace, os.path.join(work, 'stream'))
    wider = ctf.Writer(os.path.join(work, 'wider'), 64, PACKETS, KERNEL)
    for chunk in CHUNKS[:2]:
        for cpu, events in chunk:
            wider.packet(cpu, events)
    wider.packet(2, [(1500, 1)])
    refused([wider.folder], path, 'was not learned from',
            'of a trace that has another stream')


def test_whole_or_not(work):
    trace = write(os.path.join(work, 'good'), CHUNKS)
    path = os.path.join(work, 'keep')
    with open(path, 'w') as file:
        file.write('before')
    with open(os.path.join(trace, 'cpu0'), 'r+b') as file:
        file.seek(-1, 2)
        file.truncate()
    tap.ok(learn([trace], path).returncode != 0, 'a broken trace is told')
    with open(path) as file:
        same(file.read(), 'before', 'and what was there stays')
    same(sorted(name for name in os.listdir(work) if name.startswith('keep')),
         ['keep'], 'with nothing beside it')


for test in (test_chunks, test_refused, test_whole_or_not, test_all_traces):
    with tempfile.TemporaryDirectory() as folder:
        test(folder)
tap.done()
