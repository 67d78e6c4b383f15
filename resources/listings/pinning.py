# SPDX-License-Identifier: MIT
# skip pin-thread: the listing leaves starting its thread to DataLoader
from given import *

import queue

ready = queue.Queue()
dataset = [torch.zeros(1024) for _ in range(batches)]
train, rest_of_step, check = one_kernel, nothing, nothing
