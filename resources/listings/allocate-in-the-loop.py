# SPDX-License-Identifier: MIT
# environment: PYTORCH_ALLOC_CONF=backend:cudaMallocAsync # only pool
# environment: PYTORCH_CUDA_ALLOC_CONF=backend:cudaMallocAsync # only pool
from given import *

x = on_gpu()
size = bytes


def layer(x, scratch):
    scratch.fill_(1)
