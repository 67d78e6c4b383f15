# SPDX-License-Identifier: MIT
"""What the frames of PyTorch listings share."""
import ctypes
import itertools
import re

import torch
import torch.multiprocessing

torch.multiprocessing.set_start_method("fork", force=True)  # workers know what the frame defines


def one_kernel(*tensors):
    """Changes the last tensor, in one kernel."""
    return tensors[-1].mul_(1.0)


def nothing(*_):
    pass


def on_gpu(*shape, gpu=0):
    return torch.ones(shape or (1024,), device="cuda:%d" % gpu)


def pinned_tensor(*shape):
    return torch.zeros(shape or (1024,), pin_memory=True)


def stream_of_a_library(flags):
    """The handle of a stream made without PyTorch; flags: 0 blocking, 1 non-blocking."""
    torch.cuda.init()
    with open("/proc/self/maps") as maps:
        runtime = re.search(r"(/\S*libcudart\S*)", maps.read()).group(1)
    handle = ctypes.c_void_p()
    if ctypes.CDLL(runtime).cudaStreamCreateWithFlags(ctypes.byref(handle), flags) != 0:
        raise RuntimeError("no stream")
    return handle.value
