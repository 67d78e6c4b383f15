# SPDX-License-Identifier: MIT
# skip per-thread: PyTorch has no per-thread default stream
from given import *

x, y, z = on_gpu(), on_gpu(), on_gpu()
first = on_the_default_stream = last = one_kernel
handle_a, handle_b = (stream_of_a_library(0 if kind == "blocking" else 1) for _ in range(2))
y_cpu, check, make = pinned_tensor(), nothing, one_kernel


def use(x, y):
    torch.mul(x, 1.0, out=y)
