# SPDX-License-Identifier: MIT
# skip print: how often PyTorch looks at a number before it prints it depends on its version
# skip scaler: it needs a model and an optimizer
from given import *

loader = range(batches)
weights, mask = on_gpu(), on_gpu() > 0
history, scaler, optimizer = [], None, None


def model(batch):
    for _ in range(kernels):
        x = one_kernel(weights)
    return x, x[0]
