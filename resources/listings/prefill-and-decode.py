# SPDX-License-Identifier: MIT
from given import *

token, others, kv = on_gpu(1), on_gpu(), on_gpu(bytes // 4)
text = [on_gpu() for _ in range(chunks)]
token_cpu, kv_cpu = [pinned_tensor(1) for _ in range(2)], pinned_tensor(bytes // 4)
prefill, schedule = one_kernel, nothing


def decode(token, others, kv):
    one_kernel(token)


def joined(i):
    return request == "swap_in" and i >= 3 or request == "swap_in_own_stream" and i >= 9
