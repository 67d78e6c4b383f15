# SPDX-License-Identifier: MIT
"""On a machine with a GPU and nvcc, in about two minutes: parts of a running program, and what the rest of it costs.

    record_parts.py BIN [--only NAME...]    BIN: the folder of lanes and its probe; NAME: see below, all unless given

`lanes record --duration`, `--every`, `--idle` with `lanes trigger`, `--at`: each part has the kernels that the program
says it launched then, each launch its own, and NVTX ranges in every part. The time of a launch before, in, between and
after parts is printed as a multiple of that without a recorder; where CUPTI is detached it must be back (1.10 or less).
Then programs with CUDA graphs: made before the part, recorded by nodes and as a whole; made between two parts; and with
`--detach always`, where only what happens is printed. Exit status 1 if a check fails. NVCC names the compiler.
"""
import argparse
import functools
import glob
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NODES = 10
failed = []


def expect(what, good, found):
    print(f"{'ok  ' if good else 'FAIL'} {what}: {found}", flush=True)
    if not good:
        failed.append(what)


def tell(what, found):
    print(f"     {what}: {found}", flush=True)


class Slices:
    """What the program printed: (end, launches so far, ns a launch) for each 50 ms."""

    def __init__(self, text):
        self.rows = [tuple(int(word) for word in line.split()) for line in text.splitlines()]

    def launches(self, begin, end):
        def so_far(moment):
            before = (self.rows[0][0] - self.rows[0][1] * self.rows[0][2], 0)  # where the loop began
            if moment <= before[0]:
                return 0
            for row in self.rows:
                if row[0] >= moment:
                    return before[1] + (row[1] - before[1]) * (moment - before[0]) / max(1, row[0] - before[0])
                before = row
            return before[1]
        return so_far(end) - so_far(begin)

    def cost(self, begin=0, end=1 << 62):
        times = [row[2] for row in self.rows if begin <= row[0] <= end]
        return statistics.median(times) if times else float("nan")


class Part:
    """What a file holds."""

    def __init__(self, file):
        data = sqlite3.connect(f"file:{file}?mode=ro", uri=True)

        def one(query):
            try:
                return data.execute(query).fetchone()[0]
            except sqlite3.OperationalError:
                return 0
        self.name = os.path.basename(file)
        self.origin = one("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME")
        meta = dict(data.execute("SELECT key, value FROM LANESCOPE_META"))
        self.windows = meta.get("windows", "")
        words = self.windows.split()
        self.end = self.origin + (int(words[2]) if len(words) > 2 and words[2] != "-" else 0)
        self.complete = meta.get("complete") != "no" and meta.get("dropped", "0") == "0"
        of_kernels = """SELECT {} FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName
            WHERE s.value {} 'CUDA graph %' {}"""
        self.kernels = one(of_kernels.format("COUNT(*)", "NOT LIKE", ""))
        self.whole = one(of_kernels.format("COUNT(*)", "LIKE", ""))
        kernels = dict(data.execute(of_kernels.format("correlationId, COUNT(*)", "NOT LIKE", "GROUP BY 1"))
                       if self.kernels else ())
        # The program has one thread. A call of the driver's is part of the runtime's around it, and has its kernels.
        end, outer, calls = 0, None, []
        for name, start, stop, correlation in data.execute(
                """SELECT s.value, r.start, r.end, r.correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME r
                JOIN StringIds s ON s.id = r.nameId ORDER BY r.start, r.end DESC"""):
            if outer is None or start >= end:
                outer, end = [name, 0], stop
                calls.append(outer)
            outer[1] += kernels.get(correlation, 0)
        self.of_launches = [count for name, count in calls if name.startswith("cudaLaunchKernel")]
        self.of_graphs = [count for name, count in calls if name.startswith("cudaGraphLaunch")]
        self.ranges = one("SELECT COUNT(*) FROM NVTX_EVENTS")


