#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ends a program at random times in every way, with and without `lanes record`: it must end as it would alone, and
if launches are missing in the recording, the recording must say that records may be missing.

    tests/gpu/ends.py LANES [ROUNDS]      100 rounds unless said; needs a GPU and nvcc; some 2 s a round
"""
import collections
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

WAYS = ("exit", "_exit", "_Exit", "quick_exit", "abort", "segv", "kill", "term", "hup", "exec", "rawexit")


def launches(lanes, file):
    rows = subprocess.run([lanes, "summary", file, "--by", "api", "--json=full"], capture_output=True, text=True).stdout
    return sum(
        row["count"]
        for table in json.loads(rows)["tables"]
        for row in table["rows"]
        if row["name"].startswith("cudaLaunchKernel")
    )


def main():
    lanes, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    folder = pathlib.Path(tempfile.mkdtemp())
    source = pathlib.Path(__file__).with_name("ends.cu")
    program = folder / "ends"
    subprocess.run(["nvcc", "-std=c++17", "-arch=native", "-o", program, source, "-Xcompiler", "-pthread"], check=True)
    alone = {}
    for way in WAYS:
        alone[way] = subprocess.run([program, way, "1", "50", folder / "count"], stderr=subprocess.DEVNULL).returncode
    failed = 0
    seen = collections.defaultdict(lambda: [0, 0, 0, 0])  # rounds, with a loss, reported, largest loss
    for number in range(rounds):
        way = WAYS[number % len(WAYS)]
        threads, wait = random.randint(1, 3), random.randint(20, 700)
        counter, file = folder / "count", folder / "x.sqlite"
        file.unlink(missing_ok=True)
        ended = subprocess.run(
            [lanes, "record", "-o", file, "--", program, way, str(threads), str(wait), counter],
            capture_output=True, text=True,
        )
        made = struct.unpack("<Q", counter.read_bytes())[0]
        status = alone[way] if alone[way] >= 0 else 128 - alone[way]
        # While other threads launch, exit destroys what they use: the result is chance, also without the recorder.
        problem = "" if ended.returncode == status or way == "exit" else f"exit status {ended.returncode}, alone {status}"
        said = "without a last flush" in ended.stderr or "nothing was recorded" in ended.stderr
        got = 0
        if file.exists():
            got = launches(lanes, file)
            report = json.loads(subprocess.run([lanes, "report", file, "--json=full"], capture_output=True, text=True).stdout)
            if said and report["complete"]:
                problem += " said on stderr, and the recording is complete;"
            said = said and not report["complete"]
        row = seen[way]
        row[0] += 1
        row[1] += got < made
        row[2] += said
        row[3] = max(row[3], made - got)
        if got < made and not said:
            problem += f" {made - got} of {made} launches are missing and nothing says so;"
        if problem:
            failed += 1
            print(f"FAIL  {way} {threads} threads {wait} ms: {problem}\n{ended.stderr}")
    for way, (count, lost, said, most) in seen.items():
        print(f"{way:11} {count} rounds, launches missing in {lost} (at most {most}), said in {said}")
    print(f"{rounds} ends, {failed} failed")
    return failed != 0


sys.exit(main())
