# SPDX-License-Identifier: MIT
"""PyTorch under `lanes record --pytorch` compared with torch.profiler, its cost, and the Python package; on a machine with a GPU
and PyTorch 2.

    pytorch_record.py BIN OUT [--rounds 3] [--seconds 230] [--parts package,compare,overhead] [--apart]

BIN holds lanes, the probe and its folder python. --apart makes a recording of each case, small enough to be kept, and writes it
as Kineto's JSON too. Prints a line a check, ends with 1 if one failed; leaves recordings and traces
in OUT. What is compared, region by region of pytorch_cases.py: kernels, copies and memsets by name and count, their time in sum
(2 %, as there are two runs), operators by name and count, and that each kernel's launch is in an operator if the profiler's
is."""
import argparse
import bisect
import collections
import gzip
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
REGIONS = {
    "results_back": ["results_back_blocking", "results_back_non_blocking"],
    "loader": ["loader_pinned", "loader_pageable"],
    "item": ["item_never", "item_every_10", "item_every_batch", "data_dependent_loop"],
    "streams": ["streams"],
    "graph": ["graph"],
    "compiled": ["compiled"],
}
failures = []


def check(good, words):
    print(("ok   " if good else "FAIL ") + words, flush=True)
    if not good:
        failures.append(words)


class Seen:
    """What happened in a region."""

    def __init__(self):
        self.gpu = collections.Counter()
        self.time = collections.Counter()
        self.operators = collections.Counter()
        self.kernels = self.orphans = 0
        self.orphan_names = collections.Counter()


def short(name):
    return " ".join(name.split())


class Covered:
    """Whether a time of a thread is in one of its spans."""

    def __init__(self, spans):
        self._by_thread = collections.defaultdict(list)
        for thread, start, end in spans:
            self._by_thread[thread].append((start, end))
        for spans in self._by_thread.values():
            spans.sort()
            joined = []
            for start, end in spans:
                if joined and start <= joined[-1][1]:
                    joined[-1][1] = max(joined[-1][1], end)
                else:
                    joined.append([start, end])
            spans[:] = joined

    def __call__(self, thread, moment):
        spans = self._by_thread.get(thread, [])
        at = bisect.bisect_right(spans, [moment, float("inf")]) - 1
        return at >= 0 and spans[at][0] <= moment <= spans[at][1]


def is_operator(name):
    """What both call an operator: PyTorch's own, autograd's, compiled code, record_function's names. Only the profiler has
    Python's frames, only the recording modules."""
    return name.startswith(("aten::", "autograd::", "torch::", "triton_")) or name.endswith(("Backward0", "Backward")) \
        or name.startswith(("Optimizer.", "enumerate(DataLoader)", "## Call CompiledFxGraph", "Torch-Compiled Region", "CompiledFunction"))


def of_recording(path, region):
    db = sqlite3.connect(path)
    text = "coalesce(n.text, (select value from StringIds where id = n.textId))"
    found = db.execute(f"select n.start, n.end from NVTX_EVENTS n where {text} = ?", ("region " + region,)).fetchall()
    if len(found) != 1:
        raise RuntimeError(f"{len(found)} ranges are called 'region {region}'")
    begin, end = found[0]
    seen = Seen()
    spans = []
    for start, stop, name, thread in db.execute(
        f"select n.start, n.end, {text}, n.globalTid from NVTX_EVENTS n where n.start >= ? and n.start < ? and n.end is not null",
        (begin, end),
    ):
        if is_operator(name or ""):
            seen.operators[name] += 1
            spans.append((thread, start, stop))
    covered = Covered(spans)
    calls = {}
    for correlation, process, thread, start in db.execute(
        "select correlationId, globalTid >> 24, globalTid, start from CUPTI_ACTIVITY_KIND_RUNTIME"
    ):
        calls[correlation] = (thread, start)
    for start, stop, correlation, name in db.execute(
        "select k.start, k.end, k.correlationId, s.value from CUPTI_ACTIVITY_KIND_KERNEL k join StringIds s on s.id = k.demangledName"
        " where k.start >= ? and k.start < ?", (begin, end),
    ):
        seen.gpu[short(name)] += 1
        seen.time["kernel"] += stop - start
        seen.kernels += 1
        if correlation not in calls or not covered(*calls[correlation]):
            seen.orphans += 1
            seen.orphan_names[short(name)[:60]] += 1
    for table, kind in (("MEMCPY", "copy"), ("MEMSET", "memset")):
        try:
            for start, stop in db.execute(
                f"select start, end from CUPTI_ACTIVITY_KIND_{table} where start >= ? and start < ?", (begin, end)
            ):
                seen.gpu[kind] += 1
                seen.time[kind] += stop - start
        except sqlite3.OperationalError:
            pass
    return seen


