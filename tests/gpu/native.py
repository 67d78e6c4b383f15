# SPDX-License-Identifier: MIT
"""The recorder beside programs without PyTorch, on a machine with a GPU and nvcc:

    native.py BIN overhead [--rounds 9]                           a launch-bound loop with and without `lanes record`, interleaved
    native.py BIN kills [--times 100] [--at-once 4] [--seed N]    kill -9 at random moments: of the program, and of all
    native.py BIN stress [--operations 10000000] [--seconds 100]  64 threads on 64 streams, every count exact

BIN holds lanes and its probe. Prints a line a check; exit status 1 if one fails."""
import argparse
import array
import collections
import concurrent.futures
import json
import os
import random
import resource
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
failures = []


def check(good, words):
    print(("ok   " if good else "FAIL ") + words, flush=True)
    if not good:
        failures.append(words)


def ran(words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.returncode}: {done.stderr[-1500:]}")
    return done


def overhead(lanes, native, folder, words):
    """Ratios within a round, so that other load on the host affects both."""
    launches = str(int(50_000 * 0.8 / float(ran([native, "loop", "50000"]).stdout) / 100) * 100)
    file = os.path.join(folder, "loop.sqlite")
    times = collections.defaultdict(list)
    for turn in range(words.rounds):
        ways = [("none", []), ("record", [lanes, "record", "-o", file, "--"])]
        for name, before in ways if turn % 2 == 0 else ways[::-1]:
            times[name].append(float(ran([*before, native, "loop", launches]).stdout.splitlines()[-1]))
    ratios = [a / b for a, b in zip(times["record"], times["none"])]
    print(f"native loop, {launches} launches, {len(ratios)} interleaved rounds: {min(times['none']) / int(launches) * 1e6:.2f} us a launch at least")
    print(f"{'':26} {'median':>7} {'least':>7} {'most':>7}")
    print(f"{'lanes record':26} {statistics.median(ratios):7.2f} {min(ratios):7.2f} {max(ratios):7.2f}")
    check(statistics.median(ratios) <= 1.25, "native loop: at most 1.25")
    counts = json.loads(ran([lanes, "report", "--json=full", file]).stdout)["counts"]
    check(counts["kernels"] == int(launches) + 1000 and counts["dropped"] == 0, f"native loop: {counts['kernels']} kernels, {counts['dropped']} dropped")


