# SPDX-License-Identifier: MIT
"""On a machine with a GPU, nvcc and, for the second half, PyTorch 2, in about five minutes: whether kernels lead to the
ranges in which they were launched or captured, and what recording that costs where graphs are made.

    owners.py BIN [OUT] [--only NAME...] [--rounds N]    BIN: the folder of lanes, its probe and its python folder

Prints a line a check, then two tables: the share of kernels with an owner and why the others have none, program by
program; and the cost of a node at capture and instantiation, with and without the recorder. Exit status 1 if a check
fails. NVCC names the compiler. The recordings and their operations as CSV stay in OUT.
"""
import argparse
import collections
import csv
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ["direct", "streams", "child", "clone", "update", "params", "built", "conditional", "threads"]
PROGRAMS = ["eager", "compiled", "graph", "reduce-overhead", "ddp", "decode"]
# CUPTI 13.0 says of a child graph's kernels neither which node of the executable graph they are nor of which it is a
# copy, and of the kernels of a conditional node's body no launch: these have no owner, and say why.
NO_OWNER = {("child", "k_child"): "capture", ("conditional", "k_child"): "call"}
LEAST_SHARE = 0.995  # of the kernels of each program of PyTorch

failed = []


def expect(what, good, found):
    print(f"{'ok  ' if good else 'FAIL'} {what}: {found}", flush=True)
    if not good:
        failed.append(what)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        print(f"FAIL {' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}", flush=True)
    return done


def operations(lanes, recording):
    """The rows of the recording's CSV."""
    table = os.path.splitext(recording)[0] + ".csv"
    if run([lanes, "convert", recording, table]).returncode != 0:
        return []
    with open(table, newline="") as file:
        return list(csv.DictReader(file))


def record(lanes, recording, command, *options):
    return run([lanes, "record", *options, "-o", recording, "--", *command]).returncode == 0


def check_cases(lanes, program, out, only):
    for case in CASES:
        if only and case not in only:
            continue
        recording = os.path.join(out, f"case-{case}.sqlite")
        if not record(lanes, recording, [program, case]):
            failed.append(case)
            continue
        rows = operations(lanes, recording)
        wrong = collections.Counter()
        for row in rows:
            name = row["name"].split("(")[0]
            wanted = name[2:] if name.startswith("k_") else "memset" if row["kind"] == "memset" else "copy"
            from_where = "launch" if case == "direct" else "capture"
            missing = NO_OWNER.get((case, name), "")
            expected = ("", "", missing) if missing else (wanted, from_where, "")
            if (row["range"], row["owner_from"], row["no_owner"]) != expected:
                wrong[f"{name} in {row['range'] or '-'} ({row['owner_from'] or row['no_owner']})"] += 1
        least = 20 if case == "direct" else 40 if case != "built" else 20
        expect(f"{case}: operations", len(rows) >= least, len(rows))
        expect(f"{case}: each has the range of its capture, or says why not", not wrong, dict(wrong) or f"{len(rows)} of {len(rows)}")


def check_programs(lanes, python, out, only):
    """Lines of the table."""
    lines = []
    for name in PROGRAMS:
        if only and name not in only:
            continue
        recording = os.path.join(out, f"pytorch-{name}.sqlite")
        if not record(lanes, recording, [python, os.path.join(HERE, "owners_pytorch.py"), name], "--pytorch"):
            failed.append(name)
            continue
        kernels = [row for row in operations(lanes, recording) if row["kind"] == "kernel"]
        count = len(kernels)
        have = collections.Counter()
        misses, unowned = collections.Counter(), collections.Counter()
        for row in kernels:
            for part in ("operator", "module", "line"):
                have[part] += bool(row[part])
            have[row["owner_from"]] += 1
            if not row["owner_from"]:
                misses[row["no_owner"]] += 1
                unowned[row["name"]] += 1
        owned = count - sum(misses.values())
        share = owned / count if count else 0
        expect(f"{name}: kernels with an owner", share >= LEAST_SHARE, f"{owned} of {count}, {share:.2%}")
        if name in ("graph", "reduce-overhead", "decode"):
            expect(f"{name}: kernels that lead to their capture", have["capture"] > 0, have["capture"])
        for kernel, times in unowned.most_common(5):
            print(f"     without: {times} of {kernel[:80]}")
        lines.append(
            f"{name:16} {count:8} {share:8.2%} {have['capture']:9} {have['operator']:9} {have['module']:8} "
            f"{have['line']:8}  {dict(misses) or ''}"
        )
        run([lanes, "summary", recording, "--by", "owner"])
        by_module = run([lanes, "summary", recording, "--by", "module"]).stdout
        print("\n".join("     " + line for line in by_module.splitlines()[:6]))
    return lines


def check_cost(lanes, program, python, out, rounds):
    """Medians over rounds, with and without in turn."""
    found = collections.defaultdict(list)
    ways = {"cuda": [program, "cost", "1000"]}
    if python:
        ways["pytorch"] = [python, os.path.join(HERE, "owners_pytorch.py"), "cost", "1000"]
    for _ in range(rounds):
        for way, command in ways.items():
            for recorded in (False, True):
                path = os.path.join(out, f"cost-{way}.sqlite")
                options = ["--pytorch"] if way == "pytorch" else []
                full = [lanes, "record", *options, "-o", path, "--", *command] if recorded else command
                done = run(full)
                numbers = [float(x) for line in done.stdout.splitlines() for x in line.split() if is_number(line)]
                for i, number in enumerate(numbers):
                    found[way, i, recorded].append(number)
    names = {("cuda", 0): "capture of a kernel", ("cuda", 1): "its instantiation", ("pytorch", 0): "x.add_(1), captured"}
    for (way, i), name in names.items():
        alone, with_it = found[way, i, False], found[way, i, True]
        if alone and with_it:
            a, b = statistics.median(alone), statistics.median(with_it)
            print(
                f"{name:24} {a:8.0f} ns alone ({min(alone):.0f} to {max(alone):.0f}), {b:8.0f} ns recorded "
                f"({min(with_it):.0f} to {max(with_it):.0f}): {b / a:.2f} times"
            )


def is_number(line):
    return bool(line) and all(word.replace(".", "").isdigit() for word in line.split())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("out", nargs="?", default="owners")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    lanes = os.path.join(os.path.abspath(options.bin), "lanes")
    os.makedirs(options.out, exist_ok=True)
    out = os.path.abspath(options.out)
    nvcc = os.environ.get("NVCC", "nvcc")
    nvcc = nvcc if shutil.which(nvcc) else "/usr/local/cuda/bin/nvcc"
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "owners")
        if run([nvcc, "-O2", "-std=c++17", "-arch=native", "-o", program, os.path.join(HERE, "owners.cu")]).returncode:
            sys.exit(1)
        check_cases(lanes, program, out, options.only)
        python = os.environ.get("PYTHON", sys.executable)
        if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode != 0:
            print("no PyTorch here: its programs are left out")
            python = None
        lines = check_programs(lanes, python, out, options.only) if python else []
        if lines:
            print(f"\n{'program':16} {'kernels':>8} {'owned':>8} {'captured':>9} {'operator':>9} {'module':>8} {'line':>8}  none")
            print("\n".join(lines), flush=True)
        if not options.only or "cost" in options.only:
            print("\nWhat it costs where graphs are made:")
            check_cost(lanes, program, python, out, options.rounds)
    print(f"\n{len(failed)} failed" + (": " + ", ".join(failed) if failed else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
