#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recomputes what `lanes report --json` says about recordings from their SQLite tables alone, by the definitions in
docs/definitions.md and without the program's code: busy and idle time, blocked time of device-wide waits, why
streams were idle, the critical path's length, and what findings can cost at most.

    arithmetic.py --lanes build/bin/lanes FILE_OR_FOLDER...

Prints what differs and exits with 1 if anything does.
"""
import argparse
import bisect
import collections
import json
import pathlib
import sqlite3
import subprocess
import sys

ORDINARY_CALL = 20_000
LOADS_CODE = 1_000_000
REASONS_BEFORE_THE_CALL = ("late", "sync", "pageable", "host_wait")
REASONS_ON_EITHER_SIDE = ("memory", "queue_full", "loading", "start_up")
ALLOCATES = ("cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaHostRegister", "cudaHostUnregister", "cuMemAlloc",
             "cuMemFree", "cuMemHost", "cuMemCreate", "cuMemMap", "cuMemUnmap", "cuMemRelease", "cuMemSetAccess")

Operation = collections.namedtuple("Operation", "start end device stream process correlation kind name bytes")
Call = collections.namedtuple("Call", "start end thread process correlation name")


def process_of(global_id):
    return (global_id >> 24) & 0xffffff


def united(spans):
    result = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1][1] = max(result[-1][1], end)
        elif end > start:
            result.append([start, end])
    return result


def length(spans):
    return sum(end - start for start, end in spans)


def clipped(spans, until):
    return [(max(0, start), min(end, until)) for start, end in spans if start < until and end > 0]


def outside(spans, others):
    """How much of the united spans is in none of the united others."""
    total = 0
    starts = [other[0] for other in others]
    for start, end in spans:
        at = max(0, bisect.bisect_right(starts, start) - 1)
        total += end - start
        while at < len(others) and others[at][0] < end:
            total -= max(0, min(end, others[at][1]) - max(start, others[at][0]))
            at += 1
    return total


class Recording:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.texts = dict(self.rows("StringIds", "id", "value"))
        self.operations = self.read_operations()
        self.calls = self.outermost(self.read_calls())
        issue = {x.process for x in self.operations}
        working = [x for x in self.calls if x.process in issue] or self.calls  # a helper process makes no run longer
        ends = [x.end for x in self.operations] + [x.end for x in working]
        self.wall = max(ends, default=0)

    def rows(self, table, *columns):
        names = {row[1] for row in self.db.execute(f"PRAGMA table_info({table})")}
        if not names:
            return []
        wanted = ", ".join(f'"{column}"' if column in names else "NULL" for column in columns)
        return self.db.execute(f"SELECT {wanted} FROM {table}").fetchall()

    def read_operations(self):
        found = []
        kinds = {1: "h2d", 2: "d2h", 8: "d2d", 10: "p2p"}
        for table in ("KERNEL", "MEMCPY", "MEMSET"):
            columns = ("start", "end", "deviceId", "contextId", "streamId", "globalPid", "correlationId", "shortName",
                       "copyKind", "bytes")
            for start, end, device, context, stream, pid, correlation, name, kind, size in self.rows(
                    "CUPTI_ACTIVITY_KIND_" + table, *columns):
                process = process_of(pid or 0)
                what = kinds.get(kind, "copy") if table == "MEMCPY" else table.lower()
                found.append(Operation(start, end, (process, device), (process, context, stream), process, correlation,
                                       what, self.texts.get(name, ""), size or 0))
        return sorted(found)

    def read_calls(self):
        return sorted((start, -end, tid, correlation, self.texts.get(name, ""))
                      for start, end, tid, correlation, name in self.rows(
                          "CUPTI_ACTIVITY_KIND_RUNTIME", "start", "end", "globalTid", "correlationId", "nameId"))

    def outermost(self, calls):
        found, until, self.outer_of = [], {}, {}
        for start, end, tid, correlation, name in calls:
            process = process_of(tid)
            outer = until.get(tid)
            if outer is None or -end > outer.end:
                outer = until[tid] = Call(start, -end, tid, process, correlation, name.split("_v")[0])
                found.append(outer)
            self.outer_of.setdefault((process, correlation), outer)
        return found

    def call_of(self, operation):
        return self.outer_of.get((operation.process, operation.correlation))

    def busy(self, wanted):
        return united(clipped([(o.start, o.end) for o in self.operations if wanted(o)], self.wall))


class Check:
    def __init__(self, path, report):
        self.path, self.report, self.wrong = path, report, []
        self.recording = Recording(path)

    def same(self, what, told, computed):
        if told != computed:
            self.wrong.append(f"{what}: told {told}, computed {computed}")

    def within(self, what, least, told, most):
        if not least <= told <= most:
            self.wrong.append(f"{what}: told {told}, computed {least} to {most}")

    def run(self):
        r, report = self.recording, self.report
        self.same("wall_ns", report["wall_ns"], r.wall)
        busy = r.busy(lambda o: True)
        self.same("gpu_busy_ns", report["gpu_busy_ns"], length(busy))
        edges = []
        for stream in {o.stream for o in r.operations}:
            for start, end in r.busy(lambda o, s=stream: o.stream == s):
                edges += [(start, 1), (end, -1)]
        overlap = level = at = 0
        for time, step in sorted(edges):
            overlap += time - at if level > 1 else 0
            at, level = time, level + step
        self.same("overlap_ns", report["overlap_ns"], overlap)
        behind = report["range_ns"][1] - report["range_ns"][0] - r.wall
        self.same("concurrency_ns[0]", report["concurrency_ns"][0] - behind, r.wall - length(busy))
        self.gpus(behind)
        self.idle_streams()
        self.device_waits()
        self.path_length()
        self.findings(busy)
        return self.wrong

    def gpus(self, behind):
        r = self.recording
        told = sorted((gpu["busy_ns"], gpu["idle_ns"]) for gpu in self.report["gpu"] if gpu["busy_ns"] > 0)
        devices = {o.device for o in r.operations}
        times = [length(r.busy(lambda o, d=device: o.device == d)) for device in devices]
        self.same("gpu[].busy_ns, idle_ns", told, sorted((t, r.wall + behind - t) for t in times))

    def idle_streams(self):
        r = self.recording
        by_stream = collections.defaultdict(list)
        for operation in r.operations:
            by_stream[operation.stream].append(operation)
        for told in self.report["idle"]:
            stream = (told["process"], told["context"], told["stream"])
            operations = by_stream.get(stream, [])
            name = f"idle of stream {told['stream']}"
            self.same(name, told["idle_ns"], r.wall - length(r.busy(lambda o, s=stream: o.stream == s)))
            reasons = told["reasons"]
            self.same(name + ", sum of its reasons", sum(reasons.values()), told["idle_ns"])
            free = before_call = unissued = 0
            for operation in operations:
                if operation.start > free:
                    call = r.call_of(operation)
                    if call is None:
                        unissued += operation.start - free
                    else:
                        before_call += max(0, min(call.start, operation.start) - free)
                free = max(free, operation.end)
            self.same(name + ", nothing", reasons["nothing"], max(0, r.wall - free))
            before = sum(reasons[x] for x in REASONS_BEFORE_THE_CALL)
            either = sum(reasons[x] for x in REASONS_ON_EITHER_SIDE)
            unknown = reasons["unknown"]
            self.within(name + ", before calls", before_call - either - unknown, before, before_call)
            self.within(name + ", without a call", 0, unissued, reasons["unknown"] + reasons["hand_over"])

    def device_waits(self):
        """A wait for a device lasts until the last operation of its process that was issued before it has ended."""
        r = self.recording
        if any(r.call_of(o) is None for o in r.operations) or r.rows("LANESCOPE_HOST_FUNCTION", "start"):
            return
        contexts = {o.stream[:2] for o in r.operations}
        if len({process for process, _ in contexts}) != len(contexts):
            return  # the call alone does not say which of several contexts is waited for
        held = collections.Counter()
        for call in r.calls:
            if call.name not in ("cudaDeviceSynchronize", "cuCtxSynchronize"):
                continue
            last = max((o for o in r.operations if o.process == call.process and r.call_of(o).start < call.start),
                       key=lambda o: o.end, default=None)
            slack = min(2_000 + (call.end - call.start) // 500, 20_000)
            if last and last.end > call.start and last.start < call.end and call.end >= last.end - slack:
                held[call.thread] += call.end - call.start
        for told in self.report["cpu"]:
            if told["blocked_ns"] is not None:
                computed = sum(t for thread, t in held.items()
                               if thread & 0xffffff == told["thread"] & 0xffffff and process_of(thread) == told["process"])
                self.same(f"device_sync of thread {told['thread']}", told["blocked_by"]["device_sync"], computed)

    def path_length(self):
        path = self.report["critical_path"]
        if path is None:
            return
        r = self.recording
        kinds = ("operation", "launch", "step", "call", "work", "handover", "inferred", "between", "unknown")
        start, end = path["range_ns"]
        self.same("critical path, sum of its parts", sum(path[kind + "_ns"] for kind in kinds), end - start)
        last_operation = max((o.end for o in r.operations), default=0)
        self.within("critical path's end", last_operation, end, r.wall)
        for lane in path["lanes"]:
            if "stream" in lane:
                stream = (lane["process"], lane["context"], lane["stream"])
                busy = length(r.busy(lambda o, s=stream: o.stream == s))
                self.within(f"critical path on stream {lane['stream']}", 0, lane["time_ns"], busy)

    def findings(self, busy):
        r, report = self.recording, self.report
        self.within("dearest finding", 0, max((f["cost_ns"] for f in report["findings"]), default=0), r.wall)
        issuers = {r.call_of(o) for o in r.operations} - {None}
        kernels = {r.call_of(o) for o in r.operations if o.kind == "kernel"}
        launching = united((c.start, min(c.end, c.start + LOADS_CODE)
                            if c in kernels and "Graph" not in c.name else c.end) for c in issuers)
        allocations = [c for c in r.calls if c.name.startswith(ALLOCATES) and "Async" not in c.name]
        copies = [o for o in r.operations if o.kind not in ("kernel", "memset")]
        exposed = sum(outside(r.busy(lambda o, d=d: o.device == d and o.kind not in ("kernel", "memset")),
                              r.busy(lambda o, d=d: o.device == d and o.kind == "kernel"))
                      for d in {o.device for o in copies})
        self.same("copy_exposed_ns", sum(gpu["copy_exposed_ns"] for gpu in report["gpu"]), exposed)
        wrong_bytes = sum(row[0] for row in r.rows("LANESCOPE_READ", "wrongBytes"))
        most = {"launch-bound": outside(clipped(launching, r.wall), busy), "starved": r.wall - length(busy),
                "allocation-in-loop": length((c.start, c.end) for c in allocations),
                # If things no longer take turns, the steps from one to the next are saved, too.
                "copies-not-hidden": exposed + r.wall - length(busy), "copies-after-kernels": exposed, "stale-read": 0}
        for finding in report["findings"]:
            rule = finding["rule"]
            self.within(f"cost of {rule}", 0, finding["cost_ns"], most.get(rule, r.wall))
            if rule == "allocation-in-loop":
                self.within("count of " + rule, 3, finding["count"], len(allocations))
        self.same("stale-read found", any(f["rule"] == "stale-read" for f in report["findings"]), wrong_bytes > 0)
        told = [f["rule"] for f in report["findings"] if not f["rule"].startswith("blocked-")]
        self.same("rules", sorted(told), sorted(set(told)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lanes", required=True)
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    files = [f for p in arguments.paths for f in (sorted(p.rglob("*.sqlite")) if p.is_dir() else [p])]
    differ = 0
    for path in files:
        text = subprocess.run([arguments.lanes, "report", "--json=full", str(path)], check=True, capture_output=True).stdout
        wrong = Check(path, json.loads(text)).run()
        for line in wrong:
            print(f"{path.parent.name}/{path.name}: {line}")
        differ += bool(wrong)
    print(f"{len(files)} recordings, {differ} differ")
    return 1 if differ or not files else 0


if __name__ == "__main__":
    sys.exit(main())
