# SPDX-License-Identifier: MIT
from given import *

x, token = on_gpu(), on_gpu(1)[0]
token_cpu = pinned_tensor(every + 1)
layer = sample = one_kernel
schedule = nothing
