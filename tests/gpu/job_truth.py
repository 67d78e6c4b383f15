#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What lanes ranks says of a job, against what is true of it: on a machine with two GPUs and PyTorch 2, in two minutes.

    job_truth.py BIN OUT [--rounds 3]     BIN: the folder of lanes, its probe and its folder python

torchrun trains ddp.py with a rank that sleeps for 1, 5 or 20 ms a step, another one that does, and none. Each case runs alone (in
turns, `rounds` times: the spread) and once with what lanes env exports; lanes gather and lanes ranks then have to name the rank,
and what it costs must be what the even run takes less, within 10 % or the spread of the runs, whichever is larger. Exit status 1
if a check failed."""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = 40
CASES = {"even": "--late 0", "late 1 ms": "--late 1", "late 5 ms": "--late 5", "late 20 ms": "--late 20",
         "rank 0 late 5 ms": "--late 5 --late-rank 0"}
failed = 0


def check(good, words):
    global failed
    failed += not good
    print(("ok    " if good else "WRONG ") + words, flush=True)


def torchrun(words, environment):
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2", os.path.join(HERE, "ddp.py"), *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        check(False, f"torchrun {' '.join(words)}: status {done.returncode}: {done.stderr[-400:]}")


def times_alone(out, rounds):
    """By case: ms a step, one for each round."""
    names = [(case, f"{out}/{case.replace(' ', '-')}.{number}") for number in range(rounds) for case in CASES]
    words = [f"{CASES[case]} --late-rank {0 if 'rank 0' in case else 1} --times {path}" for case, path in names]
    torchrun(["--steps", str(STEPS), *shlex.split(words[0]), *(word for each in words for word in ("--then", each))], os.environ)
    found = {case: [] for case in CASES}
    for case, path in names:
        with open(path + ".0", encoding="utf-8") as file:
            said = json.load(file)
        found[case].append(said["seconds"] * 1e3 / said["steps"])
    return found


def record(lanes, out, case):
    folder = f"{out}/{case.replace(' ', '-')}"
    exports = subprocess.run([lanes, "env", "-o", folder], capture_output=True, text=True, check=True).stdout
    shown = subprocess.run(["bash", "-c", exports + "\nenv -0"], capture_output=True, text=True, check=True).stdout
    torchrun(["--steps", str(STEPS), *shlex.split(CASES[case])], dict(line.split("=", 1) for line in shown.split("\0") if line))
    job = folder + ".lanes"
    subprocess.run([lanes, "gather", folder, "-o", job], capture_output=True, text=True, check=True)
    return json.loads(subprocess.run([lanes, "ranks", job, "--json=full", "--lang", "en"], capture_output=True, text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("out")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    out = os.path.abspath(args.out)
    os.makedirs(out, exist_ok=True)
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # multicast needs rights that containers often lack
    alone = times_alone(out, args.rounds)
    even = statistics.median(alone["even"])
    for case, times in alone.items():
        said = record(os.path.join(args.bin, "lanes"), out, case)
        print(f"{case}: alone {', '.join(f'{time:.2f}' for time in times)} ms a step; {said['sentence']}")
        check([rank["rule"] for rank in said["ranks"]] == ["torchrun"] * 2, f"{case}: both say who they are by torchrun's variables")
        late = said["late"][0] if said["late"] else None
        if case == "even":
            check(late is None, f"{case}: no rank is named")
            continue
        number = 0 if "rank 0" in case else 1
        check(late is not None and late["rank"] == number, f"{case}: rank {number} is named")
        if late is not None:
            # Without a part that repeats the cost is that of all steps.
            cost, less = late["cost_ns"] / 1e6 / (said["steps"] or STEPS), statistics.median(times) - even
            spread = max(max(times) - min(times), max(alone["even"]) - min(alone["even"]))
            check(abs(cost - less) <= max(0.1 * less, spread),
                  f"{case}: each step loses {cost:.2f} ms, the even run takes {less:.2f} ms less (spread {spread:.2f} ms); {late['reason']}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
