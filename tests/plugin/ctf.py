# SPDX-License-Identifier: MIT
"""Small CTF 1.8 traces of our own making, as embedded tracers write them."""

import os
import struct

TYPES = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
trace {
	major = 1; minor = 8; byte_order = le;
	packet.header := struct { uint32_t magic; uint32_t stream_id; };
};
"""

CLOCK = """clock { name = cyc; freq = 1000000000; offset_s = 1000; };
typealias integer { size = %d; align = 1; signed = false;
	map = clock.cyc.value; } := time_t;
typealias integer { size = 64; align = 8; signed = false;
	map = clock.cyc.value; } := full_time_t;
"""

EVENTS = """stream { id = 0;
	packet.context := struct { %s uint32_t cpu_id; };
	event.header := struct { uint8_t id; %s };
};
event { name = "sched_switch"; id = 0; stream_id = 0; fields := struct {
	string prev_comm; int32_t prev_tid; string next_comm; int32_t next_tid; }; };
event { name = "work"; id = 1; stream_id = 0; fields := struct { uint32_t n; }; };
event { name = "said"; id = 2; stream_id = 0; fields := struct { uint8_t len;
	integer { size = 8; encoding = UTF8; } text[len]; string more; }; };
"""

MAGIC = 0xC1FC1FC1

# What a packet's context tells besides its CPU, in this order: 8 bytes each.
SIZES = "uint32_t packet_size; uint32_t content_size;"
BEGIN = "full_time_t timestamp_begin;"
END = "full_time_t timestamp_end;"


def body(event):
    """EVENT: a number, a text, or the four fields of a switch."""
    if isinstance(event, int):
        return 1, struct.pack("<I", event)
    if isinstance(event, str):
        text = event.encode()
        return 2, bytes([len(text)]) + text + text + b"\0"
    prev_comm, prev_tid, next_comm, next_tid = event
    return 0, b"%s\0%s%s\0%s" % (
        prev_comm.encode(),
        struct.pack("<i", prev_tid),
        next_comm.encode(),
        struct.pack("<i", next_tid),
    )


class Writer:
    """A trace whose clock has BITS bits (0: there is none), in FOLDER; WORK is what
    the events of a number are called."""

    def __init__(self, folder, bits, told=(SIZES,), env=None, work="work"):
        self.folder = folder
        self.bits = bits
        self.told = told
        os.makedirs(folder)
        with open(os.path.join(folder, "metadata"), "w") as file:
            file.write(TYPES + (CLOCK % bits if bits else ""))
            for name, value in (env or {}).items():
                file.write('env { %s = "%s"; };\n' % (name, value))
            events = EVENTS % (" ".join(told), "time_t timestamp;" if bits else "")
            file.write(events.replace('"work"', '"%s"' % work))

    def _event(self, time, event):
        number, payload = body(event)
        cycles = (time % (1 << self.bits)).to_bytes((self.bits + 7) // 8, "little")
        return bytes([number]) + cycles + payload

    def packet(self, cpu, events):
        """EVENTS: (time, event)... Goes behind what the stream has."""
        content = b"".join(self._event(time, event) for time, event in events)
        bits = 8 * (8 + 8 * len(self.told) + 4 + len(content))
        values = {
            SIZES: struct.pack("<II", bits, bits),
            BEGIN: struct.pack("<Q", events[0][0]),
            END: struct.pack("<Q", events[-1][0]),
        }
        with open(os.path.join(self.folder, "cpu%d" % cpu), "ab") as file:
            file.write(struct.pack("<II", MAGIC, 0))
            file.write(b"".join(values[part] for part in self.told))
            file.write(struct.pack("<I", cpu) + content)
