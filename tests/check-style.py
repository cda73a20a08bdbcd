#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
check-style.py [--mend] FILE...

What no compiler says of C files: tabs indent, nothing stands at a line's end, no
file is past 600 lines, and braces are the kernel's: none around one simple
statement, some around all else (another if or loop, a comment and a statement,
what #if chooses); all branches of an if have them, or none, and a do always.
Prints each place that is otherwise; --mend mends the braces.
"""

import re
import sys

LINES_MAX = 600

HEAD = re.compile(r'^(\t*)(\} else if \(|\} else\b|else if \(|else\b|'
                  r'if \(|for \(|while \(|switch \(|do\b|\w*foreach\w*\()')


def depth(line):
    return len(line) - len(line.lstrip('\t'))


class Branch:
    """A head of one or more lines, from `head` to `last`, and its body."""

    def __init__(self, lines, head):
        self.head = head
        self.depth = depth(lines[head])
        self.last = head
        opened = 0
        while True:
            text = strip_text(lines[self.last])
            opened += text.count('(') - text.count(')')
            if opened <= 0:
                break
            self.last += 1
        self.is_braced = lines[self.last].endswith('{')
        # A do's tail, a head on one line with what follows it.
        self.is_simple = lines[self.last].endswith(';')
        self.begin = self.last + 1
        self.end = self.begin
        following = self.begin
        while lines[following] == '' or lines[following].startswith('#') or \
                depth(lines[following]) > self.depth:
            following += 1
            if lines[following - 1] and lines[following - 1][0] != '#':
                self.end = following
        body = lines[self.begin:self.end]
        own = [line for line in body if depth(line) == self.depth + 1]
        self.needs = len(own) != 1 or bool(HEAD.match(own[0])) or \
            any(line.startswith('#') for line in body)


def strip_text(line):
    line = re.sub(r"'(\\.|[^'\\])*'", "''", line)
    line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
    return re.sub(r'/\*.*?\*/', '', line)


def chain_at(lines, head):
    """The branches of what begins there."""
    branches = [Branch(lines, head)]
    while True:
        last = branches[-1]
        if last.is_simple:
            return branches
        match = HEAD.match(lines[last.end])
        if match and depth(lines[last.end]) == last.depth and \
                'else' in match.group(2) and last.end > last.begin:
            branches.append(Branch(lines, last.end))
        else:
            return branches


def set_braces(lines, branches, wanted):
    """From the last on, so that the places of the others stay."""
    for number in range(len(branches) - 1, -1, -1):
        branch = branches[number]
        tabs = '\t' * branch.depth
        is_last = number == len(branches) - 1
        if branch.is_braced and not wanted:
            lines[branch.last] = lines[branch.last][:-2].rstrip()
            if is_last:
                del lines[branch.end]
                if lines[branch.end] == '':
                    del lines[branch.end]
            else:
                lines[branch.end] = lines[branch.end].replace('} ', '', 1)
        elif wanted and not branch.is_braced:
            lines[branch.last] += ' {'
            if is_last:
                lines.insert(branch.end, tabs + '}')
            else:
                lines[branch.end] = tabs + '} ' + lines[branch.end].lstrip()


def heads_of(lines):
    """Where an if, a loop or a switch begins."""
    in_comment = False
    for number, line in enumerate(lines):
        if in_comment or '/*' in line and '*/' not in line:
            in_comment = '*/' not in line
            continue
        match = HEAD.match(line)
        # Neither in a macro nor the tail of a do.
        if match and 'else' not in match.group(2) and depth(line) > 0 and \
                not line.endswith('\\') and \
                not re.match(r'\t*while \(.*\);$', line):
            yield number


def check_braces(path, lines, mend):
    # From the end: what is within is right before what is around it.
    for head in reversed(list(heads_of(lines))):
        branches = chain_at(lines, head)
        if any(branch.is_simple for branch in branches):
            continue
        wanted = any(branch.needs for branch in branches) or \
            lines[head].lstrip('\t').startswith('do')
        if all(branch.is_braced == wanted for branch in branches):
            continue
        if mend:
            set_braces(lines, branches, wanted)
        else:
            yield f'{path}:{head + 1}: braces are ' \
                f'{"missing" if wanted else "of no use"}'


def check_lines(path, lines):
    for number, line in enumerate(lines):
        if line != line.rstrip():
            yield f'{path}:{number + 1}: space at the end'
        elif re.match(r'\t* +[^ *]', line):
            yield f'{path}:{number + 1}: spaces indent'
    if len(lines) > LINES_MAX:
        yield f'{path}: has more than {LINES_MAX} lines: {len(lines)}'


def main(arguments):
    mend = arguments[:1] == ['--mend']
    is_right = True
    for path in arguments[1:] if mend else arguments:
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
        before = list(lines)
        for wrong in [*check_braces(path, lines, mend),
                      *check_lines(path, lines)]:
            print(wrong)
            is_right = False
        if lines != before:
            with open(path, 'w', encoding='utf-8') as file:
                file.write('\n'.join(lines) + '\n')
    return 0 if is_right else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