def of_profile(path):
    with open(path) as file:
        events = json.load(file)
    events = events["traceEvents"] if isinstance(events, dict) else events
    seen = Seen()
    spans, calls = [], {}
    for e in events:
        if e.get("ph") != "X":
            continue
        kind, name = e.get("cat"), e["name"]
        if kind in ("cpu_op", "user_annotation") and is_operator(name):
            seen.operators[name] += 1
            spans.append((e["tid"], e["ts"], e["ts"] + e["dur"]))
        elif kind in ("cuda_runtime", "cuda_driver"):
            calls[e["args"].get("correlation")] = (e["tid"], e["ts"])
    covered = Covered(spans)
    for e in events:
        kind = e.get("cat")
        if e.get("ph") != "X" or kind not in ("kernel", "gpu_memcpy", "gpu_memset"):
            continue
        time_of = {"kernel": "kernel", "gpu_memcpy": "copy", "gpu_memset": "memset"}[kind]
        seen.gpu[short(e["name"]) if kind == "kernel" else time_of] += 1
        seen.time[time_of] += round(e["dur"] * 1000)
        if kind == "kernel":
            seen.kernels += 1
            call = calls.get(e["args"].get("correlation"))
            if call is None or not covered(*call):
                seen.orphans += 1
                seen.orphan_names[short(e["name"])[:60]] += 1
    return seen


def difference(a, b):
    return {name: (a[name], b[name]) for name in sorted(set(a) | set(b)) if a[name] != b[name]}


def compare(region, ours, theirs):
    check(ours.kernels > 0, f"{region}: {ours.kernels} kernels recorded")
    check(ours.gpu == theirs.gpu, f"{region}: kernels, copies, memsets by name and count as torch.profiler's"
          + (f"; differ (ours, theirs): {difference(ours.gpu, theirs.gpu)}" if ours.gpu != theirs.gpu else ""))
    for kind in sorted(set(ours.time) | set(theirs.time)):
        a, b = ours.time[kind], theirs.time[kind]
        ratio = a / b if b else float("inf")
        # Copies share a bus with the host's other work, so only kernels must agree within 2 %.
        limit = 0.02 if kind == "kernel" else 0.25
        check(abs(ratio - 1) <= limit or abs(a - b) < 20_000, f"{region}: {kind} time in sum {a / 1e3:.0f} us, theirs {b / 1e3:.0f} us: {ratio:.3f}")
    # The profiler sees its own thread and autograd's; the recording also the thread that pins what the workers loaded.
    as_theirs = ours.operators == theirs.operators or region.startswith("loader") and not theirs.operators - ours.operators
    check(as_theirs, f"{region}: {sum(ours.operators.values())} operators by name and count as torch.profiler's"
          + (f"; differ (ours, theirs): {difference(ours.operators, theirs.operators)}" if ours.operators != theirs.operators else ""))
    check(ours.orphans <= theirs.orphans, f"{region}: {ours.orphans} of {ours.kernels} kernels under no operator, torch.profiler {theirs.orphans}"
          + (f": {dict(ours.orphan_names)}" if ours.orphans else ""))


