#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills runs at random times and checks what they leave.

  tests/engine/run/kills/kills.py --lanes build/bin/lanes [--times 100] [--seed N] [--device cuda] [-- PROGRAM...]

Runs a workload (on the model device by default), or records PROGRAM, once whole to learn how long that takes; then again
and again, each with a SIGKILL to all its processes at a random time within that. Checked: a recording is there whole or
not at all; a spool opens, holds nothing that the whole one lacks, and says that it is cut short unless it holds all of
it; beside them is at most the file that was being written, and the next run removes that, keeps the spool under
another name, and leaves nothing else. Exit status 1: something was different, with a line for each.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

NAME = "run"


def start(words, folder):
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            start_new_session=True)


def whole(words, folder):
    began = time.monotonic()
    process = start(words, folder)
    said = process.communicate()[1]
    if process.returncode != 0:
        sys.exit(f"kills: {' '.join(words)} ended with {process.returncode}: {said}")
    return time.monotonic() - began


def killed(words, folder, after):
    process = start(words, folder)
    try:
        process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def report(lanes, file):
    """The report, or the message in its place."""
    ended = subprocess.run([lanes, "report", "--json=full", file], capture_output=True, text=True)
    return json.loads(ended.stdout) if ended.returncode == 0 else f"{ended.returncode}: {ended.stderr.strip()}"


def operations(of):
    return of["counts"]["kernels"] + of["counts"]["copies"] + of["counts"]["memsets"]


def left_by(lanes, folder, most, seen):
    """What is wrong with the files there, a line each."""
    for path in sorted(folder.iterdir()):
        name = path.name
        if name == f"{NAME}.sqlite":
            of = report(lanes, path)
            seen["whole"] += 1
            if isinstance(of, str) or not of["complete"] or operations(of) != most:
                yield f"{name} is no whole recording: {of if isinstance(of, str) else (of['complete'], of['counts'])}"
        elif name == f"{NAME}.spool":
            of = report(lanes, path)
            if isinstance(of, str):
                seen["nothing yet"] += 1
                if "no valid chunk" not in of or path.stat().st_size > 65536:
                    yield f"{name} of {path.stat().st_size} bytes does not open: {of}"
            else:
                seen["all spooled" if of["complete"] else "cut short"] += 1
                if operations(of) > most or (of["complete"] and operations(of) != most):
                    yield f"{name} does not say that it is cut short: {of['counts']}"
        elif name.startswith(f"{NAME}.sqlite.partial-"):
            seen["while saving"] += 1
        else:
            yield f"{name} lies there"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lanes", required=True)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--device", default="model")
    parser.add_argument("program", nargs="*")
    arguments = parser.parse_args()
    lanes = os.path.abspath(arguments.lanes)
    seed = random.randrange(1 << 32) if arguments.seed is None else arguments.seed
    rng = random.Random(seed)
    output = ["-o", f"{NAME}.sqlite"]
    if arguments.program:
        words = [lanes, "record", *output, "--", *arguments.program]
    else:
        words = [lanes, "run", "item-every-batch", "--variant", "every", "--device", arguments.device, "--set",
                 "batches=300", "--set", "kernels=50", *output]
    wrong = 0
    # "nothing yet": a spool without a chunk is not kept.
    seen = dict.fromkeys(["whole", "cut short", "all spooled", "nothing yet", "while saving", "not kept"], 0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        length = whole(words, folder)
        most = operations(report(lanes, folder / f"{NAME}.sqlite"))
        for path in folder.iterdir():
            path.unlink()
        print(f"seed {seed}; a whole run takes {length:.2f} s and has {most} operations")
        for turn in range(arguments.times):
            after = rng.uniform(0, length)
            killed(words, folder, after)
            lines = list(left_by(lanes, folder, most, seen))
            spooled = (folder / f"{NAME}.spool").exists()
            whole(words, folder)
            names = sorted(path.name for path in folder.iterdir())
            expected = [f"{NAME}.killed-1.spool"] * spooled + [f"{NAME}.sqlite"]
            if names != expected and names != expected[-1:]:
                lines.append(f"the next run left {', '.join(names)}, expected {', '.join(expected)}")
            if spooled and len(names) == 1:
                seen["not kept"] += 1
            for path in folder.iterdir():
                path.unlink()
            for line in lines:
                print(f"  turn {turn}, killed after {after:.3f} s: {line}")
            wrong += 1 if lines else 0
    print(f"{arguments.times} killed, {wrong} wrong; " + ", ".join(f"{what}: {count}" for what, count in seen.items()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