class Cases:
    """Each function is a case of --only."""

    def __init__(self, folder_of_lanes, folder):
        self.lanes = os.path.join(folder_of_lanes, "lanes")
        self.folder = folder
        self.program = os.path.join(folder, "record_parts")
        subprocess.run([os.environ.get("NVCC", "nvcc"), "-O2", "-arch=native", "-o", self.program,
                        os.path.join(HERE, "record_parts.cu"), "-ldl"], check=True)

    @functools.cache
    def alone(self, mode):
        """Of a launch without a recorder, ns."""
        found = statistics.median(Slices(subprocess.run(
            [self.program, mode, "2"], capture_output=True, text=True, check=True).stdout).cost() for _ in range(3))
        tell(f"a launch without a recorder, {mode}", f"{found} ns")
        return found

    def parts(self, name):
        return [Part(file) for file in sorted(glob.glob(os.path.join(self.folder, name + "*.sqlite")))]

    def start(self, name, options, words):
        return subprocess.Popen([self.lanes, "record", "-o", os.path.join(self.folder, name + ".sqlite"), *options, "--",
                                 self.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, process, what):
        out, err = process.communicate(timeout=120)
        expect(f"{what}: exit status", process.returncode == 0, f"{process.returncode} {err.strip()[-300:]}")
        return Slices(out)

    def trigger(self, process, *options):
        for _ in range(100):
            done = subprocess.run([self.lanes, "trigger", str(process.pid), *options], capture_output=True, text=True)
            if done.returncode == 0:
                return
            time.sleep(0.1)
        expect("trigger", False, done.stderr.strip())

    def check(self, what, part, slices, each=1):
        launched = slices.launches(part.origin, part.end)
        per_launch = part.of_graphs if each > 1 else part.of_launches
        whole = sum(count == each for count in per_launch)
        expect(f"{what} {part.name}: launches", abs(len(per_launch) - launched) <= 0.1 * launched + 300,
               f"{len(per_launch)} of {launched:.0f}")
        expect(f"{what} {part.name}: each with its {each}", whole >= 0.999 * len(per_launch) and whole > 0,
               f"{whole} of {len(per_launch)}, {part.kernels} kernels")
        expect(f"{what} {part.name}: complete", part.complete, part.windows.strip())
        expect(f"{what} {part.name}: NVTX ranges", part.ranges > 0, part.ranges)

    def one(self):
        """One part, with CUPTI detached after it and not."""
        for detach in ("auto", "never"):
            slices = self.end(
                self.start(detach, ["--delay", "1s", "--duration", "1s", "--detach", detach], ["plain", "6"]), detach)
            part, = self.parts(detach)
            self.check(f"--detach {detach}", part, slices)
            before = slices.cost(0, part.origin - 100_000_000) / self.alone("plain")
            after = slices.cost(part.end + 1_000_000_000) / self.alone("plain")
            tell(f"--detach {detach}: before, in, after",
                 f"{before:.2f} {slices.cost(part.origin, part.end) / self.alone('plain'):.2f} {after:.2f}")
            if detach == "auto":
                expect("the rest after a part", after <= 1.10, f"{after:.2f}")

    def every(self):
        slices = self.end(self.start("every", ["--every", "2s", "--duration", "500ms"], ["plain", "9"]), "--every")
        all_parts = self.parts("every.part")
        expect("--every: parts", len(all_parts) in (4, 5), len(all_parts))
        for part in all_parts[:4]:
            self.check("--every", part, slices)
        # The first one begins with the program, the others by the clock.
        for part in all_parts[1:4]:
            long = (part.end - part.origin) / 1e6
            expect(f"--every {part.name}: as long as asked for", 480 <= long <= 540, f"{long:.0f} ms")
        for before, after in zip(all_parts, all_parts[1:]):
            cost = slices.cost(before.end + 700_000_000, after.origin) / self.alone("plain")
            expect(f"--every: between {before.name} and {after.name}", cost <= 1.10, f"{cost:.2f}")

    def idle(self):
        job = self.start("idle", ["--idle"], ["plain", "11"])
        time.sleep(2)
        self.trigger(job, "--duration", "1s")
        time.sleep(4)
        expect("--idle: the first part is a file while the program runs", len(self.parts("idle.part")) == 1,
               [part.name for part in self.parts("idle.part")])
        self.trigger(job, "--duration", "1s", "--at", "/1s")
        slices = self.end(job, "--idle")
        all_parts = self.parts("idle.part")
        expect("--idle: parts", len(all_parts) == 2, len(all_parts))
        for part in all_parts:
            self.check("--idle", part, slices)
            long = (part.end - part.origin) / 1e6
            expect(f"--idle {part.name}: as long as asked for", 960 <= long <= 1040, f"{long:.0f} ms")
        if len(all_parts) == 2:
            first, second = all_parts
            tell("--idle: before, in, between, in, after", " ".join(f"{cost / self.alone('plain'):.2f}" for cost in (
                slices.cost(0, first.origin - 300_000_000), slices.cost(first.origin, first.end),
                slices.cost(first.end + 1_000_000_000, second.origin), slices.cost(second.origin, second.end),
                slices.cost(second.end + 1_000_000_000))))
            late = second.origin % 1_000_000_000
            expect("--at /1s: after the second", late < 20_000_000, f"{late / 1e6:.1f} ms")

    def together(self):
        """Two jobs that begin at the same second."""
        jobs = [self.start(f"host{i}", ["--idle"], ["plain", "5"]) for i in range(2)]
        time.sleep(1.5)
        for job in jobs:
            self.trigger(job, "--duration", "500ms", "--at", "/2s")
        for job in jobs:
            self.end(job, "two jobs")
        begins = [part.origin for i in range(2) for part in self.parts(f"host{i}.part")]
        expect("--at /2s: two jobs begin together", len(begins) == 2 and abs(begins[0] - begins[1]) < 20_000_000,
               [begin % 10_000_000_000 / 1e9 for begin in begins])

    def graph(self):
        """CUPTI stays where a graph was made under it. From the second part on it gives no correlation."""
        slices = self.end(self.start("graph", ["--every", "2s", "--duration", "500ms"], ["graph", "3.5"]), "graph")
        parts = self.parts("graph.part")
        self.check("graph", parts[0], slices, NODES)
        for part in parts[1:2]:
            known = sum(count == NODES for count in part.of_graphs)
            expect(f"graph {part.name}: kernels", part.kernels >= 0.999 * NODES * len(part.of_graphs) > 0,
                   f"{part.kernels} of {len(part.of_graphs)} launches, {known} with their kernels")
            tell("graph: in a part, the rest, not detached",
                 f"{slices.cost(part.origin, part.end) / self.alone('graph'):.2f} "
                 f"{slices.cost(parts[0].end + 700_000_000, part.origin) / self.alone('graph'):.2f}")
        for how in ("whole", "auto"):
            slices = self.end(self.start(how, ["--delay", "1s", "--duration", "500ms", "--graphs", how], ["graph", "2.5"]), how)
            part, = self.parts(how)
            by_nodes = {"whole": 0, "auto": 10}[how]
            known = sum(count == NODES for count in part.of_graphs)
            launched = slices.launches(part.origin, part.end)
            expect(f"{how}: launches", abs(len(part.of_graphs) - launched) <= 0.1 * launched + 300,
                   f"{len(part.of_graphs)} of {launched:.0f}")
            expect(f"{how}: by nodes, as a whole",
                   known == by_nodes and abs(part.whole + by_nodes - len(part.of_graphs)) <= 0.001 * len(part.of_graphs),
                   f"{known}, {part.whole} of {len(part.of_graphs)}, {part.kernels} kernels")
            tell(f"{how}: before, in, after", " ".join(f"{cost / self.alone('graph'):.2f}" for cost in (
                slices.cost(0, part.origin - 100_000_000), slices.cost(part.origin, part.end),
                slices.cost(part.end + 300_000_000))))

    def late(self):
        """A graph that is made after the first part, when CUPTI was detached and is there again."""
        slices = self.end(self.start("late", ["--every", "2s", "--duration", "500ms"], ["late", "3.5", "1.4"]), "late")
        for part in self.parts("late.part")[1:2]:
            self.check("late", part, slices, NODES)

    def always(self):
        """--detach always, where it is not known what happens."""
        for what, words in (("with its graph launched on", ["graph", "4"]),
                            ("after its graph was launched last", ["retired", "4", "0.8"])):
            process = self.start("always_" + words[0], ["--duration", "1s", "--detach", "always"], words)
            _, err = process.communicate(timeout=120)
            tell(f"--detach always, {what}", f"exit status {process.returncode}; {err.strip()[-200:]}")


NAMES = ["one", "every", "idle", "together", "graph", "late", "always"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("bin")
    arguments.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(os.path.abspath(given.bin), folder)
        for name in given.only:
            getattr(cases, name)()
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
