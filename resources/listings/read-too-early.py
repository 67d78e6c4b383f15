# SPDX-License-Identifier: MIT
from given import *

x = on_gpu(bytes // 4)
next_layer = one_kernel
other_work = use = nothing


def forward(x):
    return x + 1
