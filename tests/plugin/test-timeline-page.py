#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of sink.commcache.timeline in a real browser: zoom, drag, search,
hover, keys; by pointer and keyboard, on real traces."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle
import timeline_load

for program in ('chromium', 'chromedriver'):
    if not shutil.which(program):
        oracle.skip_all('%s is missing: install the packages chromium and '
                        'chromium-driver' % program)
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
except ImportError:
    oracle.skip_all('the Python module selenium is missing: install the '
                    'package python3-selenium')

BUILD = os.environ.get('top_builddir')
if BUILD:
    os.environ['BABELTRACE_PLUGIN_PATH'] = os.path.join(BUILD, 'src', 'plugin',
                                                        '.libs')
os.environ['TZ'] = 'UTC'


def draw(path, traces):
    subprocess.run(['babeltrace2',
                    '--component=commcache:sink.commcache.timeline',
                    '--params=path="%s"' % path] + list(traces), check=True)


class Browser:
    def __init__(self, folder):
        options = Options()
        options.binary_location = shutil.which('chromium')
        for argument in ('--headless=new', '--no-sandbox', '--disable-gpu',
                         '--hide-scrollbars', '--window-size=1280,800',
                         '--disable-dev-shm-usage', '--user-data-dir=' +
                         os.path.join(folder, 'profile')):
            options.add_argument(argument)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
        self.driver = webdriver.Chrome(
            service=Service(shutil.which('chromedriver')), options=options)

    def open(self, path):
        begin = time.monotonic()
        self.driver.get('file://' + path)
        self.canvas = self.driver.find_element(By.ID, 'lanes')
        self.size = self.js('const box = arguments[0].getBoundingClientRect();'
                            'return [box.width, box.height]', self.canvas)
        return time.monotonic() - begin

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def state(self):
        return self.js('return commcache.state()')

    def errors(self):
        return [entry for entry in self.driver.get_log('browser')
                if entry['level'] == 'SEVERE']

    def offset(self, x, y):
        """Of a place on the canvas: selenium counts from its middle."""
        return int(x - self.size[0] / 2), int(y - self.size[1] / 2)

    def actions(self):
        return ActionChains(self.driver, duration=10)

    def hover(self, x, y):
        self.actions().move_to_element_with_offset(
            self.canvas, *self.offset(x, y)).perform()

    def wheel(self, x, y, distance):
        origin = ScrollOrigin.from_element(self.canvas, *self.offset(x, y))
        self.actions().scroll_from_origin(origin, 0, distance).perform()
        self.settle()

    def drag(self, x, y, to_x, to_y):
        self.actions().move_to_element_with_offset(
            self.canvas, *self.offset(x, y)).click_and_hold().move_by_offset(
                to_x - x, to_y - y).release().perform()
        self.settle()

    def keys(self, *keys):
        self.actions().send_keys(*keys).perform()
        self.settle()

    def settle(self):
        """Until what was asked for is drawn."""
        self.driver.execute_async_script(
            'requestAnimationFrame(() => requestAnimationFrame('
            'arguments[arguments.length - 1]))')

    def place(self, tid, moment):
        """Of a thread's lane at a time, its part with turns: (x, y)."""
        return self.js('''
            const thread = commcache.threads.find((one) =>
                one.tid === arguments[0]);
            const row = commcache.rowOf(thread);
            return [commcache.xOf(arguments[1]),
                28 + row.y - commcache.view.top + 22];''', tid, moment)

    def scheme(self, name):
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {
            'features': [{'name': 'prefers-color-scheme', 'value': name}]})
        self.settle()


def near(one, other, part=1e-6):
    return abs(one - other) <= part * max(abs(one), abs(other), 1)


def clock(ns):
    """As babeltrace2 prints it, in UTC."""
    seconds, rest = divmod(ns, 10 ** 9)
    return time.strftime('%H:%M:%S', time.gmtime(seconds)) + '.%09d' % rest


def test_opening(tap, browser, path):
    elapsed = browser.open(path)
    state = browser.state()
    tap.ok(state['rows'] > 20 and state['frames'] > 0,
           'K1: opens and draws, in %.1f s' % elapsed)
    tap.ok(browser.js('return performance.getEntriesByType("resource").length')
           == 0, 'K1: asks for nothing else')
    tap.ok(browser.driver.title.startswith('K1') or
           'ktest' in browser.driver.title, 'K1: the title tells whose it is')


