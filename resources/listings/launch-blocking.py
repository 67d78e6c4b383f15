# SPDX-License-Identifier: MIT
# environment: CUDA_LAUNCH_BLOCKING=1 # only launch-blocking
from given import *

left = right = one_kernel
weights = on_gpu(), on_gpu()


def next_batch():
    return weights
