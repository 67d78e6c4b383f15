# SPDX-License-Identifier: MIT
"""Two ranks that train together: torchrun --nproc_per_node 2 ddp.py. Steps of DistributedDataParallel, each with its range.

    ddp.py [--steps 10] [--batch 512] [--late MS] [--late-rank R] [--heavier N] [--after] [--times FILE] [--then WORDS ...]

--late: rank 1's (or rank R's) loader sleeps for that many milliseconds a step. --heavier: rank 1 goes through the network N more times a step.
--after: no DistributedDataParallel, all gradients are summed in one all-reduce after the backward pass. --times: each rank writes
FILE.RANK, JSON with how long the steps after the first five took, by its own clock and an idle GPU at both ends. --then: other
words, in one piece, with which it all is done again; options that they lack are as before."""
import argparse
import copy
import json
import os
import shlex
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

WARM_UP = 5


def load(args, rank, pinned):
    """A batch, for which one rank may need longer."""
    torch.cuda.nvtx.range_push("load batch")
    if args.late and rank == args.late_rank:
        time.sleep(args.late / 1000)
    batch = pinned.to("cuda", non_blocking=True)
    torch.cuda.nvtx.range_pop()
    return batch


def step(args, rank, net, optimiser, pinned):
    x = load(args, rank, pinned)
    optimiser.zero_grad()
    if args.heavier and rank == 1:
        torch.cuda.nvtx.range_push("more work")
        with torch.no_grad():
            for _ in range(args.heavier):
                (net if args.after else net.module)(x)
        torch.cuda.nvtx.range_pop()
    net(x).sum().backward()
    if args.after:
        torch.cuda.nvtx.range_push("sum gradients")
        gradients = [parameter.grad for parameter in net.parameters()]
        flat = torch._utils._flatten_dense_tensors(gradients)
        dist.all_reduce(flat)
        for gradient, summed in zip(gradients, torch._utils._unflatten_dense_tensors(flat, gradients)):
            gradient.copy_(summed)
        torch.cuda.nvtx.range_pop()
    optimiser.step()


def train(args, rank):
    net = torch.nn.Sequential(*(layer for _ in range(6) for layer in (torch.nn.Linear(2048, 2048), torch.nn.ReLU()))).cuda()
    net = net if args.after else DistributedDataParallel(net)
    optimiser = torch.optim.SGD(net.parameters(), lr=0.01)
    pinned = torch.rand(args.batch, 2048).pin_memory()
    began = 0.0
    for number in range(args.steps):
        if number == WARM_UP and args.times:
            dist.barrier()
            torch.cuda.synchronize()
            began = time.perf_counter()
        torch.cuda.nvtx.range_push(f"step {number}")
        step(args, rank, net, optimiser, pinned)
        torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()
    if args.times:
        with open(f"{args.times}.{rank}", "w", encoding="utf-8") as file:
            json.dump({"seconds": time.perf_counter() - began, "steps": args.steps - WARM_UP}, file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--late", type=float, default=0)
    parser.add_argument("--late-rank", type=int, default=1)
    parser.add_argument("--heavier", type=int, default=0)
    parser.add_argument("--after", action="store_true")
    parser.add_argument("--times")
    parser.add_argument("--then", action="append", default=[])
    args = parser.parse_args()
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    train(args, rank)
    for words in args.then:
        train(parser.parse_args(shlex.split(words), copy.copy(args)), rank)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
