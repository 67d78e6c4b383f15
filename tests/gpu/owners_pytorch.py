# SPDX-License-Identifier: MIT
"""Programs of PyTorch for owners.py: each trains or runs a small model for a few steps.

    owners_pytorch.py eager|compiled|graph|reduce-overhead|ddp|decode|cost [NODES]

`graph`: torch.cuda.graph on two streams; `decode`: graphs of several batch sizes, as servers of language models capture
them. `cost` prints the ns a kernel of a capture of NODES additions, with its instantiation; the least of 10."""
import os
import sys
import time

import torch

STEPS = 10


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Net(torch.nn.Module):
    def __init__(self, width=256, layers=4):
        super().__init__()
        self.layers = torch.nn.ModuleList(Block(width) for _ in range(layers))
        self.head = torch.nn.Linear(width, 10)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def train(net, forward, steps=STEPS):
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(steps):
        x = torch.rand(64, 256, device="cuda")
        optimizer.zero_grad()
        loss = forward(x).square().mean()
        loss.backward()
        optimizer.step()
    loss.item()


def eager():
    net = Net().cuda()
    train(net, lambda x: net(x))


def compiled(**options):
    net = Net().cuda()
    train(net, torch.compile(net, **options))


def graph():
    net = Net().cuda().eval()
    side = torch.cuda.Stream()
    x = torch.rand(64, 256, device="cuda")
    with torch.no_grad():
        warm = torch.cuda.Stream()
        warm.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(warm):
            net(x), x.sum()
        torch.cuda.current_stream().wait_stream(warm)
        captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(captured):
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                total = x.sum()
            y = net(x)
            torch.cuda.current_stream().wait_stream(side)
            y = y + total
        for _ in range(STEPS):
            x.copy_(torch.rand_like(x))
            captured.replay()
    y.sum().item()


def ddp():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    torch.distributed.init_process_group("nccl", rank=0, world_size=1)
    net = torch.nn.parallel.DistributedDataParallel(Net().cuda(), device_ids=[0])
    train(net, lambda x: net(x))
    torch.distributed.destroy_process_group()


def decode():
    net = Net(layers=8).cuda().eval()
    sizes = [1, 2, 4, 8, 16, 32, 64]
    inputs, graphs, pool = torch.rand(64, 256, device="cuda"), {}, None
    with torch.no_grad():
        for size in reversed(sizes):
            net(inputs[:size])
            torch.cuda.synchronize()
            graphs[size] = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graphs[size], pool=pool):
                net(inputs[:size])
            pool = pool or graphs[size].pool()
        for step in range(50):
            graphs[sizes[step % len(sizes)]].replay()
    torch.cuda.synchronize()


def cost(nodes):
    x = torch.rand(256, device="cuda")
    x.add_(1)
    least = float("inf")
    for _ in range(10):
        torch.cuda.synchronize()
        captured = torch.cuda.CUDAGraph()
        began = time.perf_counter_ns()
        with torch.cuda.graph(captured):
            for _ in range(nodes):
                x.add_(1)
        least = min(least, (time.perf_counter_ns() - began) / nodes)
        captured.replay()
    torch.cuda.synchronize()
    print(f"{least:.0f}")


if __name__ == "__main__":
    what = sys.argv[1]
    torch.manual_seed(1)
    if what == "cost":
        cost(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    elif what == "reduce-overhead":
        compiled(mode="reduce-overhead")
    else:
        {"eager": eager, "compiled": compiled, "graph": graph, "ddp": ddp, "decode": decode}[what]()