def test_zoom(tap, browser):
    before = browser.state()
    x, y = 700, 200
    moment = browser.js('return commcache.timeOf(700)')
    browser.wheel(x, y, -500)
    after = browser.state()
    tap.ok(after['to'] - after['from'] < .6 * (before['to'] - before['from']),
           'the wheel zooms')
    tap.ok(near(browser.js('return commcache.xOf(arguments[0])', moment), x,
                1e-3), 'at the pointer')
    width = after['to'] - after['from']
    browser.drag(700, 200, 500, 200)
    moved = browser.state()
    scale = browser.js('return (commcache.xOf(1e6) - commcache.xOf(0)) / 1e6')
    tap.ok(near(moved['to'] - moved['from'], width) and
           near(moved['from'] - after['from'], 200 / scale, 1e-2),
           'dragging moves in time, by what was dragged')
    browser.wheel(100, 300, 300)
    scrolled = browser.state()
    tap.ok(scrolled['top'] == 300 and scrolled['from'] == moved['from'],
           'over the names, the wheel scrolls')
    browser.wheel(700, 300, -20000)
    browser.wheel(700, 300, -20000)
    closest = browser.state()
    tap.ok(0 < closest['to'] - closest['from'] < 100,
           'down to nanoseconds')
    browser.driver.find_element(By.ID, 'fit').click()
    browser.settle()
    fitted = browser.state()
    tap.ok(near(fitted['from'], before['from']) and
           near(fitted['to'], before['to']), 'and back to the whole')
    browser.js('commcache.view.top = 0; commcache.drawAll()')


def pick_rename(trace):
    """A thread with several names, and a time in the middle of one that lasts:
    (tid, name, begin, end, base), from the table of threads."""
    out = subprocess.run(
        ['babeltrace2', '--component=commcache:sink.commcache.threads',
         '--params=format="json",name="k1-*"', trace],
        stdout=subprocess.PIPE, check=True).stdout
    best = None
    for thread in json.loads(out)['threads']:
        names = [name for name in thread['names'] if name['since_ns'] and
                 name['learned'] != 'between']
        for one, other in zip(names, names[1:]):
            length = other['since_ns'] - one['since_ns']
            if one['name'] and (best is None or length > best[0]):
                best = (length, thread['tid'], one['name'], other['name'],
                        one['since_ns'], other['since_ns'])
    return best[1:]


def test_hover(tap, browser, trace):
    tid, name, then, since, until = pick_rename(trace)
    base = browser.js('return commcache.data.base_ns')
    begin, end = since - int(base), until - int(base)
    browser.js('commcache.look(arguments[0], arguments[1])',
               begin - (end - begin), end + (end - begin))
    browser.settle()
    browser.hover(*browser.place(tid, begin + (end - begin) / 3))
    browser.settle()
    tip = browser.state()['tip'] or ''
    tap.ok(tip.split('\n')[0] == name and 'tid %d' % tid in tip,
           'hovering tells the name, %s, and the thread' % name)
    tap.ok(clock(since) in tip and '%s (+' % clock(until) in tip and
           ', then %s' % then in tip,
           'since %s exactly, until %s' % (clock(since), clock(until)))
    label = '''const thread = commcache.threads.find((one) =>
        one.tid === arguments[0]); return commcache.labelOf(thread);'''
    before = browser.js(label, tid)
    browser.hover(*browser.place(tid, end + (end - begin) / 3))
    browser.settle()
    after = browser.js(label, tid)
    tap.ok(before == name and after != name,
           'the label follows: %s, then %s' % (before, after))
    colours = browser.js('''
        const thread = commcache.threads.find((one) =>
            one.tid === arguments[0]);
        const row = commcache.rowOf(thread);
        const pen = arguments[1].getContext("2d");
        const y = 28 + row.y - commcache.view.top + 13;
        return arguments[2].map((time) => [...pen.getImageData(
            Math.round(commcache.xOf(time)), y, 1, 1).data].join());''',
                         tid, browser.canvas,
                         [begin + (end - begin) * .8, end + (end - begin) * .02])
    tap.ok(colours[0] != colours[1] or name.rstrip('0123456789') ==
           then.rstrip('0123456789'), 'so does the colour: %s, %s' %
           tuple(colours))


