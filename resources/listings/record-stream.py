# SPDX-License-Identifier: MIT
from given import *

shape = (1024,)
loader = [pinned_tensor(*shape) for _ in range(batches)]


def train(batch):
    return batch.sum()
