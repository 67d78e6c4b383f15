# SPDX-License-Identifier: MIT
"""On a machine with a GPU and PyTorch 2, in four minutes: what recording costs eight programs.

    pytorch_overhead.py BIN OUT [--rounds 11] [--only PROGRAM...] [--seconds N]

BIN holds lanes, its probe and its python folder. There is a process without a recorder and one for each way of
recording, and all run the same programs; in each round each of them in turn runs the program's loop once, while the
others wait. Prints for each program and way the time as a multiple of that without a recorder in the same round, median
and range, and the spread of the runs without one. No further program begins after N seconds. Exit status 1 if a process
fails, or if a program takes more than 1.1 times as long as with torch.profiler and CUDA alone, in the median of rounds.
"""
import argparse
import contextlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.abspath(__file__)
MOST_BESIDE_PROFILER = 1.1
WAYS = {
    "alone": "",
    "nodes": ["record"],
    "whole": ["record", "--graphs", "whole"],
    "auto": ["record", "--graphs", "auto"],
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
    torch.distributed.init_process_group("nccl", rank=0, world_size=1)
    net = Net().cuda()
    return training(net, torch.nn.parallel.DistributedDataParallel(net, device_ids=[0]))


PROGRAMS = ["linears", "train", "large", "compiled", "reduced", "decode", "loader", "ddp"]


def run_programs(activities):
    """Does what standard input says: "make NAME", "go"."""
    import torch
    from owners_pytorch import Net

    globals().update(torch=torch, Net=Net)
    kinds = torch.profiler.ProfilerActivity
    activities = {"cuda": [kinds.CUDA], "both": [kinds.CPU, kinds.CUDA]}.get(activities)
    torch.cuda.init()
    print("ready", flush=True)
    loop, x = None, torch.zeros(1, device="cuda")
    for line in sys.stdin:
        word, *name = line.split()
        if word == "make":
            loop = None
            torch.manual_seed(1)
            loop = globals()[name[0]]()
            loop()
            torch.cuda.synchronize()
            print("made", flush=True)
            continue
        with torch.profiler.profile(activities=activities) if activities else contextlib.nullcontext():
            x.add_(1)  # the GPU has worked for another process
            torch.cuda.synchronize()
            begun = time.perf_counter()
            loop()
            torch.cuda.synchronize()
            seconds = time.perf_counter() - begun
        print(seconds, flush=True)
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


# ---- the rounds --------------------------------------------------------------------------------------------------------


class Process:
    def __init__(self, lanes, out, way, number):
        words = [sys.executable, HERE, "programs"]
        if isinstance(WAYS[way], list):
            words = [lanes, *WAYS[way], "-o", os.path.join(out, f"{way}.sqlite"), "--", *words]
        self.way, self.log = way, open(os.path.join(out, f"{way.replace(' ', '-')}.log"), "w")
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, "ACTIVITIES": WAYS[way] if isinstance(WAYS[way], str) else "",
                 "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(29600 + number)})

    def tell(self, line):
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def hear(self):
        """The next line of it; an exception if it has ended."""
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.way}: ended, exit status {self._process.wait()}; see {self.log.name}")
        return line.strip()

    def end(self):
        self._process.stdin.close()
        return self._process.wait(timeout=120)


def cell(ratios):
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if ratios else "-"


def row(name, times):
    """A line of the table; `lanes record` as a multiple of torch.profiler with CUDA alone, median."""
    alone = times["alone"]
    middle = statistics.median(alone)
    ratios = {way: [ours / theirs for ours, theirs in zip(times[way], alone)] for way in WAYS if way != "alone"}
    print(f"| {name} | {middle * 1e3:.1f} | {min(alone) / middle:.2f} to {max(alone) / middle:.2f} | "
          + " | ".join(cell(each) for each in ratios.values()) + " |", flush=True)
    return statistics.median(ours / theirs for ours, theirs in zip(times["nodes"], times["profiler cuda"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("out")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=PROGRAMS)
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    lanes = os.path.join(os.path.abspath(given.bin), "lanes")
    begun = time.monotonic()
    processes = [Process(lanes, given.out, way, number) for number, way in enumerate(WAYS)]
    failed = []
    try:
        for process in processes:
            process.hear()
        print(f"started: {time.monotonic() - begun:.0f} s\n\n| program | ms | alone | "
              + " | ".join(way for way in WAYS if way != "alone") + " |\n| --- |" + " ---: |" * (len(WAYS) + 1), flush=True)
        for name in given.only:
            if time.monotonic() - begun > given.seconds:
                break
            for process in processes:
                process.tell("make " + name)
            for process in processes:
                process.hear()
            times = {way: [] for way in WAYS}
            for number in range(given.rounds + 2):
                first = number % len(processes)
                for process in itertools.chain(processes[first:], processes[:first]):
                    process.tell("go")
                    seconds = float(process.hear())
                    if number >= 2:
                        times[process.way].append(seconds)
            beside = row(name, times)
            if beside > MOST_BESIDE_PROFILER:
                failed.append(f"{name}: {beside:.2f} times as long as with torch.profiler and CUDA alone")
    except RuntimeError as error:
        failed.append(str(error))
    print(f"{time.monotonic() - begun:.0f} s")
    for process in processes:
        status = process.end()
        if status != 0:
            failed.append(f"{process.way}: exit status {status}; see {process.log.name}")
    print("\n".join("FAIL " + line for line in failed) if failed else "all well")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["programs"]:
        sys.path.insert(0, os.path.dirname(HERE))
        run_programs(os.environ.get("ACTIVITIES", ""))
    else:
        sys.exit(main())
