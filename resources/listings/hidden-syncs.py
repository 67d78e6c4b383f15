# SPDX-License-Identifier: MIT
from given import *

loader = range(batches)
weights, mask = on_gpu(), on_gpu() > 0
history = []


def model(batch):
    for _ in range(kernels):
        x = one_kernel(weights)
    return x, x[0]
