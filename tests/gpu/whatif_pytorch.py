#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pairs of PyTorch programs that a change connects: how long each takes with and without the recorder, and how near
`lanes whatif` comes.

    tests/gpu/whatif_pytorch.py OUT [--lanes LANES] [--rounds 3] [--seconds 150] [--pair NAME]... [--dry-run]
    tests/gpu/whatif_pytorch.py OUT --two-gpus    # instead the pairs of two ranks under torchrun, both in one recording
    tests/gpu/whatif_pytorch.py OUT --predict     # compares the predictions with recordings that are in OUT

On a machine with a GPU and PyTorch 2. Each program runs in a separate process: it makes its data, warms up, waits for
its turn and runs its loop once under `lanes record --capture-range cudaProfilerApi`; programs of a round start together
and run one at a time, before and after alternating. After each round OUT has NAME.before.sqlite and NAME.after.sqlite, the
median of the rounds so far, times.txt, and pairs.txt in the form of resources/workloads/changes.txt. The predictions
are made at the end, several at once, with a minute at most for each; --predict makes them anywhere, without a GPU and
PyTorch. Exit status 1 if a program failed.
NCCL's multicast needs rights that containers often lack: NCCL_NVLS_ENABLE is 0 unless set.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

from pytorch_programs import PAIRS, TWO_GPUS, WITH_RANGES, Programs

ALL = {**PAIRS, **TWO_GPUS}
VARIANTS = ["before", "after"]


class Ranks:
    """Messages between the ranks of a program without their GPUs, which another program uses while they wait."""

    def __init__(self, torch):
        self.rank = int(os.environ.get("LOCAL_RANK", "0"))
        self.count = int(os.environ.get("WORLD_SIZE", "1"))
        self.met = 0
        if self.count > 1:
            torch.cuda.set_device(self.rank)
            torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", self.rank))
            self.store = torch.distributed.distributed_c10d._get_default_store()

    def meet(self):
        if self.count > 1:
            self.met += 1
            if self.store.add(f"met {self.met}", 1) == self.count:
                self.store.set(f"all {self.met}", "")
            self.store.wait([f"all {self.met}"])

    def say(self, words):
        """Waits until all ranks are there."""
        self.meet()
        if self.rank == 0:
            print(words, flush=True)

    def listen(self):
        if self.rank == 0:
            sys.stdin.readline()
        self.meet()


def program(name, variant, loops, device):
    """One program: reports when it is warm, runs its loop on request, reports how many ms each took, ends on request."""
    import torch

    ranks = Ranks(torch)
    programs = Programs(f"cuda:{ranks.rank}" if ranks.count > 1 else device)
    cuda = torch.cuda
    loop = getattr(programs, name)(variant == "after")
    for _ in range(3):
        loop()
        cuda.synchronize()
    ranks.say("ready")
    ranks.listen()
    times = []
    cuda.profiler.start()
    for _ in range(loops):
        ranks.meet()
        begun = time.perf_counter()
        loop()
        cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - begun))
    cuda.profiler.stop()
    ranks.say("done " + json.dumps(times))
    ranks.listen()
    if ranks.count > 1:
        torch.distributed.destroy_process_group()


def words_of(given, name, variant, file):
    ranks = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"] if name in TWO_GPUS else []
    words = [sys.executable, *ranks, os.path.abspath(__file__), given.out, "--program", name, "--variant", variant,
             "--device", given.device, "--loops", "1" if file else "7"]
    ranges = ["--pytorch"] if name in WITH_RANGES else []
    return [given.lanes, "record", *ranges, "--capture-range", "cudaProfilerApi", "-o", file, "--", *words] if file else words


class Started:
    def __init__(self, given, name, variant, file):
        self.name, self.variant, self.file = name, variant, file
        self.words, self.said, self.times = words_of(given, name, variant, file), [], []
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def until(self, word):
        """Its line that begins with this; None: it ended without one."""
        for line in self.process.stdout:
            if line.startswith(word):
                return line[len(word):]
            self.said.append(line)
        return None

    def tell(self):
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass


def run_batch(given, names, recorded, number):
    """Each program of each pair once; those that fail are reported and left out."""
    started = []
    for name in names:
        for variant in VARIANTS:
            file = os.path.join(given.out, "rounds", f"{name}.{variant}.{number}.sqlite") if recorded else None
            started.append(Started(given, name, variant, file))
    ready = [one for one in started if one.until("ready") is not None]
    time.sleep(0.5)  # the work that the last ones began is over
    for one in ready:
        one.tell()
        one.times = json.loads(one.until("done ") or "[]")
    for one in started:
        one.tell()
    done = []
    for one in started:
        one.said.append(one.process.communicate()[0])
        if one.process.returncode == 0 and one.times and (not recorded or os.path.exists(one.file)):
            done.append(one)
        else:
            print(f"FAIL {' '.join(one.words)}\n{''.join(one.said)[-1500:]}", flush=True)
    return done, len(started) - len(done)


