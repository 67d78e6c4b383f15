# SPDX-License-Identifier: MIT
"""On a machine with a GPU and nvcc, in a minute: what `lanes record --graphs whole` records, and what it costs.

    graphs_whole.py BIN [--rounds N]    BIN: the folder of lanes and its probe

A graph of 50 kernels is launched 1000 times: without a recorder, recorded by nodes, and as a whole, in turn. Prints the
time of a launch as a multiple of that without a recorder in the same round (median and range), and a line a check.
`--graphs auto` records the first ten launches by nodes: that CUPTI changes over for a graph, and back for a second one, is
checked with graphs_whole.cu's mode of two graphs. Exit status 1 if a check fails. NVCC names the compiler.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LAUNCHES, ROUNDS_OF_PROGRAM, NODES = 1000, 5, 50
failed = []


def expect(what, good, found):
    print(f"{'ok  ' if good else 'FAIL'} {what}: {found}", flush=True)
    if not good:
        failed.append(what)


def operations_of(report):
    return sum(stream["operations"] for gpu in report["gpu"] for stream in gpu["streams"])


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("bin")
    arguments.add_argument("--rounds", type=int, default=9)
    given = arguments.parse_args()
    lanes = os.path.join(os.path.abspath(given.bin), "lanes")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "graphs_whole")
        subprocess.run([os.environ.get("NVCC", "nvcc"), "-O2", "-arch=native", "-o", program,
                        os.path.join(HERE, "graphs_whole.cu")], check=True)
        files = {way: os.path.join(folder, way + ".sqlite") for way in ("nodes", "whole", "auto")}
        ratios = {way: [] for way in files}
        for _ in range(given.rounds):
            def time_of(*before):
                done = subprocess.run([*before, program, str(LAUNCHES)], capture_output=True, text=True, check=True)
                return float(done.stdout.split()[-1])
            alone = time_of()
            for way, file in files.items():
                ratios[way].append(time_of(lanes, "record", "--graphs", way, "-o", file, "--") / alone)
        for way, all_of in ratios.items():
            print(f"{way}: {statistics.median(all_of):.2f} ({min(all_of):.2f} to {max(all_of):.2f})")
        for way, kernels in (("nodes", LAUNCHES * ROUNDS_OF_PROGRAM * NODES), ("whole", LAUNCHES * ROUNDS_OF_PROGRAM)):
            text = subprocess.run([lanes, "report", files[way], "--json=full"], capture_output=True, text=True).stdout
            report = json.loads(text)
            found = operations_of(report)
            expect(f"{way}: operations", found == kernels, found)
            expect(f"{way}: the number of kernels is known", (report["counts"]["kernels"] is None) == (way == "whole"),
                   report["counts"]["kernels"])
            said = "recorded as a whole" in subprocess.run(
                [lanes, "report", files[way]], capture_output=True, text=True, env={**os.environ, "LANG": "C"}).stdout
            expect(f"{way}: said", said == (way == "whole"), said)
            busy = report["gpu_busy_ns"] if "gpu_busy_ns" in report else report.get("totals", {}).get("gpu_busy_ns")
            print(f"{way}: busy {busy} ns")
        by_nodes = 10
        report = json.loads(subprocess.run([lanes, "report", files["auto"], "--json=full"], capture_output=True,
                                           text=True).stdout)
        expected = by_nodes * NODES + LAUNCHES * ROUNDS_OF_PROGRAM - by_nodes
        expect("auto: operations", operations_of(report) == expected, f"{operations_of(report)}, expected {expected}")
        # Two graphs: A 30 times, B 30 times, both in turn, 30 times each.
        file = os.path.join(folder, "two.sqlite")
        done = subprocess.run([lanes, "record", "--graphs", "auto", "-o", file, "--", program, "30", "two"],
                              capture_output=True, text=True)
        expect("auto, two graphs: exit status", done.returncode == 0, done.stderr.strip()[-200:])
        table = json.loads(subprocess.run([lanes, "summary", file, "--by", "kernel", "--json=full"], capture_output=True,
                                          text=True).stdout)["tables"][0]["rows"]
        whole = {row["name"]: row["count"] for row in table if row["name"].startswith("CUDA graph ")}
        kernels = sum(row["count"] for row in table if row["name"] not in whole)
        expect("auto, two graphs: kernels by nodes", kernels == 2 * by_nodes * NODES, kernels)
        expect("auto, two graphs: launches as a whole", sorted(whole.values()) == [60 - by_nodes] * 2, whole)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
