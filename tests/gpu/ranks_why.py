#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Lanescope says about two ranks that train together, compared with how they were slowed and with separate arithmetic; on a machine
with two GPUs and PyTorch 2, with lanes on PATH.

    ranks_why.py OUT [--again] [--only CASE ...]

All cases of ddp.py run without the recorder at once; then each, in the order given, into one file, and into one file a rank that
are merged, and is checked while the next one runs. Leaves recordings, reports and the output of lanes why in OUT; --again judges those
that are there, without a GPU. Exit status 1 if a check failed."""
import argparse
import bisect
import collections
import concurrent.futures
import json
import os
import shlex
import sqlite3
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS, WARM_UP = 25, 5  # ddp.py's
SLEEP_MS, HEAVIER = 8, 6
BASE = ["--steps", str(STEPS), "--batch", "1024"]
CASES = {  # arguments, and whether with operators of PyTorch
    "late": (["--late", str(SLEEP_MS)], False),
    "even": ([], False),
    "heavier": (["--heavier", str(HEAVIER)], False),
    "after": (["--after"], False),
    "late-pytorch": (["--late", str(SLEEP_MS)], True),
}
failures = []


def check(good, words):
    print(("ok    " if good else "WRONG ") + words, flush=True)
    if not good:
        failures.append(words)
    return good


def lanes(*words, into=None):
    done = subprocess.run(["lanes", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        check(False, f"lanes {' '.join(words)}: status {done.returncode}: {done.stderr.strip()}")
        return ""
    if into:
        with open(into, "w", encoding="utf-8") as file:
            file.write(done.stdout)
    return done.stdout


def ranks(words):
    return [os.environ.get("PYTHON", "python3"), "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2",
            os.path.join(HERE, "ddp.py"), *BASE, *words]


def ran(name, words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    with open(f"{name.replace(', ', '.').replace('%r', '')}.log", "w", encoding="utf-8") as file:
        file.write(done.stdout + done.stderr)
    check(done.returncode == 0, f"{name}: ran" if done.returncode == 0 else
          f"{name}: status {done.returncode}: {(done.stdout + done.stderr).strip()[-600:]}")


def run_bare(cases):
    """Without the recorder, one case after the other in the same two processes."""
    def words(case):
        return ["--late", "0", "--heavier", "0", *CASES[case][0], "--times", f"{case}.bare.times"]
    cases = sorted((case for case in cases if case != "late-pytorch"), key=lambda case: case == "after")  # --after is never undone
    if cases:
        ran("bare", ranks([*words(cases[0]), *(word for case in cases[1:] for word in ("--then", shlex.join(words(case))))]))


def record(case):
    words, pytorch = CASES[case]
    for how in ("one", "rank%r"):
        ran(f"{case}, {how}", ["lanes", "record", *(["--pytorch"] if pytorch else []), "-o", f"{case}.{how}.sqlite", "--",
                               *ranks([*words, "--times", f"{case}.{how.replace('%r', '')}.times"])])
    if os.path.exists(f"{case}.merged.sqlite"):
        os.remove(f"{case}.merged.sqlite")
    lanes("merge", f"{case}.rank0.sqlite", f"{case}.rank1.sqlite", "-o", f"{case}.merged.sqlite")


def union(spans):
    joined = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return joined


def within(joined, start, end):
    """How much of start to end is in the disjoint, sorted stretches."""
    at = max(0, bisect.bisect_right(joined, [start, float("inf")]) - 1)
    total = 0
    while at < len(joined) and joined[at][0] < end:
        total += max(0, min(end, joined[at][1]) - max(start, joined[at][0]))
        at += 1
    return total


def work(kernels, start, end):
    """What kernels did from start to end, by how long they would have taken alone: (start, end, part that is their own)."""
    return sum((min(end, until) - max(start, began)) * own for began, until, own in kernels if began < end and until > start)


class Facts:
    """What the tables of a recording say, without Lanescope."""

    def __init__(self, path):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        rows = database.execute("""SELECT coalesce(text, (SELECT value FROM StringIds WHERE id = textId)), start, end
                                   FROM NVTX_EVENTS WHERE end IS NOT NULL""").fetchall()
        numbered = [(int(name[5:]), start, end) for name, start, end in rows if name and name.startswith("step ")]
        kernels = database.execute("""SELECT k.deviceId, k.start, k.end, s.value FROM CUPTI_ACTIVITY_KIND_KERNEL k
                                      JOIN StringIds s ON s.id = k.demangledName ORDER BY k.start""").fetchall()
        database.close()
        self.start = min(start for number, start, end in numbered if number == WARM_UP)
        self.end = max(max(end for number, start, end in numbered), max(end for device, start, end, name in kernels))
        computing = collections.defaultdict(list)
        sums = collections.defaultdict(list)
        for device, start, end, name in kernels:
            (sums if name.startswith("nccl") else computing)[device].append((start, end, name))
        self.kernels = {device: sum(within([[start, end]], self.start, self.end) for start, end, name in spans)
                        for device, spans in computing.items()}
        # A waiting collective holds multiprocessors: kernels beside it take longer than the shortest of their name.
        shortest = {}
        for start, end, name in (span for spans in computing.values() for span in spans):
            shortest[name] = min(shortest.get(name, end - start), end - start)
        alone = {device: [(start, end, shortest[name] / (end - start)) for start, end, name in spans if end > start]
                 for device, spans in computing.items()}
        computing = {device: union([span[:2] for span in spans]) for device, spans in computing.items()}
        self.devices = sorted(sums)
        self.sums, self.alone = ({device: 0 for device in self.devices} for _ in range(2))
        self.pairs, self.waits, self.costs = 0, {device: 0 for device in self.devices}, {device: 0 for device in self.devices}
        if len(self.devices) != 2 or [name for _, _, name in sums[self.devices[0]]] != [name for _, _, name in sums[self.devices[1]]]:
            return  # the n-th of one is not the n-th of the other
        ends = [max(a[1], b[1]) for a, b in zip(sums[self.devices[0]], sums[self.devices[1]])]
        more = {device: 0 for device in self.devices}
        for pair in zip(sums[self.devices[0]], sums[self.devices[1]]):
            self.pairs += 1
            last = 0 if pair[0][0] > pair[1][0] else 1
            for device, (_, end, _) in zip(self.devices, pair):  # from when both were there
                both = (max(self.start, pair[last][0]), min(self.end, end))
                if both[1] > both[0]:
                    self.sums[device] += both[1] - both[0]
                    self.alone[device] += both[1] - both[0] - within(computing.get(device, []), *both)
            start, end = max(self.start, pair[1 - last][0]), min(self.end, pair[last][0])
            if end <= start:
                continue
            other, late = self.devices[1 - last], self.devices[last]
            waited = end - start - work(alone.get(other, []), start, end)
            if waited > 0:
                began = max([self.start, *(done for done in ends if done <= start)])
                self.waits[late] += waited
                more[late] += work(alone.get(late, []), began, end) - work(alone.get(other, []), began, end)
        # Its excess of computing over the other one would be shared.
        self.costs = {device: self.waits[device] - max(0, min(more[device], self.waits[device])) / 2 for device in self.devices}


def near(a, b, share, least=0):
    return abs(a - b) <= max(share * max(abs(a), abs(b)), least)


def ms(ns):
    return f"{ns / 1e6:.2f} ms"


def finding(report, rule):
    return next((entry for entry in report["findings"] if entry["rule"] == rule), None)


def judge(case, kind, walls):
    path = f"{case}.{kind}.sqlite"
    facts = Facts(path)
    span = facts.end - facts.start
    report = json.loads(lanes("report", path, "--json=full", "--lang", "en", "--range", f"{facts.start}:{facts.end}",
                              into=f"{case}.{kind}.report.json") or "{}")
    if not report:
        return
    lanes("report", path, "--lang", "en", "--iterations", into=f"{case}.{kind}.report.txt")
    lanes("why", path, "--steps", "200", "--lang", "en", "--range", f"{facts.start}:{facts.end}", into=f"{case}.{kind}.why.txt")
    lanes("why", path, "--overlap", "--lang", "en", "--range", f"{facts.start}:{facts.end}", into=f"{case}.{kind}.overlap.txt")
    chain = json.loads(lanes("why", path, "--json=full", "--steps", "1000000", "--range", f"{facts.start}:{facts.end}") or "{}")
    name = f"{case}, {kind}"
    print(f"\n{name}: {ms(span)} of steps, wall time bare {walls.get('bare', 0) * 1e3:.1f} ms, recorded {walls.get(kind, 0) * 1e3:.1f} ms")
    for entry in report["findings"]:
        print(f"      {entry['rule']} {ms(entry['cost_ns'])} ({entry['count']}x): {entry['title']}")
    print(f"      by the tables: {facts.pairs} collectives, waited for GPU 0 {ms(facts.waits.get(0, 0))}, for GPU 1 {ms(facts.waits.get(1, 0))}")
    for device in facts.devices:
        print(f"      GPU {device}: kernels {ms(facts.kernels.get(device, 0))}, collectives with both ranks in them {ms(facts.sums[device])}, "
              f"outside kernels {ms(facts.alone[device])}")
    if not case == "after":
        check(finding(report, "communication-after-kernels") is None, f"{name}: buckets are not called communication after the kernels")
    if kind.startswith("rank"):
        check(finding(report, "communication-late") is None, f"{name}: one rank alone does not say who was late")
        return
    check(facts.pairs > 0, f"{name}: the collectives of both ranks have one order")
    late = finding(report, "communication-late")
    own = max(facts.costs.values())
    said = late["cost_ns"] if late else 0  # nothing below 2 %
    check(said <= 1.1 * own + 0.01 * span and (said >= 0.8 * own or own < 0.03 * span),
          f"{name}: communication-late says {ms(said)}, the tables {ms(own)}")
    if case.startswith(("late", "heavier")):
        check(late is not None and "rank 1" in late["title"], f"{name}: rank 1 is late")
        check(report["findings"][:1] == [late], f"{name}: and that comes first")
        what = "its own kernels" if case == "heavier" else "load batch"
        check(late is not None and what in late["title"], f"{name}: and for what: {what}")
        path_parts = collections.Counter()
        for part in chain.get("chain", []):
            path_parts[part["kind"]] += part["end_ns"] - part["start_ns"]
        print("      path: " + ", ".join(f"{kind} {ms(time)}" for kind, time in path_parts.most_common()))
        if case.startswith("late"):
            slept = SLEEP_MS * 1_000_000 * (STEPS - WARM_UP)
            on_host = path_parts["between"] + path_parts["work"]
            check(on_host >= 0.9 * slept, f"{name}: of the path {ms(on_host)} are in no call and no operation; rank 1 slept {ms(slept)}")
            with open(f"{case}.{kind}.why.txt", encoding="utf-8") as file:
                check(any('range "load batch"' in line for line in file),
                      f"{name}: lanes why says where it slept")


def costs(walls):
    """What findings promise, against how much longer the case took than the even one, by the program's own clock. For `after` that may
    be nothing, and then nothing may be found: kernels that leave NCCL's blocks no multiprocessor take much longer beside them (two
    H200: 80.3 ms both ways)."""
    print("\ncost against what the even run takes less, without the recorder and with it")
    even = walls.get("even", {})
    for case, rule in (("late", "communication-late"), ("heavier", "communication-late"), ("after", "communication-after-kernels"),
                       ("late-pytorch", "communication-late")):
        path = f"{case}.one.report.json"
        if case not in walls or not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            said = finding(json.load(file), rule)
        for kind in ("bare", "one"):
            if kind not in walls[case] or kind not in even:
                check(False, f"{case}, {kind}: both told how long they took")
                continue
            longer = (walls[case].get(kind, 0) - even.get(kind, 0)) * 1e3
            # Spread evenly, rank 0 would also do half of rank 1's extra work, which the even run does not have.
            less = longer / 2 if case == "heavier" else longer
            cost = said["cost_ns"] / 1e6 if said else 0
            words = f"{case}, {kind}: {rule} promises {cost:.1f} ms, the even run takes {less:.1f} ms less"
            if case == "late-pytorch":
                print("      " + words)  # another recorder
            else:
                check(near(cost, less, 0.15, 1), words)


def times_of(case):
    walls = {}
    for how, kind in (("bare", "bare"), ("one", "one"), ("rank", "merged")):
        found = []
        for rank in (0, 1):
            path = f"{case}.{how}.times.{rank}"
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    found.append(json.load(file)["seconds"])
        if found:
            walls[kind] = max(found)
    return walls


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only", nargs="*", choices=CASES)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    os.chdir(args.out)
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # multicast needs rights that containers often lack
    cases = args.only or list(CASES)
    walls = {}

    def judge_all(case):
        walls[case] = times_of(case)
        for kind in ("one", "merged", "rank0"):
            if check(os.path.exists(f"{case}.{kind}.sqlite"), f"{case}, {kind}: there is a recording"):
                judge(case, kind, walls[case])

    if not args.again:
        run_bare(cases)
    with concurrent.futures.ThreadPoolExecutor(1) as beside:
        judged = []
        for case in cases:
            if not args.again:
                record(case)
            judged.append(beside.submit(judge_all, case))
        for each in judged:
            each.result()
    if "even" in walls:
        costs(walls)
    print(f"\n{len(failures)} checks failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
