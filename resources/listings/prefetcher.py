# SPDX-License-Identifier: MIT
from given import *

loader = [pinned_tensor() for _ in range(batches)]


def train(batch):
    return batch.sum()