def keep(given, names, recorded, unrecorded, rounds):
    """Keeps each program's median recording and the table of times; returns the table."""
    lines = [f"{'ms':18} {'recorded A':>11} {'B':>9} {'unrecorded A':>13} {'B':>9}   {rounds}"]
    for name in names:
        cells = []
        for variant in VARIANTS:
            runs = sorted(recorded.get((name, variant), []))
            if runs:
                took, file = runs[(len(runs) - 1) // 2]
                shutil.copyfile(file, os.path.join(given.out, f"{name}.{variant}.sqlite"))
            cells.append(took if runs else float("nan"))
        cells += [unrecorded.get((name, variant), float("nan")) for variant in VARIANTS]
        lines.append(f"{name:18} {cells[0]:11.2f} {cells[1]:9.2f} {cells[2]:13.2f} {cells[3]:9.2f}")
    with open(os.path.join(given.out, "times.txt"), "w") as times:
        times.write("\n".join(lines) + "\n")
    return "\n".join(lines)


def record(given):
    names = given.pair or list(TWO_GPUS if given.two_gpus else PAIRS)
    if given.dry_run:
        for name in names:
            for variant in VARIANTS:
                for file in (f"{given.out}/rounds/{name}.{variant}.0.sqlite", None):
                    print(" ".join(words_of(given, name, variant, file)))
        return 0
    os.makedirs(os.path.join(given.out, "rounds"), exist_ok=True)
    begun, longest, failed = time.monotonic(), 0, 0
    recorded, unrecorded, rounds, times = {}, {}, 0, "nothing was recorded"
    with open(os.path.join(given.out, "pairs.txt"), "w") as pairs:
        pairs.write("# name | before | after | changes | by how many % the prediction may be off\n")
        for name in names:
            if ALL[name]:
                pairs.write(f"{name} | before | after | {ALL[name]} | 15\n")
    # Without the recorder a program runs its loop seven times at once, after the first round.
    for is_recorded, number in [(True, 0), (False, 0)] + [(True, i) for i in range(1, given.rounds)]:
        from_here = time.monotonic()
        if from_here - begun + longest > given.seconds:
            print(f"after {from_here - begun:.0f} s no further round")
            break
        done, less = run_batch(given, names, is_recorded, number)
        failed += less
        rounds += is_recorded
        longest = max(longest, time.monotonic() - from_here)
        for one in done:
            if is_recorded:
                recorded.setdefault((one.name, one.variant), []).append((one.times[0], one.file))
            else:
                unrecorded[one.name, one.variant] = statistics.median(one.times)
        times = keep(given, names, recorded, unrecorded, f"{rounds} rounds, {time.monotonic() - begun:.0f} s")
    print(times)
    shutil.rmtree(os.path.join(given.out, "rounds"))
    return failed


def said(words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return f"no answer within a minute: {' '.join(words)}"
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout.startswith("{") else done.stdout.strip()


def judge(given, name):
    """The prediction from before, and the recording of after: returns the line for it, how far the prediction is off
    (None if there is only a range) and whether its interval holds."""
    changes, files = ALL[name], files_of(given, name)
    words = []
    for change in changes.split():
        kind, _, amount = change.partition("=")
        words += ["--" + kind] + ([amount] if amount else [])
    told = said([given.lanes, "whatif", files[0], *words, "--json=full"])
    truth = said([given.lanes, "report", files[1], "--json=full"])
    if isinstance(told, str) or isinstance(truth, str):
        return f"{name:18} {changes:18} {told if isinstance(told, str) else truth}", None
    head = f"{name:18} {changes:18} {told['measured_total_ns'] / 1e6:9.3f} {truth['wall_ns'] / 1e6:9.3f}"
    if told["refused"] or not told["changes"]:
        return f"{head} none: {'; '.join(told['refused']) or 'nothing to change'}", None
    one = told["changes"][0]
    error = one["predicted_total_ns"] / truth["wall_ns"] - 1
    holds = one["low_ns"] <= truth["wall_ns"] <= one["high_ns"]
    return (f"{head} {one['predicted_total_ns'] / 1e6:9.3f} {100 * error:+6.1f}{' (range alone)' if one['wide'] else ''}  "
            f"{one['low_ns'] / 1e6:.2f} to {one['high_ns'] / 1e6:.2f} ms{'' if holds else ': no'}, {one['class']}",
            (None if one["wide"] else abs(error), holds))


def files_of(given, name):
    return [os.path.join(given.out, f"{name}.{variant}.sqlite") for variant in VARIANTS]


def predict(given):
    print(f"{'name':18} {'changes':18} {'A ms':>9} {'B ms':>9} {'predicted':>9}  error  within")
    names = [name for name in ALL if ALL[name] and (not given.pair or name in given.pair)
             and all(map(os.path.exists, files_of(given, name)))]
    found = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line, result in pool.map(lambda name: judge(given, name), names):
            print(line, flush=True)
            found += [result] if result else []
    off = [error for error, _ in found if error is not None]
    if off:
        print(f"{len(found)} pairs, the interval holds {sum(holds for _, holds in found)}; {len(off)} with a number: "
              f"median error {100 * statistics.median(off):.1f} %, most {100 * max(off):.1f} %")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("out", metavar="OUT")
    words.add_argument("--lanes", default="lanes")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--seconds", type=float, default=150, help="begin no round that would end later")
    words.add_argument("--pair", action="append", choices=list(ALL), help="this one alone; may be given again")
    words.add_argument("--two-gpus", action="store_true", help="the pairs of two ranks")
    words.add_argument("--dry-run", action="store_true", help="print what would be run")
    words.add_argument("--predict", action="store_true", help="record nothing")
    words.add_argument("--device", default="cuda")
    words.add_argument("--program", help=argparse.SUPPRESS)
    words.add_argument("--variant", help=argparse.SUPPRESS)
    words.add_argument("--loops", type=int, default=1, help=argparse.SUPPRESS)
    given = words.parse_args()
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
    if given.program:
        program(given.program, given.variant, given.loops, given.device)
        return 0
    failed = 0 if given.predict else record(given)
    if not given.dry_run:
        predict(given)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
