#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the truth for predictions of `lanes whatif`: pairs of variants at other sizes than the shipped ones.

    tests/gpu/whatif_truth.py OUT [--lanes LANES] [--repeat 5] [--seconds 400] [--size SIZE]... [--workload NAME]...
    tests/gpu/whatif_truth.py OUT --two-gpus      # what needs two GPUs, and kernels that memory binds

On a machine with a GPU. Each size goes into a folder of OUT, with a recording of each variant: the median of --repeat runs
of one session. Workloads are the shipped ones and those in whatif/ beside this file. Those that need more GPUs than there
are, and those that have not begun after --seconds, are left out and named. Exit status 1 if a run failed. NCCL's multicast
needs rights that containers often lack: NCCL_NVLS_ENABLE is 0 unless set. With --device model it runs anywhere. Then
bench_whatif OUT/*/ needs no GPU.
"""
import argparse
import json
import os
import subprocess
import sys
import time

# The workloads whose variants a change connects, and what makes them larger besides bytes and times of kernels.
WORKLOADS = ["pageable-or-pinned", "cpu-work-while-copying", "copy-results-back", "read-too-early", "data-loader",
             "item-every-batch", "two-streams", "default-stream", "events-across-streams", "copies-both-ways",
             "allocate-in-the-loop", "prefetcher", "offload", "hidden-syncs", "cuda-graph", "launch-blocking", "two-gpus",
             "all-reduce", "memory-kernels", "memory-copies", "buckets", "small-copies", "pieces", "pageable-stream",
             "dealt-kernels", "load-each-turn", "wait-each-time"]
# With --two-gpus only these, the most important first.
TWO_GPUS = ["buckets", "all-reduce", "two-gpus", "memory-kernels", "memory-copies", "small-copies"]
# A factor of each parameter's default, or its value.
SIZES = {
    "shipped": {},
    "memory": {"work": "memory"},
    "memory-full": {"work": "memory", "blocks": "all"},
    "full": {"blocks": "all"},
    "bytes-eighth": {"bytes": 1 / 8},
    "bytes-4": {"bytes": 4},
    "kernels-quarter": {"kernel_time": 1 / 4},
    "kernels-4": {"kernel_time": 4},
    "pieces": {"chunks": 1 / 4, "buckets": 4, "layers": 3, "kernels": 3, "rounds": 1 / 2, "matrices": 2, "batches": 1 / 2},
    "buckets-2": {"buckets": "2"},
    "buckets-8": {"buckets": "8", "bytes": 1 / 2, "kernel_time": 1 / 2},
    "buckets-32": {"buckets": "32", "bytes": 1 / 8, "kernel_time": 1 / 8},
}
HERE = os.path.dirname(os.path.abspath(__file__))
TWO_GPUS_SIZES = ["shipped", "buckets-8", "memory", "kernels-quarter", "buckets-2", "buckets-32", "bytes-eighth", "full",
                  "memory-full", "kernels-4", "bytes-4", "pieces"]
ALSO = os.path.join(HERE, "whatif")
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "us": 1e3, "ms": 1e6, "s": 1e9}


def number(text):
    value, _, unit = text.partition(" ")
    return float(value) * UNITS.get(unit, 1)


def scaled(parameter, factor):
    """The default times the factor, as written in a workload, within its limits; None: there is no such value."""
    if isinstance(factor, str):
        return factor if factor in (parameter.get("one_of") or [factor]) else None
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
    words.add_argument("--workload", action="append", choices=WORKLOADS, help="this one alone; may be given again")
    words.add_argument("--two-gpus", action="store_true", help="what needs two GPUs, and kernels that memory binds")
    words.add_argument("--lanes", default="lanes")
    words.add_argument("--repeat", type=int, default=5)
    words.add_argument("--seconds", type=float, default=400)
    words.add_argument("--device", default="cuda")
    given = words.parse_args()
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
    said = lambda *these: json.loads(subprocess.run([given.lanes, *these, "--json=full"], check=True, stdout=subprocess.PIPE).stdout)
    gpus = len(said("doctor")["gpus"]) if given.device == "cuda" else 2
    begun, failed, left_out = time.monotonic(), 0, []
    names = given.workload or (TWO_GPUS if given.two_gpus else WORKLOADS)
    for size in given.size or (TWO_GPUS_SIZES if given.two_gpus else SIZES):
        folder = os.path.join(given.out, size)
        for name in names:
            also = os.path.join(ALSO, name + ".yaml")
            path = also if os.path.exists(also) else name
            shown = said("show", path)
            sets = []
            for parameter in shown["parameters"]:
                factor = SIZES[size].get(parameter["name"])
                # A variant is about what it sets, so that stays.
                if factor is None or any(parameter["name"] in variant["values"] for variant in shown["variants"]):
                    continue
                value = scaled(parameter, factor)
                if value is not None:
                    sets += ["--set", "%s=%s" % (parameter["name"], value)]
            fixed = [key for key, value in SIZES[size].items() if isinstance(value, str)]
            if bool(sets) != (size != "shipped") or any(not any(word.startswith(key + "=") for word in sets) for key in fixed):
                continue  # this size equals another one
            if shown["gpus"] > gpus or time.monotonic() - begun > given.seconds:
                left_out.append(size + "/" + name)
                continue
            os.makedirs(folder, exist_ok=True)
            from_here = time.monotonic()
            done = subprocess.run([given.lanes, "run", path, "--device", given.device, "--repeat", str(given.repeat), "-o", folder]
                                  + sets, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            failed += done.returncode != 0
            print("%s %s %s: %.0f s\n%s" % (size, name, " ".join(sets[1::2]), time.monotonic() - from_here, done.stdout), flush=True)
    print("%d failed; left out: %s" % (failed, ", ".join(left_out) or "nothing"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
