#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces in Perfetto's own format against the JSON that they were made from.

  tests/engine/store/perfetto_traces/perfetto_traces.py --lanes build/bin/lanes FILE_OR_FOLDER...
  tests/engine/store/perfetto_traces/perfetto_traces.py --write slices|pytorch IN.json[.gz] OUT.pftrace

Of each trace (JSON; a recording is converted to it first) two are written, with code that shares nothing with the
reader:

  slices   as Perfetto's SDK does: everything is a slice of a track with categories and arguments, in order of time,
           all names interned, the state of the sequence cleared now and then, counters and instants, gzip
  pytorch  as PyTorch's writer does (pytorch#187898, #191667): no categories, first the begins of a kind and then
           their ends, work of a GPU as render stages

`lanes report --json` must give the same figures for them as for the JSON without its head, which the format has no
place for. Exit status 1: some differ.
"""
import argparse
import decimal
import gzip
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

GPU = {"kernel": 1, "gpu_memcpy": 2, "gpu_memset": 3, "gpu_user_annotation": 4}
STAGES = {1: "Kernel", 2: "Memcpy", 3: "Memset", 4: "Annotation"}


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def num(field, number):
    return varint(field << 3) + varint(number)


def data(field, content):
    content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def fixed(field, number):
    return varint(field << 3 | 1) + struct.pack("<d", number)


def ns(text):
    return int((decimal.Decimal(str(text)) * 1000).to_integral_value(decimal.ROUND_HALF_UP))


class Writer:
    SEQUENCE = 7

    def __init__(self, events, base):
        self.events = events
        self.base = base
        self.packets = []
        self.iids = [{}, {}, {}]  # categories, names, names of arguments
        self.tracks = {}
        self.names = {}
        for event in events:
            if event.get("ph") == "M" and event.get("args", {}).get("name") is not None:
                key = "p" if event["name"] == "process_name" else "t" if event["name"] == "thread_name" else ""
                self.names[key, event.get("pid"), event.get("tid") if key == "t" else None] = str(event["args"]["name"])

    def packet(self, content):
        self.packets.append(data(1, content))

    def track(self, pid, tid, lane=0):
        key = (pid, tid, lane)
        if key not in self.tracks:
            uuid = self.tracks[key] = len(self.tracks) + 100
            process = ("process", pid)
            if process not in self.tracks:
                self.tracks[process] = 10_000_000 + len(self.tracks)
                name = self.names.get(("p", pid, None))
                self.packet(data(60, num(1, self.tracks[process]) + data(3, num(1, pid) + (data(6, name) if name else b""))))
            thread = num(1, pid) + num(2, tid)
            name = self.names.get(("t", pid, tid))
            thread += data(5, name) if name else b""
            self.packet(data(60, num(1, uuid) + num(5, self.tracks[process]) + data(4, thread)))
        return self.tracks[key]

    def interned(self, kind, text, fresh):
        known = self.iids[kind]
        if text not in known:
            known[text] = len(known) + 1
            fresh.append(data(kind + 1, num(1, known[text]) + data(2, text)))
        return known[text]

    def argument(self, key, value, named):
        content = named(key)
        if isinstance(value, bool):
            content += num(2, int(value))
        elif isinstance(value, int):
            content += num(4, value) if abs(value) < 1 << 63 else num(3, value)
        elif isinstance(value, decimal.Decimal):
            content += fixed(5, float(value))
        elif isinstance(value, list):
            for item in value:
                content += data(12, self.argument("", item, lambda _: b""))
        elif isinstance(value, dict):
            for inner, item in value.items():
                content += data(11, self.argument(inner, item, lambda k: data(10, k)))
        else:
            content += data(6, "" if value is None else str(value))
        return content

    def start(self, event):
        return self.base + ns(event["ts"])


class Slices(Writer):
    def write(self):
        rows = []
        lanes = {}
        complete = [e for e in self.events if e["ph"] == "X" and "ts" in e]
        complete.sort(key=lambda e: (self.start(e), -ns(e.get("dur", 0))))
        for event in complete:
            # Slices of a track nest: what overlaps otherwise gets a further one of the same thread.
            start, end = self.start(event), self.start(event) + max(0, ns(event.get("dur", 0)))
            stacks = lanes.setdefault((event["pid"], event.get("tid", 0)), [])
            for lane, stack in enumerate(stacks):
                while stack and stack[-1] <= start:
                    stack.pop()
                if not stack or stack[-1] >= end:
                    break
            else:
                lane, stack = len(stacks), []
                stacks.append(stack)
            stack.append(end)
            uuid = self.track(event["pid"], event.get("tid", 0), lane)
            rows.append([start, len(rows), 1, uuid, event, end])
        # By time; at one time ends first, but of a slice without length after its begin.
        order = []
        for start, at, _, uuid, event, end in rows:
            order.append((start, 1, at, 0, uuid, event))
            order.append((end, 0 if end > start else 1, -at if end > start else at, 1, uuid, event))
        for event in self.events:
            if event["ph"] in "CiI" and "ts" in event:
                order.append((self.start(event), 2, len(order), 2, 0, event))
        order.sort(key=lambda row: row[:4])
        clear = True
        for i, (time, _, _, kind, uuid, event) in enumerate(order):
            if i % 5000 == 0:
                self.iids = [{}, {}, {}]
                clear = True
            fresh = []
            if kind == 1:
                contents = [num(9, 2) + num(11, uuid)]
            elif event["ph"] == "C":
                contents = []
                for key, value in event.get("args", {}).items():
                    if isinstance(value, (int, decimal.Decimal)):
                        name = event["name"] + (f"[{event['id']}]" if "id" in event else "")
                        name += f": {key}" if key not in ("value", event["name"], "") else ""
                        contents.append(num(9, 4) + num(11, self.counter(event["pid"], name)) + fixed(44, float(value)))
            else:
                uuid = uuid or self.track(event["pid"], event.get("tid", 0))
                content = num(9, 1 if kind == 0 else 3) + num(11, uuid)
                content += num(10, self.interned(1, event["name"], fresh))
                if event.get("cat"):
                    content += num(3, self.interned(0, event["cat"], fresh))
                for key, value in event.get("args", {}).items():
                    named = lambda k: num(1, self.interned(2, k, fresh))
                    content += data(4, self.argument(key, value, named))
                contents = [content]
            for content in contents:
                packet = num(8, time) + num(10, self.SEQUENCE) + num(13, 3 if clear else 2) + data(11, content)
                if fresh:
                    packet += data(12, b"".join(fresh))
                self.packet(packet)
                clear = False
        return gzip.compress(b"".join(self.packets), 1)

    def counter(self, pid, name):
        key = ("counter", pid, name)
        if key not in self.tracks:
            self.track(pid, pid)
            self.tracks[key] = 20_000_000 + len(self.tracks)
            self.packet(data(60, num(1, self.tracks[key]) + num(5, self.tracks["process", pid]) + data(2, name) + data(8, b"")))
        return self.tracks[key]


class PyTorch(Writer):
    def write(self):
        groups = {}
        for event in self.events:
            if event["ph"] == "X" and "ts" in event:
                groups.setdefault(event.get("cat", ""), []).append(event)
        names, queues = {}, {}
        tracked = [(c, e) for c, group in groups.items() if c not in GPU for e in group]
        stages = [(c, e) for c, group in groups.items() if c in GPU for e in group]
        for _, event in tracked + stages:
            names.setdefault(event["name"], len(names) + 1)
        for _, event in stages:
            queues.setdefault(self.stream(event), len(queues) + 100)
        for category, event in tracked:
            if category == "overhead":  # as PyTorch does it, which is all that says so
                event["pid"], event["tid"] = 0x7FFFFFF0, 0
                self.names["p", 0x7FFFFFF0, None] = self.names["t", 0x7FFFFFF0, 0] = "Overhead"
            self.track(event["pid"], event.get("tid", 0))
        interned = b"".join(data(2, num(1, i) + data(2, n)) for n, i in names.items())
        interned += b"".join(data(24, num(1, i) + data(2, n) + num(4, 2 if i == 1 else 0)) for i, n in STAGES.items())
        interned += b"".join(data(24, num(1, i) + data(2, f"stream {s}")) for s, i in queues.items())
        interned += data(1001, num(1, 1) + data(2, "registers_per_thread"))
        interned += data(1001, num(1, 2) + data(2, "shared_mem_dynamic"))
        self.packet(num(10, 1) + num(13, 1) + data(12, interned))
        for category, group in groups.items():
            if category in GPU:
                continue
            # A track cannot hold slices that overlap: each group is written in order of time, as its records come.
            for event in group:
                content = num(9, 1) + num(11, self.track(event["pid"], event.get("tid", 0)))
                content += num(10, names[event["name"]])
                arguments = dict(event.get("args", {}))
                if category in ("cuda_runtime", "cuda_driver"):
                    arguments.setdefault("cbid", 211)
                if category == "cuda_sync":
                    arguments.setdefault("cuda_sync_kind", event["name"])
                for key, value in arguments.items():
                    content += data(4, self.argument(key, value, lambda k: data(10, k)))
                self.packet(num(8, self.start(event)) + num(10, 1) + num(13, 2) + data(11, content))
            for event in group:
                end = self.start(event) + max(0, ns(event.get("dur", 0)))
                track = self.track(event["pid"], event.get("tid", 0))
                self.packet(num(8, end) + num(10, 1) + data(11, num(9, 2) + num(11, track)))
        for category, event in stages:
            arguments = event.get("args", {})
            content = num(1, int(arguments.get("correlation", 0))) + num(2, max(0, ns(event.get("dur", 0))))
            content += num(11, int(arguments.get("device", event["pid"]))) + num(13, queues[self.stream(event)])
            content += num(14, GPU[category]) + num(5, 1) + num(20, names[event["name"]])
            if category == "kernel":
                launch = b""
                for field, key in ((1, "grid"), (2, "block")):
                    if key in arguments:
                        launch += data(field, b"".join(num(i + 1, int(n)) for i, n in enumerate(arguments[key])))
                for iid, key in ((1, "registers per thread"), (2, "shared memory")):
                    if arguments.get(key):
                        launch += data(3, num(1, iid) + num(4, int(arguments[key])))
                content += data(21, launch)
            renamed = {"device": "device id", "context": "context id", "stream": "stream id"}
            for key in ("device", "context", "stream", "correlation", "bytes", "graph node id"):
                if key in arguments:
                    content += data(6, data(1, renamed.get(key, key)) + data(2, str(arguments[key])))
            self.packet(num(8, self.start(event)) + num(10, 1) + num(13, 2) + data(53, content))
        return b"".join(self.packets)

    @staticmethod
    def stream(event):
        return event.get("args", {}).get("stream", event.get("tid", 0))


def read(path):
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    content = json.loads(raw.decode("utf-8", "replace"), parse_float=decimal.Decimal, strict=False)
    events = content["traceEvents"] if isinstance(content, dict) else content
    base = int(content.get("baseTimeNanoseconds", 0)) if isinstance(content, dict) else 0
    kept = []
    for event in events:
        if isinstance(event.get("pid"), int) and event.get("cat") != "Trace" and "ph" in event and "name" in event:
            if isinstance(event.get("tid", 0), str) and event["tid"].isdigit():
                event["tid"] = int(event["tid"])
            if isinstance(event.get("tid", 0), int) and event.get("tid", 0) >= 0 and event["ph"] in "XCiIM":
                event["args"] = event["args"] if isinstance(event.get("args"), dict) else {}
                kept.append(event)
    return kept, base


def text_of(events, base):
    """The JSON of these events; times in quotes, so that they stay exact."""
    out = []
    for event in events:
        one = {k: str(v) if k in ("ts", "dur") else v for k, v in event.items()}
        out.append(json.dumps(one, default=float))
    return '{"schemaVersion": 1, "baseTimeNanoseconds": %d, "traceEvents": [%s]}' % (base, ",\n".join(out))


FIGURES = ("wall_ns", "gpu_busy_ns", "overlap_ns", "concurrency_ns", "cpu_free_ns", "gpu", "cpu", "ranges", "counts",
           "range_ns", "complete")


def figures(lanes, path):
    done = subprocess.run([lanes, "report", "--json=full", str(path)], capture_output=True, text=True)
    if done.returncode != 0:
        return {"error": done.stderr}
    report = json.loads(done.stdout)
    found = {key: report.get(key) for key in FIGURES}
    for row in found["cpu"] or []:  # of what is analysed, not read
        row.pop("held_ns", None)
        row.pop("held_cost_ns", None)
    found["ranges"] = sorted(found["ranges"] or [], key=lambda row: json.dumps(row))
    return found


def compare(lanes, path, folder):
    source = path
    if path.suffix == ".sqlite":
        source = folder / "own.json"
        subprocess.run([lanes, "convert", str(path), str(source)], check=True, capture_output=True)
    events, base = read(source)
    if base == 0 and any("ts" in e and ns(e["ts"]) == 0 for e in events):
        base = 1_700_000_000_000_000_000  # a time of 0 is taken for one that was never filled in
    wrong = 0
    for name, writer in (("slices", Slices), ("pytorch", PyTorch)):
        if name == "pytorch":  # it writes nothing else
            events = [event for event in events if event["ph"] in "XM"]
        (folder / "plain.json").write_text(text_of(events, base), encoding="utf-8", errors="surrogatepass")
        wanted = figures(lanes, folder / "plain.json")
        out = folder / f"{name}.pftrace"
        out.write_bytes(writer(events, base).write())
        found = figures(lanes, out)
        for key in wanted:
            if wanted.get(key) != found.get(key) or "error" in found:
                wrong += 1
                print(f"{path}: {name}: {key}\n  of the JSON    {str(wanted.get(key))[:600]}\n  of the pftrace {str(found.get(key, found))[:600]}")
                break
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lanes")
    parser.add_argument("--write", choices=("slices", "pytorch"))
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.write:
        events, base = read(arguments.paths[0])
        writer = Slices if arguments.write == "slices" else PyTorch
        arguments.paths[1].write_bytes(writer(events, base).write())
        return 0
    files = []
    for path in arguments.paths:
        files += sorted(path.iterdir()) if path.is_dir() else [path]
    files = [f for f in files if f.name.endswith((".sqlite", ".json", ".json.gz")) and not f.name.endswith(".truth.json")]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for path in files:
            wrong += compare(arguments.lanes, path, pathlib.Path(folder))
    print(f"{len(files)} traces, {wrong} differ")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