def kill_once(lanes, native, folder, turn, after, everything):
    """What a killed run has lost: (what went wrong or None, kernels that ended before the last 0.25 s and are not there, ms lost)."""
    name = f"turn-{turn}"
    done, recording, spool = (os.path.join(folder, name + end) for end in (".progress", ".sqlite", ".spool"))
    process = subprocess.Popen([lanes, "record", "-o", recording, "--", native, "progress", done, "20000"], cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
    until = time.monotonic() + 60
    while not (os.path.exists(done) and os.path.getsize(done) > 16 and progress_of(done)[1] > 0):
        if process.poll() is not None or time.monotonic() > until:
            os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None
            return f"it never began: {process.communicate()[1][-300:]}", 0, 0
        time.sleep(0.005)
    time.sleep(after)
    killed_at = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    try:
        os.killpg(process.pid, signal.SIGKILL) if everything else os.kill(progress_of(done)[0], signal.SIGKILL)
    except ProcessLookupError:
        pass
    said = process.communicate()[1]
    file = spool if everything else recording
    opened = subprocess.run([lanes, "report", "--json=full", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # A run that was killed at once has no chunk yet; whether it should have one is checked below.
    nothing_yet = "no valid chunk" in opened.stderr
    if opened.returncode != 0 and not nothing_yet:
        return f"{os.path.basename(file)} does not open: {opened.stderr.strip()[-300:]} {said[-300:]}", 0, 0
    _, ended, ends = progress_of(done)
    recorded = 0 if nothing_yet else json.loads(opened.stdout)["counts"]["kernels"]
    # The program was inside the launch after the last one that it reported.
    wrong = f"{recorded} kernels recorded, {ended} launched" if recorded > ended + 1 else None
    old = sum(1 for end in ends if end < killed_at - 250_000_000)
    lost_ms = (killed_at - ends[recorded]) / 1e6 if recorded < ended else 0
    for path in (done, recording, spool):
        if os.path.exists(path):
            os.unlink(path)
    return wrong, max(0, old - recorded), lost_ms


def progress_of(path):
    words = array.array("Q")
    with open(path, "rb") as file:
        words.frombytes(file.read())
    return words[0], words[1], words[2:2 + words[1]]


def kills(lanes, native, folder, words):
    rng = random.Random(words.seed)
    turns = [(turn, rng.uniform(0, 1.0), turn % 2 == 0) for turn in range(words.times)]
    with concurrent.futures.ThreadPoolExecutor(words.at_once) as pool:
        results = list(pool.map(lambda one: kill_once(lanes, native, folder, *one), turns))
    wrong = [f"turn {turn[0]}, {'all' if turn[2] else 'the program'} killed: {result[0]}" for turn, result in zip(turns, results) if result[0]]
    for line in wrong[:10]:
        print("     " + line)
    check(not wrong, f"kills: {len(results)} runs killed (seed {words.seed}), {len(wrong)} wrong")
    late = [result[1] for result in results if result[1]]
    lost = sorted(result[2] for result in results if not result[0])
    check(not late, f"kills: {len(late)} runs lost kernels that ended more than 0.25 s before; {len(lost)} open, lost of the end at median "
          f"{statistics.median(lost) if lost else 0:.0f} ms, at most {lost[-1] if lost else 0:.0f} ms")


def stress(lanes, native, folder, words):
    threads = 64
    file = os.path.join(folder, "stress.sqlite")
    began = time.monotonic()
    done = ran([lanes, "record", "-o", file, "--", native, "stress", str(threads), str(words.operations), str(words.seconds)])
    told = json.loads(done.stdout.splitlines()[-1])
    operations = told["kernels"] + told["copies"] + told["memsets"]
    lanes_peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(f"stress: {operations} operations of {threads} threads in {told['seconds']:.1f} s ({operations / told['seconds'] / 1e3:.0f} thousand a second), recorded and saved "
          f"in {time.monotonic() - began:.0f} s, {os.path.getsize(file) / operations:.0f} bytes an operation; the program's peak {told['peak'] / 1e6:.0f} MB, "
          f"the largest of all processes {lanes_peak / 1e6:.0f} MB")
    for line in done.stderr.splitlines():
        print("     " + line)
    check("dropped" not in done.stderr, "stress: no word of dropped records")
    db = sqlite3.connect(file)
    for table, kind in (("KERNEL", "kernels"), ("MEMCPY", "copies"), ("MEMSET", "memsets")):
        streams = db.execute(f"select streamId, count(*) from CUPTI_ACTIVITY_KIND_{table} group by streamId").fetchall()
        found = sum(count for _, count in streams)
        each = sorted({count for _, count in streams})
        check(found == told[kind], f"stress: {found} {kind} recorded, {told[kind]} launched, on {len(streams)} streams, {each[0]} to {each[-1]} each")
    launches = db.execute("select count(*) from CUPTI_ACTIVITY_KIND_RUNTIME r join StringIds s on s.id = r.nameId where s.value like 'cudaLaunchKernel%'").fetchone()[0]
    check(launches == told["kernels"], f"stress: {launches} launches recorded")
    check(operations == words.operations // threads * threads, f"stress: {words.operations} operations asked for")
    for first in (True, False):
        began = time.monotonic()
        counts = json.loads(ran([lanes, "report", "--json=full", file]).stdout)["counts"]
        print(f"     lanes report, {'first' if first else 'second'} time: {time.monotonic() - began:.1f} s")
    check(counts["kernels"] == told["kernels"] and counts["dropped"] == 0, f"stress: the report has {counts['kernels']} kernels, {counts['dropped']} dropped")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("part", choices=["overhead", "kills", "stress"])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--operations", type=int, default=10_000_000)
    parser.add_argument("--seconds", type=int, default=100)
    words = parser.parse_args()
    lanes = os.path.join(os.path.abspath(words.bin), "lanes")
    with tempfile.TemporaryDirectory() as folder:
        native = os.path.join(folder, "native")
        ran([os.environ.get("NVCC", "nvcc"), "-O2", "-std=c++17", "-arch=native", "-o", native, os.path.join(HERE, "native.cu")])
        {"overhead": overhead, "kills": kills, "stress": stress}[words.part](lanes, native, folder, words)
    print(f"{words.part}: {len(failures)} checks failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
