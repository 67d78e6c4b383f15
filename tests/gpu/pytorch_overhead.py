# SPDX-License-Identifier: MIT
"""On a machine with a GPU and PyTorch 2, in eight minutes: what recording costs eight programs.

    pytorch_overhead.py BIN OUT [--rounds 3] [--repeats 9] [--only PROGRAM...] [--seconds N]

BIN holds lanes, its probe and its python folder. A process runs the programs one after the other, each loop `repeats`
times, and takes the median; a round is a process without a recorder and one for each way of recording, in turn. Prints
for each program and way the time as a multiple of that without a recorder in the same round, median and range,
and the spread of the runs without one. No further round begins after N seconds. Exit
status 1 if a recorded program fails, or if `lanes record` costs more than torch.profiler with CUDA alone in a
program's median.
"""
import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.abspath(__file__)
WAYS = {
    "nodes": ["record"],
    "whole": ["record", "--graphs", "whole"],
    "stacks": ["record", "--stacks"],
    "pytorch": ["record", "--pytorch"],
    "profiler cuda": "cuda",
    "profiler both": "both",
}


# ---- the programs: each makes what it needs and returns a loop of some 30 ms -------------------------------------------


def linears():
    """Two linear layers: nothing but launches."""
    first, second = (torch.nn.Linear(64, 64).cuda() for _ in range(2))
    x = torch.rand(64, 64, device="cuda")

    def loop():
        with torch.no_grad():
            for _ in range(1000):
                second(first(x))

    return loop


def trainer(net, forward):
    optimizer = torch.optim.AdamW(net.parameters())

    def step(x):
        optimizer.zero_grad()
        loss = forward(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    return step


def training(net, forward, steps=20):
    step, x = trainer(net, forward), torch.rand(64, 256, device="cuda")

    def loop():
        for _ in range(steps):
            step(x)

    return loop


def train():
    """A small transformer-like model with AdamW."""
    net = Net().cuda()
    return training(net, net)


def large():
    """A model whose kernels keep the GPU busy."""
    net = Net(width=2048, layers=4).cuda()
    step, x = trainer(net, net), torch.rand(2048, 2048, device="cuda")

    def loop():
        for _ in range(3):
            step(x)

    return loop


def compiled():
    net = Net().cuda()
    return training(net, torch.compile(net))


def reduced():
    """torch.compile(mode="reduce-overhead"): CUDA graphs of PyTorch's own."""
    net = Net().cuda()
    forward = torch.compile(net, mode="reduce-overhead")
    return training(net, forward)


def decode():
    """Graphs of several batch sizes, as servers of language models capture them, and a token that the CPU reads."""
    net = Net(layers=8).cuda().eval()
    sizes, inputs, graphs, outputs, pool = [1, 2, 4, 8, 16, 32, 64], torch.rand(64, 256, device="cuda"), {}, {}, None
    with torch.no_grad():
        for size in reversed(sizes):
            net(inputs[:size])
            torch.cuda.synchronize()
            graphs[size] = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graphs[size], pool=pool):
                outputs[size] = net(inputs[:size]).argmax(dim=-1)
            pool = pool or graphs[size].pool()

    def loop():
        for i in range(300):
            size = sizes[i % len(sizes)]
            graphs[size].replay()
            outputs[size][0].item()

    return loop


def loader():
    """Batches of two worker processes, copied from pinned memory."""
    from torch.utils.data import DataLoader, TensorDataset

    net = Net().cuda()
    step = trainer(net, net)
    data = TensorDataset(torch.rand(1280, 256))
    batches = DataLoader(data, batch_size=64, num_workers=2, pin_memory=True, persistent_workers=True)

    def loop():
        for (x,) in batches:
            step(x.to("cuda", non_blocking=True))

    return loop


def ddp():
    """DistributedDataParallel with one rank."""
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", str(29500 + os.getpid() % 400))
    torch.distributed.init_process_group("nccl", rank=0, world_size=1)
    net = Net().cuda()
    return training(net, torch.nn.parallel.DistributedDataParallel(net, device_ids=[0]))


PROGRAMS = ["linears", "train", "large", "compiled", "reduced", "decode", "loader", "ddp"]


