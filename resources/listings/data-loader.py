# SPDX-License-Identifier: MIT
from given import *

pinned = host_memory == "pinned"
bytes = 2**20  # shared memory may be small
train = one_kernel


def load(i):
    return torch.full((bytes // 4,), float(i))
