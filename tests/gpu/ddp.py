# SPDX-License-Identifier: MIT
"""Two ranks that train together: torchrun --nproc_per_node 2 ddp.py. Ten steps of DistributedDataParallel, each with its range."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    net = torch.nn.Sequential(*(layer for _ in range(6) for layer in (torch.nn.Linear(2048, 2048), torch.nn.ReLU()))).cuda()
    net = DistributedDataParallel(net)
    optimiser = torch.optim.SGD(net.parameters(), lr=0.01)
    x = torch.rand(512, 2048, device="cuda")
    for step in range(10):
        torch.cuda.nvtx.range_push(f"step {step}")
        optimiser.zero_grad()
        net(x).sum().backward()
        optimiser.step()
        torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
