# SPDX-License-Identifier: MIT
from given import *

input = [on_gpu(bytes // 4) for _ in range(steps)]
x, y, y_cpu = on_gpu(bytes // 4), on_gpu(bytes // 4), torch.zeros(bytes // 4)
layer = one_kernel


def output(x, y):
    torch.mul(x, 1.0, out=y)
