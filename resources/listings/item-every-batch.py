# SPDX-License-Identifier: MIT
from given import *

weights = on_gpu(1)[0]
next_batch = nothing


def train(batch):
    for _ in range(kernels):
        loss = one_kernel(weights)
    return loss
