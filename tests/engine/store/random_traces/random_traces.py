#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random Chrome traces against the ranges and counters that they were made from.

  tests/engine/store/random_traces/random_traces.py --lanes build/bin/lanes [--seeds 0:1000]

A trace for each seed: nested ranges of several processes and threads, as X or as B and E, counters with several
values, metadata; events and their fields in any order, as far as the format allows it, numbers as text here and
there, times of the day or from 0, an array that may lack its end. `lanes convert` makes an SQLite recording of it, at
every second seed by way of our own JSON; its contents are compared by plain SQL. Exit status 1: a trace differs.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile

RANGES = """SELECT globalTid >> 24 & 0xFFFFFF, globalTid & 0xFFFFFF, start, end,
    coalesce(text, (SELECT value FROM StringIds WHERE id = textId)) FROM NVTX_EVENTS WHERE eventType IN (59, 60)"""
SAMPLES = """SELECT c.globalPid >> 24 & 0xFFFFFF, n.value, s.time, s.value FROM LANESCOPE_SAMPLE s
    JOIN LANESCOPE_COUNTER c ON c.id = s.counterId JOIN StringIds n ON n.id = c.nameId"""


class Made:
    """A trace and its contents: ranges as (process, thread, start, end, name), samples as (process, name, time, value)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.day = self.random.choice([0, 1000, 1_600_000_000_000_000])  # in µs
        self.ordered, self.free = [], []  # events whose order matters, and the others
        self.ranges, self.samples = [], []
        for process in self.random.sample(range(1, 50), self.random.randint(1, 3)):
            for thread in self.random.sample(range(1, 99), self.random.randint(1, 3)):
                self.thread(process, thread)
            for counter in range(self.random.randint(0, 2)):
                self.counter(process, f"c{counter}")
            if self.random.random() < 0.5:
                self.free.append({"ph": "M", "name": "process_name", "pid": process, "args": {"name": "p"}})
            if self.random.random() < 0.5:
                self.free.append({"ph": "M", "name": "process_sort_index", "pid": process})

    def time(self, ns):
        ns += self.day * 1000
        text = f"{ns // 1000}.{ns % 1000:03}"
        return float(text) if self.day < 1_000_000 and self.random.random() < 0.7 else text

    def thread(self, process, thread):
        place = {"pid": process, "tid": thread}
        edges = []  # (time, the outer one first, event)

        def fill(depth, begin, end):
            for _ in range(self.random.randint(0, 4)):
                if end - begin < 10:
                    return
                start = self.random.randint(begin, end - 5)
                begin = self.random.randint(start + 1, end)
                name = f"n{self.random.randint(0, 9)}"
                self.ranges.append((process, thread, start, begin, name))
                if self.random.random() < 0.6:
                    event = {"ph": "X", "name": name, "ts": self.time(start), "dur": (begin - start) / 1000, **place}
                    if self.random.random() < 0.5:
                        event["args"] = {"a": self.random.randint(0, 9), "s": "x"}
                    self.free.append(event)
                else:
                    edges.append((start, -begin, {"ph": "B", "name": name, "ts": self.time(start), **place}))
                    edges.append((begin, -start - 10**9, {"ph": "E", "ts": self.time(begin), **place}))
                if depth < 3:
                    fill(depth + 1, start, begin)

        begin = self.random.randint(0, 1000)
        fill(0, begin, begin + self.random.randint(50, 5000))
        self.ordered += [event for _, _, event in sorted(edges, key=lambda edge: edge[:2])]

    def counter(self, process, name):
        keys = [f"k{key}" for key in range(self.random.randint(1, 3))]
        at = self.random.randint(0, 500)
        for _ in range(self.random.randint(1, 6)):
            at += self.random.randint(1, 700)
            values = {key: self.random.choice([self.random.randint(0, 9), self.random.random(), "3"]) for key in keys}
            self.samples += [(process, f"{name}: {key}", at, float(value)) for key, value in values.items()]
            self.free.append({"ph": "C", "name": name, "pid": process, "ts": self.time(at), "args": values})

    def text(self):
        self.random.shuffle(self.free)
        events, ordered, free = [], list(self.ordered), list(self.free)
        while ordered or free:
            from_ordered = ordered and (not free or self.random.random() < len(ordered) / (len(ordered) + len(free)))
            fields = list((ordered.pop(0) if from_ordered else free.pop()).items())
            self.random.shuffle(fields)
            events.append(dict(fields))
        if self.random.random() < 0.5:
            return json.dumps({"traceEvents": events})
        text = json.dumps(events)
        return text[:-1] + self.random.choice(["]", "", ",\n"])

    def from_zero(self):
        zero = min([r[2] for r in self.ranges] + [s[2] for s in self.samples])
        return (sorted((p, t, a - zero, b - zero, n) for p, t, a, b, n in self.ranges),
                sorted((p, n, a - zero, v) for p, n, a, v in self.samples))


def read(lanes, folder, text, steps):
    """The ranges and samples after `lanes convert` in that many steps, or its message."""
    file = folder / "t.json"
    file.write_text(text)
    for step in steps:
        ended = subprocess.run([lanes, "convert", file, folder / step], capture_output=True, text=True)
        if ended.returncode != 0:
            return ended.stderr.strip()
        file = folder / step
    database = sqlite3.connect(file)
    try:
        return sorted(database.execute(RANGES)), sorted(database.execute(SAMPLES))
    finally:
        database.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lanes", required=True)
    parser.add_argument("--seeds", default="0:1000", help="from:to")
    arguments = parser.parse_args()
    lanes = os.path.abspath(arguments.lanes)
    first, last = map(int, arguments.seeds.split(":"))
    wrong = traces = 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(first, last):
            made = Made(seed)
            if not made.ranges:
                continue
            traces += 1
            steps = ["own.json.gz", "t.sqlite"] if seed % 2 else ["t.sqlite"]
            found, expected = read(lanes, pathlib.Path(name), made.text(), steps), made.from_zero()
            if found == expected:
                continue
            wrong += 1
            print(f"seed {seed}:", found if isinstance(found, str) else "")
            for what, ours, theirs in zip(("ranges", "samples"), found, expected) if isinstance(found, tuple) else ():
                missing, more = collections.Counter(theirs) - collections.Counter(ours), collections.Counter(ours) - \
                    collections.Counter(theirs)
                print(f"  {what}: missing {list(missing)[:3]}, instead {list(more)[:3]}")
    print(f"{traces} traces, {wrong} differ")
    return 1 if wrong or traces == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
