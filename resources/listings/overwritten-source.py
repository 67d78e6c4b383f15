# SPDX-License-Identifier: MIT
from given import *

shape, pinned = (2**18,), host_memory == "pinned"
read_batch_into = nothing


def train(batch):
    return batch[:1] * 1.0
