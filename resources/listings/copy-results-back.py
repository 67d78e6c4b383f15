# SPDX-License-Identifier: MIT
from given import *

pinned = host_memory == "pinned"
a = [on_gpu(512, 512) for _ in range(matrices)]
b = [on_gpu(512, 512) for _ in range(matrices)]
check = nothing