def run_programs(names, repeats, activities):
    import torch
    from owners_pytorch import Net

    globals().update(torch=torch, Net=Net)
    kinds = torch.profiler.ProfilerActivity
    activities = {"cuda": [kinds.CUDA], "both": [kinds.CPU, kinds.CUDA]}.get(activities)
    for name in names:
        torch.manual_seed(1)
        loop = globals()[name]()
        for _ in range(3):
            loop()
        times = []
        for repeat in range(repeats + 1):
            torch.cuda.synchronize()
            with torch.profiler.profile(activities=activities) if activities else contextlib.nullcontext():
                torch.cuda.nvtx.range_push("loop " + name)
                begun = time.perf_counter()
                loop()
                torch.cuda.synchronize()
                times.append(time.perf_counter() - begun)
                torch.cuda.nvtx.range_pop()
        print(json.dumps({"program": name, "seconds": statistics.median(times[1:])}), flush=True)
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


# ---- the rounds --------------------------------------------------------------------------------------------------------


def measure(lanes, out, way, names, repeats):
    """Seconds of a loop of each program."""
    words = [sys.executable, HERE, "programs", str(repeats), *names]
    how = WAYS.get(way)
    if isinstance(how, list):
        words = [lanes, *how, "-o", os.path.join(out, f"{way}.sqlite"), "--", *words]
    begun = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True,
                          env={**os.environ, "ACTIVITIES": how if isinstance(how, str) else ""})
    with open(os.path.join(out, "log.txt"), "a") as file:
        file.write(f"$ {' '.join(words)}\n{time.monotonic() - begun:.1f} s, exit status {done.returncode}\n"
                   f"{done.stdout}{done.stderr}\n")
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"program"')]
    return {each["program"]: each["seconds"] for each in found}, done.returncode


def cell(ratios):
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if ratios else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("out")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=PROGRAMS)
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    lanes = os.path.join(os.path.abspath(given.bin), "lanes")
    begun = time.monotonic()
    measure(lanes, given.out, "none", given.only, 1)  # compiled code is made once, before anything is timed
    ratios, alone, failed, rounds, longest = {}, {}, [], 0, 0.0
    while rounds < given.rounds and time.monotonic() - begun + longest < given.seconds:
        round_begun = time.monotonic()
        bare, status = measure(lanes, given.out, "none", given.only, given.repeats)
        for name, seconds in bare.items():
            alone.setdefault(name, []).append(seconds)
        for way in WAYS:
            times, status = measure(lanes, given.out, way, given.only, given.repeats)
            if status != 0 or set(times) != set(given.only):
                failed.append(f"{way}: exit status {status}, {sorted(set(given.only) - set(times))} did not end")
            for name in set(times) & set(bare):
                ratios.setdefault((name, way), []).append(times[name] / bare[name])
        rounds += 1
        longest = max(longest, time.monotonic() - round_begun)
        print(f"round {rounds}: {time.monotonic() - begun:.0f} s so far", flush=True)
    print(f"\n{rounds} rounds, medians of {given.repeats} loops\n\n| program | ms | alone | " + " | ".join(WAYS) + " |")
    print("| --- | ---: | " + " | ".join("---:" for _ in range(len(WAYS) + 1)) + " |")
    for name in given.only:
        middle = statistics.median(alone.get(name, [float("nan")]))
        spread = [seconds / middle for seconds in alone.get(name, [])]
        cells = [cell(ratios.get((name, way), [])) for way in WAYS]
        print(f"| {name} | {middle * 1e3:.1f} | {min(spread, default=0):.2f} to {max(spread, default=0):.2f} | "
              + " | ".join(cells) + " |")
        ours, theirs = (statistics.median(ratios.get((name, way), [float("nan")])) for way in ("nodes", "profiler cuda"))
        if ours > theirs:
            failed.append(f"{name}: {ours:.2f}, torch.profiler with CUDA alone {theirs:.2f}")
    print("\n" + "\n".join("FAIL " + line for line in failed) if failed else "\nall well")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["programs"]:
        sys.path.insert(0, os.path.dirname(HERE))
        run_programs(sys.argv[3:], int(sys.argv[2]), os.environ.get("ACTIVITIES", ""))
    else:
        sys.exit(main())
