# SPDX-License-Identifier: MIT
from given import *

pinned = host_memory == "pinned"
x = on_gpu(bytes // 4)
other_work = use = nothing


def forward(x):
    return x + 1
