#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the truth that predictions of `lanes whatif` are held to: pairs of variants at other sizes than the shipped ones.

    tests/gpu/whatif_truth.py OUT [--lanes LANES] [--repeat 5] [--seconds 400] [--size SIZE]...

On a machine with a GPU. Each size goes into a folder of OUT, with a recording of each variant: the median of --repeat runs
of one sitting. Workloads that need more GPUs than there are are left out, and what has not begun after --seconds too; both
are said. Exit status 1 if a run failed. The benchmark bench_whatif takes such folders.
"""
import argparse
import json
import os
import subprocess
import sys
import time

# The workloads whose variants a change connects, and what else than bytes and times of kernels makes them larger.
WORKLOADS = ["pageable-or-pinned", "cpu-work-while-copying", "copy-results-back", "read-too-early", "data-loader",
             "item-every-batch", "two-streams", "default-stream", "events-across-streams", "copies-both-ways",
             "allocate-in-the-loop", "prefetcher", "offload", "hidden-syncs", "cuda-graph", "launch-blocking", "two-gpus",
             "all-reduce"]
SIZES = {
    "bytes-eighth": {"bytes": 1 / 8},
    "bytes-4": {"bytes": 4},
    "kernels-quarter": {"kernel_time": 1 / 4},
    "kernels-4": {"kernel_time": 4},
    "pieces": {"chunks": 1 / 4, "buckets": 4, "kernels": 3, "rounds": 1 / 2, "matrices": 2, "batches": 1 / 2},
}
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "us": 1e3, "ms": 1e6, "s": 1e9}


def number(text):
    value, _, unit = text.partition(" ")
    return float(value) * UNITS.get(unit, 1)


def scaled(parameter, factor):
    """The default times the factor as a workload's language writes it, within its limits; None: it is no number."""
    if parameter["type"] not in ("bytes", "time", "number"):
        return None
    value = number(parameter["default"]) * factor
    if parameter["min"] is not None:
        value = max(value, number(parameter["min"]))
    if parameter["max"] is not None:
        value = min(value, number(parameter["max"]))
    return {"bytes": "%d KiB" % (value / 1024), "time": "%d us" % (value / 1e3), "number": "%d" % value}[parameter["type"]]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("out", metavar="OUT")
    words.add_argument("--size", action="append", choices=list(SIZES), help="this size alone; may be given again")
    words.add_argument("--lanes", default="lanes")
    words.add_argument("--repeat", type=int, default=5)
    words.add_argument("--seconds", type=float, default=400)
    words.add_argument("--device", default="cuda")
    given = words.parse_args()
    doctor = json.loads(subprocess.run([given.lanes, "doctor", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    begun, failed, left_out = time.monotonic(), 0, []
    for size in given.size or SIZES:
        folder = os.path.join(given.out, size)
        os.makedirs(folder, exist_ok=True)
        for name in WORKLOADS:
            shown = json.loads(subprocess.run([given.lanes, "show", name, "--json"], check=True, stdout=subprocess.PIPE).stdout)
            sets = []
            for parameter in shown["parameters"]:
                factor = SIZES[size].get(parameter["name"])
                value = scaled(parameter, factor) if factor else None
                if value is not None:
                    sets += ["--set", "%s=%s" % (parameter["name"], value)]
            if not sets:
                continue  # this size is the same as the shipped one
            if given.device == "cuda" and shown["gpus"] > len(doctor["gpus"]) or time.monotonic() - begun > given.seconds:
                left_out.append(size + "/" + name)
                continue
            done = subprocess.run([given.lanes, "run", name, "--device", given.device, "--repeat", str(given.repeat), "-o", folder]
                                  + sets, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            failed += done.returncode != 0
            print("%s %s %s\n%s" % (size, name, " ".join(sets[1::2]), done.stdout), flush=True)
    print("%d failed; left out: %s" % (failed, ", ".join(left_out) or "nothing"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
