# SPDX-License-Identifier: MIT
"""On a machine with a GPU and PyTorch 2, in about five minutes: whether `lanes record --stacks` says where Python is between
the calls of five programs, and what it costs them.

    stacks.py BIN [OUT] [--only NAME...] [--rounds N]    BIN: the folder of lanes, its probe and its python folder

Each program spends known parts of its time in two of its own functions, beside the calls of PyTorch. Prints a line a check: the
places that the critical path names, against the program's own clock; and a table: the loop's time and the iterations' median
with CUDA alone, with --stacks and with --pytorch, --pytorch --stacks, relative to no recorder in the same round. Exit status 1
if a check fails.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.abspath(__file__)
PROGRAMS = ["eager", "compiled", "graph", "threads", "loader"]
RECORDERS = {"cuda": [], "stacks": ["--stacks"], "pytorch": ["--pytorch"], "pytorch stacks": ["--pytorch", "--stacks"]}
STEPS = 300
WIDTH = 0.12  # that a share may be off: some of the calls' own time belongs to nobody
MOST_COST = 1.05  # of --stacks, beside the same recorder without it

failed = []


def expect(what, good, found):
    print(f"{'ok  ' if good else 'FAIL'} {what}: {found}", flush=True)
    if not good:
        failed.append(what)


# ---- the programs ----------------------------------------------------------------------------------------------------


def program(name):
    import queue
    import threading
    import time

    import torch

    clock = time.perf_counter

    def pick_token(seconds):
        end = clock() + seconds
        while clock() < end:
            pass

    def build_batch(seconds):
        end = clock() + seconds
        while clock() < end:
            pass

    net = torch.nn.Sequential(*(torch.nn.Linear(256, 256) for _ in range(4))).cuda().eval()
    x = torch.rand(64, 256, device="cuda")
    step = lambda: net(x)
    with torch.no_grad():
        if name == "compiled":
            step = lambda compiled=torch.compile(net): compiled(x)
        if name == "graph":
            for _ in range(3):
                net(x)
            torch.cuda.synchronize()
            captured = torch.cuda.CUDAGraph()
            with torch.cuda.graph(captured):
                net(x)
            step = captured.replay
        for _ in range(5):
            step()
        torch.cuda.synchronize()
        batches = range(STEPS)
        if name == "loader":
            batches = torch.utils.data.DataLoader(torch.arange(STEPS), batch_size=1, num_workers=2)
        done = queue.Queue()
        spent, times = {"pick_token": 0.0, "build_batch": 0.0, "next batch": 0.0}, []

        def loop():
            end = clock()
            with torch.no_grad():
                for _ in batches:
                    begun = clock()
                    spent["next batch"] += begun - end
                    pick_token(0.003)
                    middle = clock()
                    build_batch(0.001)
                    spent["pick_token"] += middle - begun
                    spent["build_batch"] += clock() - middle
                    step()
                    torch.cuda.synchronize()
                    end = clock()
                    times.append(end - begun)
            done.put(None)

        begun = clock()
        if name == "threads":  # another one than the main thread makes the calls
            thread = threading.Thread(target=loop)
            thread.start()
            done.get()
            thread.join()
        else:
            loop()
    print(json.dumps({"spent": spent, "loop": clock() - begun, "step": statistics.median(times)}))


# ---- the checks ------------------------------------------------------------------------------------------------------


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"FAIL {' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}", flush=True)
        failed.append(" ".join(command))
    return done


def said_of(done):
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else None


def check(lanes, name, recorder, recording, said, errors):
    expect(f"{name}, {recorder}: stacks are recorded", "not recorded" not in errors, errors.strip().splitlines()[-1:] or "")
    done = run([lanes, "report", "--json=full", "--range", "steady", recording])
    if done.returncode != 0:
        return
    python = json.loads(done.stdout)["critical_path"]["python"]
    of = {"pick_token": 0, "build_batch": 0}
    for place in python["places"]:
        for function in of:
            if function in place["name"]:
                of[function] += place["samples"]
    both = sum(of.values())
    expect(f"{name}, {recorder}: samples between calls", python["samples"] > 200, python["samples"])
    spent = said["spent"]
    own = spent["pick_token"] + spent["build_batch"]
    if both:
        truth = spent["pick_token"] / own
        expect(
            f"{name}, {recorder}: pick_token's part of both", abs(of["pick_token"] / both - truth) <= WIDTH / 3,
            f"{of['pick_token'] / both:.3f}, by its own clock {truth:.3f}",
        )
    expect(
        f"{name}, {recorder}: what the two functions are of all samples",
        both >= (1 - WIDTH) * own / sum(spent.values()) * python["samples"],
        f"{both} of {python['samples']}, by its own clock {own / sum(spent.values()):.3f}; "
        f"{[(p['name'], p['samples']) for p in python['places'][:5]]}",
    )


def measure(lanes, out, names, rounds):
    ratios = {}
    for name in names:
        command = [sys.executable, HERE, "program", name]
        for round_ in range(rounds):
            bare = said_of(run(command))
            if bare is None:
                break
            for recorder, options in RECORDERS.items():
                recording = os.path.join(out, f"{name}.{recorder.replace(' ', '-')}.sqlite")
                done = run([lanes, "record", *options, "-o", recording, "--", *command])
                said = said_of(done)
                if said is None:
                    continue
                ratios.setdefault((name, recorder), []).append(said["loop"] / bare["loop"])
                if "stacks" in recorder and round_ == 0:
                    check(lanes, name, recorder, recording, said, done.stderr)
    print(f"\n{'program':10} " + " ".join(f"{recorder:>24}" for recorder in RECORDERS))
    for name in names:
        cells = []
        for recorder in RECORDERS:
            found = ratios.get((name, recorder), [])
            cells.append(f"{statistics.median(found):.3f} ({min(found):.3f} to {max(found):.3f})" if found else "-")
        print(f"{name:10} " + " ".join(f"{cell:>24}" for cell in cells), flush=True)
    for with_, without in (("stacks", "cuda"), ("pytorch stacks", "pytorch")):
        parts = [
            statistics.median(ratios[name, with_]) / statistics.median(ratios[name, without])
            for name in names if (name, with_) in ratios and (name, without) in ratios
        ]
        if parts:
            cost = statistics.median(parts)
            expect(f"cost of --stacks beside {without}", cost <= MOST_COST, f"{cost:.3f} ({min(parts):.3f} to {max(parts):.3f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("out", nargs="?")
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=PROGRAMS)
    parser.add_argument("--rounds", type=int, default=3)
    words = parser.parse_args()
    out = words.out or tempfile.mkdtemp(prefix="stacks-")
    os.makedirs(out, exist_ok=True)
    print(f"Python {sys.version.split()[0]}; recordings in {out}", flush=True)
    measure(os.path.join(os.path.abspath(words.bin), "lanes"), out, words.only, words.rounds)
    print(f"\n{len(failed)} failed" if failed else "\nall well")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "program":
        program(sys.argv[2])
    else:
        sys.exit(main())
