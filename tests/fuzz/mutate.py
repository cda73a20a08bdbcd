# SPDX-License-Identifier: MIT
"""Changes a CTF folder a little, the same way for the same seed everywhere.

A folder is a dict of the names of its files to their bytes. The random numbers
are our own (splitmix64): Python promises the sequence of its own for none but
random().
"""

import os
import re
import struct

MASK = (1 << 64) - 1

# Packets of metadata: a header, and text of which the header tells the size.
METADATA_MAGIC = 0x75D11D57
METADATA_HEADER = 37
# Where the sizes in bits are told: of the content, and of the packet.
METADATA_SIZES = 24

PACKET_MAGICS = (b"\xc1\x1f\xfc\xc1", b"\xc1\xfc\x1f\xc1")

NUMBERS = (0, 1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 255, 1000000000,
           (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, MASK)

# What the learner knows by name, and what it may take for another.
NAMES = ("prev_comm", "next_comm", "prev_tid", "next_tid", "comm", "tid", "pid", "vtid",
         "vpid", "newcomm", "procname", "cpu_id", "pid_ns", "child_tid", "child_comm",
         "parent_tid", "name", "filename", "sched_switch", "sched_process_fork",
         "sched_process_exec", "sched_process_exit", "task_rename",
         "lttng_statedump_process_state", "syscall_entry_clone", "syscall_exit_clone",
         "hostname", "domain", "tracer_name", "kernel", "ust", "boot_id", "perf", "len")

WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
NUMBER = re.compile(r"\b(?:0x[0-9a-fA-F]+|[0-9]+)\b")
SWAPS = {"true": "false", "false": "true", "le": "be", "be": "le", "string": "uint32_t",
         "uint32_t": "string", "UTF8": "none", "none": "UTF8", "signed": "align",
         "struct": "variant", "monotonic": "other", "integer": "enum"}


class Chance:
    def __init__(self, seed):
        self._state = seed & MASK

    def next(self):
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, count):
        return self.next() % count

    def choice(self, things):
        return things[self.below(len(things))]


def load(path):
    """The files of a folder; its metadata as text where it is in packets."""
    folder = {}
    for name in sorted(os.listdir(path)):
        place = os.path.join(path, name)
        if os.path.isfile(place):
            with open(place, "rb") as file:
                folder[name] = file.read()
    folder["metadata"] = _metadata_text(folder["metadata"])
    return folder


def save(folder, path):
    os.makedirs(path)
    for name, data in folder.items():
        with open(os.path.join(path, name), "wb") as file:
            file.write(data)


def _metadata_text(data):
    for order in "<>":
        if len(data) >= METADATA_HEADER and struct.unpack_from(order + "I", data)[0] == METADATA_MAGIC:
            break
    else:
        return data
    text = b"/* CTF 1.8 */\n"
    place = 0
    while place + METADATA_HEADER <= len(data):
        content, packet = struct.unpack_from(order + "II", data, place + METADATA_SIZES)
        text += data[place + METADATA_HEADER:place + content // 8]
        place += max(packet // 8, METADATA_HEADER)
    return text


def _stream(chance, folder):
    """The name of a stream with something in it, or None."""
    names = [name for name in sorted(folder) if name != "metadata" and folder[name]]
    return chance.choice(names) if names else None


def _place(chance, data):
    """Often in a packet's head, whose members matter most."""
    if chance.below(3) == 0:
        starts = _packet_starts(data)
        return min(chance.choice(starts) + chance.below(96), len(data) - 1)
    return chance.below(len(data))


def _packet_starts(data):
    starts = {0}
    for magic in PACKET_MAGICS:
        place = data.find(magic)
        while place >= 0:
            starts.add(place)
            place = data.find(magic, place + 1)
    return sorted(starts)


def _packets(data):
    starts = _packet_starts(data) + [len(data)]
    return [data[a:b] for a, b in zip(starts, starts[1:])]


def flip_bits(chance, data):
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20))):
        data[_place(chance, data)] ^= 1 << chance.below(8)
    return bytes(data)


def change_bytes(chance, data):
    data = bytearray(data)
    for _ in range(chance.choice((1, 3, 20))):
        data[_place(chance, data)] = chance.choice((0, 0x7F, 0x80, 0xFF, chance.below(256)))
    return bytes(data)


def change_word(chance, data):
    word = struct.pack("<Q", chance.choice(NUMBERS))[:chance.choice((2, 4, 8))]
    place = _place(chance, data) & ~3
    return data[:place] + word + data[place + len(word):]


def cut(chance, data):
    return data[:chance.below(len(data))]


def cut_out(chance, data):
    begin = chance.below(len(data))
    return data[:begin] + data[begin + 1 + chance.below(64):]


def double_packet(chance, data):
    packets = _packets(data)
    which = chance.below(len(packets))
    return b"".join(packets[:which + 1] + packets[which:])


def swap_packets(chance, data):
    packets = _packets(data)
    one, other = chance.below(len(packets)), chance.below(len(packets))
    packets[one], packets[other] = packets[other], packets[one]
    return b"".join(packets)


STREAM_WAYS = (flip_bits, change_bytes, change_word, cut, cut_out, double_packet, swap_packets)


def _replace(chance, text, pattern, new):
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = chance.choice(found)
    return text[:match.start()] + new(match.group()) + text[match.end():]


def change_number(chance, text):
    return _replace(chance, text, NUMBER, lambda old: str(chance.choice(NUMBERS)))


def change_name(chance, text):
    """One of the names that are known, for another: all of it, or once."""
    here = [name for name in NAMES if name in text]
    if not here:
        return text
    old, new = chance.choice(here), chance.choice(NAMES)
    count = chance.choice((1, -1))
    return text.replace(old, new, count)


def swap_word(chance, text):
    pattern = re.compile(r"\b(?:%s)\b" % "|".join(SWAPS))
    return _replace(chance, text, pattern, SWAPS.get)


def take_word(chance, text):
    return _replace(chance, text, WORD, lambda old: "")


def drop_line(chance, text):
    lines = text.split("\n")
    del lines[chance.below(len(lines))]
    return "\n".join(lines)


def double_line(chance, text):
    lines = text.split("\n")
    which = chance.below(len(lines))
    return "\n".join(lines[:which + 1] + lines[which:])


def swap_lines(chance, text):
    lines = text.split("\n")
    which = chance.below(max(len(lines) - 1, 1))
    lines[which:which + 2] = reversed(lines[which:which + 2])
    return "\n".join(lines)


# Not cut at any place: babeltrace2 2.0.4 reads on for ever at such an end.
METADATA_WAYS = (change_number, change_number, change_name, change_name, swap_word,
                 swap_word, take_word, drop_line, double_line, swap_lines)


def mutate(folder, seed):
    """A changed copy, and what was done to it."""
    chance = Chance(seed)
    folder = dict(folder)
    how = []
    for _ in range(chance.choice((1, 1, 2, 4))):
        name = _stream(chance, folder)
        if name is None or chance.below(2):
            way = chance.choice(METADATA_WAYS)
            text = folder["metadata"].decode("latin-1")
            folder["metadata"] = way(chance, text).encode("latin-1")
            how.append(way.__name__)
        else:
            way = chance.choice(STREAM_WAYS)
            folder[name] = way(chance, folder[name])
            how.append("%s in %s" % (way.__name__, name))
    return folder, ", ".join(how)
