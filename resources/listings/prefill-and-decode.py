# SPDX-License-Identifier: MIT
from given import *

token, kv = on_gpu(1), on_gpu(bytes // 4)
text = [on_gpu() for _ in range(chunks)]
token_cpu, kv_cpu = [pinned_tensor(1) for _ in range(2)], pinned_tensor(bytes // 4)
decode = prefill = one_kernel
schedule = nothing
