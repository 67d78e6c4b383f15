# SPDX-License-Identifier: MIT
"""A launch-bound loop: 200 iterations of two linear layers, REPEATS times; prints the seconds of each as JSON.

    pytorch_loop.py REPEATS [cuda|both]     both, cuda: each repeat under torch.profiler, with what it records
"""
import contextlib
import json
import sys
import time

import torch

repeats = int(sys.argv[1])
activities = {
    "cuda": [torch.profiler.ProfilerActivity.CUDA],
    "both": [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA],
}.get(sys.argv[2] if len(sys.argv) > 2 else "")
first, second = torch.nn.Linear(64, 64).cuda(), torch.nn.Linear(64, 64).cuda()
x = torch.rand(64, 64, device="cuda")


def loop():
    torch.cuda.synchronize()
    start = time.perf_counter()
    with torch.no_grad():
        for _ in range(200):
            second(first(x))
    torch.cuda.synchronize()
    return time.perf_counter() - start


for _ in range(5):
    loop()
times = []
for _ in range(repeats):
    with torch.profiler.profile(activities=activities) if activities else contextlib.nullcontext():
        times.append(loop())
print(json.dumps(times))
