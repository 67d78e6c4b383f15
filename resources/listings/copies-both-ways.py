# SPDX-License-Identifier: MIT
from given import *

x = [on_gpu(bytes // chunks // 4) for _ in range(chunks)]
x_cpu = [pinned_tensor(bytes // chunks // 4) for _ in range(chunks)]
y_cpu = [pinned_tensor(bytes // chunks // 4) for _ in range(chunks)]
check = nothing
