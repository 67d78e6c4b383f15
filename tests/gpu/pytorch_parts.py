# SPDX-License-Identifier: MIT
"""What each part of `lanes record --pytorch` costs a launch-bound loop, in one process that switches them on and off in turn:

    lanes record -o FILE -- pytorch_parts.py HOOK [--rounds 25]     HOOK: the folder of lanes_pytorch.py
    pytorch_parts.py HOOK --alone                                             without lanes: torch.profiler instead

Prints the median of a loop of 100 iterations of two linear layers for each part, relative to the loop without any part in the same round. With
lanes: operators (PyTorch's NVTX observer), modules, memory, each alone and all together, and an empty observer, module wrapper
and range, to show what the parts consist of. Alone: torch.profiler's CUDA, CPU and both."""
import argparse
import os
import statistics
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("hook")
parser.add_argument("--rounds", type=int, default=25)
parser.add_argument("--alone", action="store_true")
words = parser.parse_args()
sys.path.insert(0, words.hook)

import torch  # noqa: E402

import lanes_pytorch  # noqa: E402

first, second = torch.nn.Linear(64, 64).cuda(), torch.nn.Linear(64, 64).cuda()
x = torch.rand(64, 64, device="cuda")
plain_call = torch.nn.Module.__call__


def loop():
    torch.cuda.synchronize()
    start = time.perf_counter()
    with torch.no_grad():
        for _ in range(100):
            second(first(x))
    torch.cuda.synchronize()
    return time.perf_counter() - start


def nothing():
    return lambda: None


def calls(call):
    """A part that is a wrapper around the call of a module."""
    def on():
        torch.nn.Module.__call__ = call

        def off():
            torch.nn.Module.__call__ = plain_call
        return off
    return on


def both(*parts):
    def on():
        offs = [part() for part in parts]
        return lambda: [off() for off in reversed(offs)]
    return on


def parts_of_lanes():
    probe = lanes_pytorch.Probe(os.environ["CUDA_INJECTION64_PATH"])
    observer = lanes_pytorch.Operators(torch)
    observer._wanted = True
    sites = lanes_pytorch.CallSites([os.path.dirname(torch.__file__)])
    memory = lanes_pytorch.Memory(torch, probe)

    def operators():
        observer.on()
        return observer.off

    def wrapped(after):
        before = torch.nn.Module.__call__
        lanes_pytorch.watch_modules(torch, probe, sites, *after)
        made, torch.nn.Module.__call__ = torch.nn.Module.__call__, before
        return made

    def empty(self, *args, **kwargs):
        return plain_call(self, *args, **kwargs)

    def ranged(self, *args, **kwargs):
        probe.push(b"a range")
        try:
            return plain_call(self, *args, **kwargs)
        finally:
            probe.pop()

    modules, remembering = calls(wrapped([])), calls(wrapped([memory.sample]))
    return {
        "nothing": nothing,
        "a wrapper that does nothing": calls(empty),
        "a wrapper with a range": calls(ranged),
        "modules": modules,
        "modules, memory": remembering,
        "operators": operators,
        "operators, modules": both(operators, modules),
        "all of --pytorch": both(operators, remembering),
    }


def parts_of_profiler():
    activity = torch.profiler.ProfilerActivity

    def profiled(*activities):
        def on():
            profile = torch.profiler.profile(activities=list(activities))
            profile.__enter__()
            return lambda: profile.__exit__(None, None, None)
        return on

    return {"nothing": nothing, "CUDA": profiled(activity.CUDA), "CPU": profiled(activity.CPU), "CPU, CUDA": profiled(activity.CPU, activity.CUDA)}


parts = parts_of_profiler() if words.alone else parts_of_lanes()
for on in parts.values():
    off = on()
    loop()
    off()
times = {name: [] for name in parts}
for turn in range(words.rounds):
    for name in parts if turn % 2 == 0 else reversed(parts):
        off = parts[name]()
        loop()
        times[name].append(statistics.median(loop() for _ in range(3)))
        off()
print(f"{'torch.profiler' if words.alone else 'under lanes record':28} {'us an iteration':>16} {'ratio':>6} {'least':>6} {'most':>6}")
for name, seen in times.items():
    ratios = [a / b for a, b in zip(seen, times["nothing"])]
    print(f"{name:28} {statistics.median(seen) * 1e4:16.2f} {statistics.median(ratios):6.2f} {min(ratios):6.2f} {max(ratios):6.2f}")
