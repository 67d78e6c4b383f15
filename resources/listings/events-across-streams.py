# SPDX-License-Identifier: MIT
from given import *

a = [on_gpu(512, 512) for _ in range(rounds)]
b = [on_gpu(512, 512) for _ in range(rounds)]
y = [None] * rounds
y_cpu = [pinned_tensor(512, 512) for _ in range(rounds)]
x, x_cpu = on_gpu(input_bytes // 4), pinned_tensor(input_bytes // 4)
other_work = check = nothing