def test_turns(tap, browser, trace):
    """What runs is drawn as such, with its exact times."""
    base = int(browser.js('return commcache.data.base_ns'))
    running = None
    for message, event in oracle.events([trace]):
        if event.name != 'sched_switch':
            continue
        now = message.default_clock_snapshot.ns_from_origin
        cpu = oracle.cpu_of(event)
        if running and running[0] == cpu and now - running[2] > 2 * 10 ** 6 \
                and running[1] == int(event['prev_tid']):
            break
        if event['next_tid'] > 0 and (running is None or running[0] == cpu):
            running = cpu, int(event['next_tid']), now
    _, tid, since = running
    browser.js('commcache.look(arguments[0], arguments[1])', since - base -
               10 ** 6, now - base + 10 ** 6)
    browser.settle()
    browser.js('''const row = commcache.rowOf(commcache.threads.find((one) =>
        one.tid === arguments[0])); commcache.view.top = 0;
        commcache.view.top = Math.max(0, row.y - 200); commcache.drawAll();''',
               tid)
    browser.hover(*browser.place(tid, (since + now) // 2 - base))
    browser.settle()
    tip = browser.state()['tip'] or ''
    tap.ok('running\n' in tip and clock(since) in tip and clock(now) in tip,
           'a turn of thread %d, from %s to %s' % (tid, clock(since),
                                                   clock(now)))
    x, y = browser.place(tid, (since + now) // 2 - base)
    inside, outside = browser.js('''
        const pen = arguments[0].getContext("2d");
        return [arguments[1], arguments[2]].map(([x, y]) => [...pen.getImageData(
            Math.round(x) + 3, Math.round(y) - 3, 1, 1).data].join());''',
                                 browser.canvas, [x, y], [x, y - 18])
    tap.ok(inside != outside, 'and is seen: %s, not %s' % (inside, outside))


def test_search(tap, browser):
    expected = browser.js('''return commcache.threads.filter((thread) =>
        !thread.isSilent && thread.names.some((name) =>
            name.text.includes("k1-spin"))).length''')
    browser.keys('/')
    browser.keys('k1-spin')
    state = browser.state()
    tap.ok(0 < state['found'] == expected and state['query'] == 'k1-spin',
           '/ searches: %d threads had such a name' % expected)
    tap.ok(browser.driver.find_element(By.ID, 'found').text ==
           '%d thread%s' % (expected, '' if expected == 1 else 's'),
           'their number is told')
    places = []
    for _ in range(2):
        browser.keys(Keys.ENTER)
        state = browser.state()
        places.append(browser.js('return commcache.view.cursor'))
        tap.ok('k1-spin' in (state['tip'] or '').split('\n')[0],
               'Enter goes to %s' % (state['tip'] or '').split('\n')[0])
    tap.ok(places[0] != places[1], 'and again, to the next')
    tap.ok('k1-spin' in browser.js(
        'return document.getElementById("status").textContent'),
           'and it is told to who does not see')
    browser.keys(Keys.ESCAPE)
    tap.ok(browser.state()['query'] == '', 'Escape ends it')
    browser.keys('/', 'no such name')
    tap.ok(browser.state()['found'] == 0 and
           browser.driver.find_element(By.ID, 'found').text == '0 threads',
           'what is not there is not found')
    browser.keys(Keys.ESCAPE)


def test_keys(tap, browser):
    browser.keys('0')
    whole = browser.state()
    browser.keys('+')
    near_state = browser.state()
    tap.ok(near_state['to'] - near_state['from'] <
           whole['to'] - whole['from'], '+ zooms')
    browser.keys(Keys.ARROW_RIGHT)
    tap.ok(browser.state()['from'] > near_state['from'], 'an arrow moves')
    browser.keys('0', Keys.ARROW_DOWN)
    first = browser.state()
    browser.keys(Keys.ARROW_DOWN)
    second = browser.state()
    tap.ok(first['chosen'] is not None and second['chosen'] is not None and
           first['chosen'] != second['chosen'] and second['tip'],
           'down chooses the next thread')
    before = browser.state()['rows']
    browser.keys('s')
    tap.ok(browser.state()['rows'] > before, 's shows the silent ones')
    browser.keys('s')
    height = browser.js('return commcache.view.rowsHeight')
    browser.keys('c')
    tap.ok(browser.js('return commcache.view.rowsHeight') < .7 * height,
           'c makes lanes smaller')
    browser.keys('c')
    browser.keys('?')
    tap.ok(browser.js('return document.getElementById("keys").open'),
           '? helps')
    browser.keys(Keys.ESCAPE, Keys.ESCAPE)


def test_names(tap, browser):
    """From name to name, and to a range."""
    tid, names = browser.js('''
        const thread = commcache.threads.filter((one) => !one.isSilent)
            .sort((one, other) => other.names.length - one.names.length)[0];
        return [thread.tid, thread.names.map((name) => [name.begin, name.text])];
        ''')
    middle = len(names) // 2
    begin, end = names[middle][0], names[middle + 1][0]
    browser.js('''commcache.view.top = commcache.rowOf(commcache.threads.find(
        (one) => one.tid === arguments[0])).y - 100;
        commcache.look(arguments[1], arguments[2]);''',
               tid, begin - 20 * (end - begin), end + 20 * (end - begin))
    browser.settle()
    x, y = browser.place(tid, (begin + end) / 2)
    browser.actions().move_to_element_with_offset(
        browser.canvas, *browser.offset(x, y)).double_click().perform()
    browser.settle()
    state = browser.state()
    tap.ok(near(state['from'], begin - (end - begin) / 4, 1e-5) and
           near(state['to'], end + (end - begin) / 4, 1e-5),
           'a double click zooms to the name under it')
    for key, place in ((']', middle + 1), (']', middle + 2),
                       ('[', middle + 1)):
        browser.keys(key)
        tap.ok(browser.js('return commcache.view.cursor') == names[place][0]
               and browser.state()['tip'].split('\n')[0] == names[place][1],
               '%s goes to %s' % (key, names[place][1]))
    expected = browser.js('return [commcache.timeOf(500), '
                          'commcache.timeOf(800)]')
    browser.actions().key_down(Keys.SHIFT).move_to_element_with_offset(
        browser.canvas, *browser.offset(500, 300)).click_and_hold(
        ).move_by_offset(300, 0).release().key_up(Keys.SHIFT).perform()
    browser.settle()
    state = browser.state()
    width = expected[1] - expected[0]
    tap.ok(abs(state['from'] - expected[0]) < width / 50 and
           abs(state['to'] - expected[1]) < width / 50,
           'Shift and drag zoom to a range')
    browser.keys(Keys.ESCAPE)


def test_folding(tap, browser):
    browser.js('commcache.view.top = 0; commcache.fit()')
    browser.settle()
    rows = browser.state()['rows']
    y = browser.js('''const row = commcache.view.rows.find((row) =>
        row.process); return 28 + row.y + 10;''')
    browser.actions().move_to_element_with_offset(
        browser.canvas, *browser.offset(60, y)).click().perform()
    browser.settle()
    folded = browser.state()['rows']
    browser.actions().move_to_element_with_offset(
        browser.canvas, *browser.offset(60, y)).click().perform()
    browser.settle()
    tap.ok(folded < rows == browser.state()['rows'],
           'a click folds a process, another unfolds it')


def test_reused(tap, browser, path):
    """A pid that is used again is another process."""
    browser.open(path)
    leaders, processes, most, together = browser.js('''
        const { threads, processes } = commcache;
        const isLeader = (thread) => thread.pid > 0 &&
            thread.tid === thread.pid;
        return [threads.filter(isLeader).length,
            processes.filter((one) => one.threads.some(isLeader)).length,
            Math.max(...processes.map((one) =>
                one.threads.filter(isLeader).length)),
            processes.reduce((sum, one) => sum + one.threads.length, 0) ===
                threads.length];''')
    tap.ok(most == 1 and leaders == processes > 500 and together,
           'K3: %d processes, each with a main thread of its own' % processes)


CONTRAST = '''
const pen = document.createElement("canvas").getContext("2d");
const rgb = (...fills) => {
    for (const fill of fills) { pen.fillStyle = fill; pen.fillRect(0, 0, 1, 1); }
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) =>
        byte / 255).map((part) => part <= .04045 ? part / 12.92 :
            ((part + .055) / 1.055) ** 2.4);
};
const light = ([r, g, b]) => .2126 * r + .7152 * g + .0722 * b;
const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((one, other) => other - one);
    return (x + .05) / (y + .05);
};
const { paper, panel, band, ink, soft } = commcache.colours;
const names = commcache.data.texts.map((_, number) =>
    commcache.colourOf(number));
return {
    paper,
    text: Math.min(contrast(rgb(ink), rgb(paper)),
        ...names.map(([, strip]) => contrast(rgb(ink), rgb(paper, strip)))),
    soft: Math.min(...[paper, panel, band].map((ground) =>
        contrast(rgb(soft), rgb(ground)))),
    turn: Math.min(...names.map(([turn]) =>
        contrast(rgb(paper, turn), rgb(paper)))),
};'''


def test_colours(tap, browser):
    """WCAG 2.1: 4.5 for text, 3 for what has to be seen."""
    papers = set()
    for scheme in ('light', 'dark'):
        browser.scheme(scheme)
        got = browser.js(CONTRAST)
        papers.add(got['paper'])
        tap.ok(got['text'] >= 7 and got['soft'] >= 4.5 and got['turn'] >= 3,
               '%s: contrast of names %.1f, of other text %.1f, of turns %.1f'
               % (scheme, got['text'], got['soft'], got['turn']))
    browser.scheme('light')
    tap.ok(len(papers) == 2, 'light and dark, as the reader has it')


def test_ust(tap, browser, path):
    """No turns: the density of events instead."""
    browser.open(path)
    legend = browser.driver.find_element(By.ID, 'legend').text
    tap.ok('running' not in legend and 'events' in legend,
           'UST: nothing is said of running')
    shown = browser.js('''
        const row = commcache.view.rows.find((row) => row.thread);
        const pen = arguments[0].getContext("2d");
        const { x, y } = { x: commcache.view.labels,
            y: 28 + row.y - commcache.view.top + 18 };
        const pixels = pen.getImageData(x, y, 900, 14).data;
        const seen = new Set();
        for (let i = 0; i < pixels.length; i += 4)
            seen.add(pixels.slice(i, i + 3).join());
        return seen.size;''', browser.canvas)
    tap.ok(shown > 2, 'UST: events are drawn')


def test_load(tap, browser, path):
    """500 threads, 1,000,000 events."""
    elapsed = browser.open(path)
    tap.ok(browser.state()['found'] >= 500 and elapsed < 30,
           'load: opens in %.1f s' % elapsed)
    drawing = browser.js('''
        let quickest = Infinity;
        for (let i = 0; i < 20; i++) {
            const begin = performance.now();
            commcache.look(i * 1e6, 250e6 - i * 5e6);
            commcache.view.top = i * 300;
            commcache.drawAll();
            quickest = Math.min(quickest, performance.now() - begin);
        }
        return quickest;''')
    # The quickest: the others wait for what else the machine does.
    tap.ok(drawing < 300, 'load: a frame takes %.0f ms' % drawing)
    before = browser.state()
    browser.wheel(700, 300, -400)
    after = browser.state()
    tap.ok(after['to'] - after['from'] < before['to'] - before['from'],
           'load: zooms')
    tap.ok('are drawn as one' in browser.driver.find_element(
        By.ID, 'exact').text, 'load: says that it is not exact')


def test_strange(tap, browser, folder):
    """A name that would be a part of the page."""
    path = os.path.join(folder, 'strange')
    os.mkdir(path)
    with open(os.path.join(path, 'metadata'), 'w') as file:
        file.write(timeline_load.METADATA)
    names = (b'swapper/0', b'</script><b>', b'<u>x</u>', b'\x1b[31mred')
    events = [timeline_load.SWITCH.pack(0, 1000 * tid, names[tid - 1], tid - 1,
                                        1, names[tid % 4], tid % 4)
              for tid in range(1, 5)]
    timeline_load.write_stream(os.path.join(path, 'channel_0'), 0, events, 0,
                               9000)
    draw(path + '.html', [path])
    browser.open(path + '.html')
    browser.hover(*browser.place(2, 1400))
    browser.settle()
    tap.ok((browser.state()['tip'] or '').split('\n')[0] == '<u>x</u>' and
           browser.js('return document.querySelectorAll("b, u").length') == 0,
           'a name that is HTML is but text')
    tap.ok(sorted(browser.js('return commcache.data.texts')) == sorted(
        ['</script><b>', '<u>x</u>', '\\x1b[31mred', 'swapper/0']),
           'so is one that ends a script, and an escape code')


def main():
    top = oracle.shared('ktraces')
    traces = oracle.shared('traces')
    tap = oracle.Tap()
    kernel = os.path.join(top, 'K1', 'kernel')
    with tempfile.TemporaryDirectory() as folder:
        pages = {name: os.path.join(folder, name + '.html')
                 for name in ('K1', 'K3', 'ros2', 'load')}
        timeline_load.write_load(os.path.join(folder, 'load'))
        draw(pages['K1'], [kernel])
        draw(pages['K3'], [os.path.join(top, 'K3', 'kernel')])
        draw(pages['ros2'], [os.path.join(traces, 'tracecompass-test-traces',
                                          'ros2')])
        draw(pages['load'], [os.path.join(folder, 'load')])
        browser = Browser(folder)
        try:
            test_opening(tap, browser, pages['K1'])
            test_zoom(tap, browser)
            test_hover(tap, browser, kernel)
            test_turns(tap, browser, kernel)
            test_search(tap, browser)
            test_keys(tap, browser)
            test_names(tap, browser)
            test_folding(tap, browser)
            test_colours(tap, browser)
            test_reused(tap, browser, pages['K3'])
            test_ust(tap, browser, pages['ros2'])
            test_load(tap, browser, pages['load'])
            test_strange(tap, browser, folder)
            errors = browser.errors()
            tap.ok(not errors, 'and no error in all of it')
            for error in errors:
                tap.note(str(error))
        finally:
            browser.driver.quit()
    tap.done()


main()
