#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Lanescope says of two ranks that train together, held to what was done to them and to arithmetic of its own; on a machine
with two GPUs and PyTorch 2, with lanes on PATH.

    ranks_why.py OUT [--again] [--only CASE ...]

Each case of ddp.py runs without the recorder, into one file, and into one file a rank that are merged. Leaves recordings, reports
and the output of lanes why in OUT; --again judges those that are there, without a GPU. Exit status 1 if a check failed."""
import argparse
import bisect
import collections
import json
import os
import sqlite3
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS, WARM_UP = 25, 5  # ddp.py's
SLEEP_MS, HEAVIER = 8, 6
BASE = ["--steps", str(STEPS), "--batch", "1024"]
CASES = {  # arguments, and whether with operators of PyTorch
    "even": ([], False),
    "late": (["--late", str(SLEEP_MS)], False),
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


def record(case):
    words, pytorch = CASES[case]
    python = os.environ.get("PYTHON", "python3")
    for how in ("bare", "one", "rank%r"):
        run = [python, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2", os.path.join(HERE, "ddp.py"), *BASE,
               *words, "--times", f"{case}.{how.replace('%r', '')}.times"]
        if how != "bare":
            run = ["lanes", "record", *(["--pytorch"] if pytorch else []), "-o", f"{case}.{how}.sqlite", "--", *run]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        with open(f"{case}.{how.replace('%r', '')}.log", "w", encoding="utf-8") as file:
            file.write(done.stdout + done.stderr)
        check(done.returncode == 0, f"{case}, {how}: ran" if done.returncode == 0 else
              f"{case}, {how}: status {done.returncode}: {(done.stdout + done.stderr).strip()[-600:]}")
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
    """How much of start to end lies in the disjoint, sorted stretches."""
    at = max(0, bisect.bisect_right(joined, [start, float("inf")]) - 1)
    total = 0
    while at < len(joined) and joined[at][0] < end:
        total += max(0, min(end, joined[at][1]) - max(start, joined[at][0]))
        at += 1
    return total


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
            (sums if name.startswith("nccl") else computing)[device].append((start, end, name) if name.startswith("nccl") else (start, end))
        computing = {device: union(spans) for device, spans in computing.items()}
        self.devices = sorted(sums)
        self.pairs, self.waits, self.costs = 0, {device: 0 for device in self.devices}, {device: 0 for device in self.devices}
        if len(self.devices) != 2 or [name for _, _, name in sums[self.devices[0]]] != [name for _, _, name in sums[self.devices[1]]]:
            return  # the n-th of one is not the n-th of the other
        for pair in zip(sums[self.devices[0]], sums[self.devices[1]]):
            self.pairs += 1
            last = 0 if pair[0][0] > pair[1][0] else 1
            start, end = max(self.start, pair[1 - last][0]), min(self.end, pair[last][0])
            if end <= start:
                continue
            other, late = self.devices[1 - last], self.devices[last]
            waited = end - start - within(computing.get(other, []), start, end)
            worked = min(waited, within(computing.get(late, []), start, end))
            self.waits[late] += waited
            self.costs[late] += waited - worked // 2


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
    report = json.loads(lanes("report", path, "--json", "--lang", "en", "--range", f"{facts.start}:{facts.end}",
                              into=f"{case}.{kind}.report.json") or "{}")
    if not report:
        return
    lanes("report", path, "--lang", "en", "--iterations", into=f"{case}.{kind}.report.txt")
    lanes("why", path, "--lang", "en", "--range", f"{facts.start}:{facts.end}", into=f"{case}.{kind}.why.txt")
    lanes("why", path, "--overlap", "--lang", "en", "--range", f"{facts.start}:{facts.end}", into=f"{case}.{kind}.overlap.txt")
    chain = json.loads(lanes("why", path, "--json", "--steps", "1000000", "--range", f"{facts.start}:{facts.end}") or "{}")
    name = f"{case}, {kind}"
    print(f"\n{name}: {ms(span)} of steps, wall time bare {walls.get('bare', 0) * 1e3:.1f} ms, recorded {walls.get(kind, 0) * 1e3:.1f} ms")
    for entry in report["findings"]:
        print(f"      {entry['rule']} {ms(entry['cost_ns'])} ({entry['count']}x): {entry['title']}")
    print(f"      by the tables: {facts.pairs} collectives, waited for GPU 0 {ms(facts.waits.get(0, 0))}, for GPU 1 {ms(facts.waits.get(1, 0))}")
    if kind.startswith("rank"):
        check(finding(report, "communication-late") is None, f"{name}: one rank alone does not say who was late")
        return
    check(facts.pairs > 0, f"{name}: the collectives of both ranks have one order")
    late = finding(report, "communication-late")
    own = sum(facts.costs.values())
    said = late["cost_ns"] if late else 0
    check(near(said, own, 0.05, 0.01 * span), f"{name}: communication-late says {ms(said)}, the tables {ms(own)}")
    if case.startswith(("late", "heavier")):
        check(late is not None and "rank 1" in late["title"], f"{name}: rank 1 comes late")
        check(report["findings"][:1] == [late], f"{name}: and that comes first")
        path_parts = collections.Counter()
        for part in chain.get("chain", []):
            path_parts[part["kind"]] += part["end_ns"] - part["start_ns"]
        print("      path: " + ", ".join(f"{kind} {ms(time)}" for kind, time in path_parts.most_common()))
        if case.startswith("late"):
            slept = SLEEP_MS * 1_000_000 * (STEPS - WARM_UP)
            on_host = path_parts["between"] + path_parts["work"]
            check(on_host >= 0.9 * slept, f"{name}: of the path {ms(on_host)} are in no call and no operation; rank 1 slept {ms(slept)}")
    if case == "after":
        behind = finding(report, "communication-after-kernels")
        check(behind is not None, f"{name}: communication behind the kernels is said")
    if case == "even":
        check(finding(report, "communication-after-kernels") is None, f"{name}: buckets are not called communication behind the kernels")


def costs(walls):
    """What findings promise, against how much longer the case took than the even one, by the program's own clock."""
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
            # Spread evenly, rank 0 would do half of rank 1's work besides, which the even run does not.
            less = longer / 2 if case == "heavier" else longer
            cost = said["cost_ns"] / 1e6 if said else 0
            words = f"{case}, {kind}: {rule} promises {cost:.1f} ms, the even run takes {less:.1f} ms less"
            if case == "after" or case == "late-pytorch":
                print("      " + words)  # another program, and another recorder
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
    for case in cases:
        if not args.again:
            record(case)
        walls[case] = times_of(case)
        for kind in ("one", "merged", "rank0"):
            if check(os.path.exists(f"{case}.{kind}.sqlite"), f"{case}, {kind}: there is a recording"):
                judge(case, kind, walls[case])
    if "even" in walls:
        costs(walls)
    print(f"\n{len(failures)} checks failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