def compare_memory(names, path, lines):
    """The maximum of each curve against PyTorch's own count, to the byte."""
    told = {}
    for line in lines:
        if line.startswith("peaks "):
            device, allocated, reserved = map(int, line.split()[1:])
            told[device] = {"torch allocated": allocated, "torch reserved": reserved}
    db = sqlite3.connect(path)
    counters = db.execute(
        "select c.deviceId, s.value, max(v.value), count(*) from LANESCOPE_COUNTER c join StringIds s on s.id = c.nameId"
        " join LANESCOPE_SAMPLE v on v.counterId = c.id group by c.id").fetchall()
    recorded = {(device, name): (int(most), samples) for device, name, most, samples in counters}
    check(bool(told), f"{names}: PyTorch says its peaks")
    for device, peaks in told.items():
        for name, peak in peaks.items():
            most, samples = recorded.get((device, name), (0, 0))
            check(most == peak, f"{names}: GPU {device} {name} at most {most} B in {samples} samples, by PyTorch's own count {peak} B")


def run(words, log, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=150, **more)
    with open(log, "a") as file:
        file.write("$ " + " ".join(words) + "\n" + done.stdout)
    return done


def compare_all(lanes, out, log, apart):
    groups = [[case] for case in REGIONS] if apart else [["results_back", "loader", "item", "streams", "graph"], ["compiled"]]
    for group in groups:
        names = ",".join(group)
        cases = [sys.executable, os.path.join(HERE, "pytorch_cases.py"), "--cases", names]
        recording = os.path.join(out, f"pytorch.{group[0]}.sqlite")
        recorded = run([lanes, "record", "--pytorch", "-o", recording, "--", *cases], log)
        profiled = run([*cases, "--profile", os.path.join(out, "profile")], log)
        # If a pair fails without our code, the machine cannot do it.
        if profiled.returncode != 0:
            print(f"skip {names}: fails without lanes too: {profiled.stdout.splitlines()[-1:]}")
            continue
        check(recorded.returncode == 0, f"{names}: runs under lanes record --pytorch" + ("" if recorded.returncode == 0 else f": {recorded.stdout[-1500:]}"))
        if apart:
            written = run([lanes, "convert", recording, recording.replace(".sqlite", ".json.gz")], log)
            check(written.returncode == 0, f"{names}: {os.path.getsize(recording)} bytes, written as JSON too")
        told = [line for line in recorded.stdout.splitlines() if line.startswith("lanes: ") and "not recorded" in line]
        check(not told, f"{names}: the hook has nothing to complain of" + (f": {told}" if told else ""))
        try:
            compare_memory(names, recording, recorded.stdout.splitlines())
        except sqlite3.Error as error:
            check(False, f"{names}: memory: {error!r}")
        for line in recorded.stdout.splitlines() + profiled.stdout.splitlines():
            if "graph breaks" in line:
                print("     " + line)
                check(" 0 graph breaks" in line, "compiled: no graph breaks")
        for case in group:
            for region in REGIONS[case]:
                try:
                    compare(region, of_recording(recording, region), of_profile(os.path.join(out, f"profile.{region}.json")))
                except Exception as error:
                    check(False, f"{region}: {error!r}")
    try:
        db = sqlite3.connect(os.path.join(out, "pytorch.loader.sqlite" if apart else "pytorch.results_back.sqlite"))
        text = "coalesce(n.text, (select value from StringIds where id = n.textId))"
        fetched = db.execute(f"select count(*), count(distinct n.globalTid) from NVTX_EVENTS n where {text} = 'DataLoader: fetch a batch'").fetchone()
        # 20 batches of two loaders, and each worker's last request, which finds nothing.
        check(fetched[0] == 40 and fetched[1] == 4, f"loader: {fetched[0]} batches fetched in {fetched[1]} workers (40 in 4)")
        modules = dict(db.execute(f"select {text}, count(*) from NVTX_EVENTS n where {text} like 'body.%' or {text} like 'Net (%' or {text} like 'backward %' group by 1"))
        check(modules.get("body.0: Linear", 0) > 0 and modules.get("backward of body.0: Linear", 0) > 0 and any(n.startswith("backward (pytorch_cases.py:") for n in modules), f"modules and call sites: {modules}")
    except sqlite3.Error as error:
        check(False, f"loader: {error!r}")
    for name in os.listdir(out):
        if name.startswith("profile.") and name.endswith(".json"):
            with open(os.path.join(out, name), "rb") as plain, gzip.open(os.path.join(out, name + ".gz"), "wb") as packed:
                shutil.copyfileobj(plain, packed)
            os.unlink(os.path.join(out, name))


