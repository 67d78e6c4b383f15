# SPDX-License-Identifier: MIT
"""What PyTorch users do that blocks or overlaps, case by case, each inside a named region:

    pytorch_cases.py [--profile FILE] [--cases NAME,...] [--device cuda|cpu]

Under `lanes record --pytorch` a region is an NVTX range; with --profile each is recorded by torch.profiler, and FILE.NAME.json
written. Every region begins and ends with the GPU idle, so that both see the same work."""
import argparse
import contextlib
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset


class Net(torch.nn.Module):
    def __init__(self, width=256):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.ReLU(), torch.nn.Linear(width, width))
        self.head = torch.nn.Linear(width, 8)

    def forward(self, x):
        return self.head(self.body(x))


class Run:
    def __init__(self, device, profile):
        self.device, self.profile = torch.device(device), profile
        self.cuda = self.device.type == "cuda"

    def wait(self):
        if self.cuda:
            torch.cuda.synchronize()

    @contextlib.contextmanager
    def region(self, name):
        self.wait()
        if self.profile:
            activities = [torch.profiler.ProfilerActivity.CPU]
            if self.cuda:
                activities.append(torch.profiler.ProfilerActivity.CUDA)
            with torch.profiler.profile(activities=activities) as profile:
                yield
                self.wait()
            profile.export_chrome_trace(f"{self.profile}.{name}.json")
            return
        if self.cuda:
            torch.cuda.nvtx.range_push("region " + name)
        yield
        self.wait()
        if self.cuda:
            torch.cuda.nvtx.range_pop()

    def train(self, batches, item_every=0, device_batches=None):
        torch.manual_seed(1)
        net = Net().to(self.device)
        step = torch.optim.SGD(net.parameters(), lr=0.01)
        for i, (x, y) in enumerate(batches):
            x = x.to(self.device, non_blocking=True)
            y = y.to(self.device, non_blocking=True)
            loss = torch.nn.functional.cross_entropy(net(x), y)
            step.zero_grad()
            loss.backward()
            step.step()
            if item_every and i % item_every == 0:
                loss.item()


def results_back(run):
    """A list of results to the CPU, one by one and with non_blocking into pinned memory."""
    a = torch.rand(2048, 2048, device=run.device)
    pinned = [torch.empty(2048, 2048, pin_memory=run.cuda) for _ in range(8)]
    (a @ a).cpu()
    with run.region("results_back_blocking"):
        [(a @ a).cpu() for _ in range(8)]
    with run.region("results_back_non_blocking"):
        for out in pinned:
            out.copy_(a @ a, non_blocking=True)


def loader(run):
    """Batches of two worker processes, pinned and not."""
    data = TensorDataset(torch.rand(640, 256), torch.randint(8, (640,)))
    for name, pinned in (("loader_pinned", run.cuda), ("loader_pageable", False)):
        with run.region(name):
            run.train(DataLoader(data, batch_size=32, num_workers=2, pin_memory=pinned))


def item(run):
    """loss.item() never, every ten batches, every batch; and a loop that ends depending on the data."""
    data = [(torch.rand(64, 256, device=run.device), torch.randint(8, (64,), device=run.device)) for _ in range(30)]
    run.train(data)
    for name, every in (("item_never", 0), ("item_every_10", 10), ("item_every_batch", 1)):
        with run.region(name):
            run.train(data, every)
    x = torch.full((1024,), 1e6, device=run.device)
    with run.region("data_dependent_loop"):
        while x.sum() > 1.0:
            x = x * 0.5


def streams(run):
    """Two streams and events between them."""
    if not run.cuda:
        return
    a = torch.rand(2048, 2048, device=run.device)
    out = torch.empty(2048, 2048, pin_memory=True)
    compute, copy = torch.cuda.Stream(), torch.cuda.Stream()
    done = torch.cuda.Event()
    for s in (compute, copy):
        s.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(compute):
        a @ a
    with run.region("streams"):
        for _ in range(8):
            with torch.cuda.stream(compute):
                y = a @ a
                done.record()
            with torch.cuda.stream(copy):
                copy.wait_event(done)
                out.copy_(y, non_blocking=True)
            y.record_stream(copy)


def graph(run):
    """A CUDA graph, captured before and replayed."""
    if not run.cuda:
        return
    a = torch.rand(512, 512, device=run.device)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        (a @ a).relu()
    torch.cuda.current_stream().wait_stream(side)
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        y = (a @ a).relu()
    with run.region("graph"):
        for _ in range(10):
            captured.replay()
    return y


def compiled(run):
    """torch.compile of the whole: a break in the graph would be an error."""
    net = Net().to(run.device)
    fast = torch.compile(net, fullgraph=True)
    x = torch.rand(64, 256, device=run.device)
    for _ in range(3):
        fast(x).sum().backward()
    with run.region("compiled"):
        for _ in range(10):
            fast(x).sum().backward()
    from torch._dynamo.utils import counters

    breaks = sum(counters["graph_break"].values())
    graphs = counters["stats"].get("unique_graphs", 0)
    print(f"compiled: {graphs} graphs, {breaks} graph breaks", file=sys.stderr)


CASES = {f.__name__: f for f in (results_back, loader, item, streams, graph, compiled)}


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--profile")
    words.add_argument("--cases", default=",".join(CASES))
    words.add_argument("--device", default="cuda")
    words = words.parse_args()
    run = Run(words.device, words.profile)
    for name in words.cases.split(","):
        CASES[name](run)
    for device in range(torch.cuda.device_count() if run.cuda else 0):
        print(f"peaks {device} {torch.cuda.max_memory_allocated(device)} {torch.cuda.max_memory_reserved(device)}", file=sys.stderr)


if __name__ == "__main__":
    main()