def overhead(lanes, out, rounds, deadline, log):
    loop = [sys.executable, os.path.join(HERE, "pytorch_loop.py"), "15"]
    ways = {
        "none": loop,
        "lanes record": [lanes, "record", "-o", os.path.join(out, "loop.sqlite"), "--", *loop],
        "lanes record --pytorch": [lanes, "record", "--pytorch", "-o", os.path.join(out, "loop-pytorch.sqlite"), "--", *loop],
        "torch.profiler CUDA": [*loop, "cuda"],
        "torch.profiler CPU+CUDA": [*loop, "both"],
    }
    times = {way: [] for way in ways}
    done = 0
    for _ in range(rounds):
        if time.monotonic() > deadline:
            break
        for way, words in ways.items():
            # PyTorch's own warnings begin with a bracket too.
            printed = [line for line in run(words, log).stdout.splitlines() if line.startswith("[") and line.endswith("]")]
            times[way].append(statistics.median(json.loads(printed[-1])) if printed else float("nan"))
        done += 1
    print(f"\noverhead, {done} interleaved rounds, each the median of 15 loops of 200 iterations; against none in the same round")
    print(f"{'':26} {'median':>7} {'least':>7} {'most':>7}   ms")
    ratios = {way: [a / b for a, b in zip(times[way], times["none"])] for way in ways}
    for way in ways:
        if times[way]:
            print(f"{way:26} {statistics.median(ratios[way]):7.2f} {min(ratios[way]):7.2f} {max(ratios[way]):7.2f}   {statistics.median(times[way]) * 1e3:.2f}")
    if done:
        check(all(a <= b for a, b in zip(ratios["lanes record"], ratios["torch.profiler CUDA"])), "overhead: lanes record below torch.profiler CUDA in every round")
        check(all(a <= b for a, b in zip(ratios["lanes record --pytorch"], ratios["torch.profiler CPU+CUDA"])), "overhead: --pytorch below torch.profiler CPU+CUDA in every round")


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("bin")
    words.add_argument("out")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--seconds", type=int, default=230)
    words.add_argument("--parts", default="package,compare,overhead")
    words.add_argument("--apart", action="store_true")
    words = words.parse_args()
    begun = time.monotonic()
    out, lanes = os.path.abspath(words.out), os.path.join(os.path.abspath(words.bin), "lanes")
    os.makedirs(out, exist_ok=True)
    log = os.path.join(out, "log.txt")
    import torch

    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name() if torch.cuda.is_available() else 'no GPU'}")
    parts = words.parts.split(",")
    if "package" in parts:
        environment = dict(os.environ, PYTHONPATH=os.path.join(words.bin, "python"))
        package = run([sys.executable, os.path.join(HERE, "pytorch_package.py"), out], log, env=environment)
        print(package.stdout, end="")
        check(package.returncode == 0, "package: records in a process that used CUDA before, twice")
    if "compare" in parts:
        compare_all(lanes, out, log, words.apart)
    print(f"     {time.monotonic() - begun:.0f} s so far")
    if "overhead" in parts:
        overhead(lanes, out, words.rounds, begun + words.seconds - 45, log)
    print(f"\n{len(failures)} checks failed, {time.monotonic() - begun:.0f} s; recordings, traces and log.txt are in {out}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
