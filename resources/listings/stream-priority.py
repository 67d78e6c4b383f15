# SPDX-License-Identifier: MIT
from given import *

x = [on_gpu(gpu=gpu) for gpu in range(gpus)]
gradients = [on_gpu(2**22, gpu=gpu) for gpu in range(gpus)]
query, answer = on_gpu(), on_gpu()
answer_cpu = pinned_tensor()
large, wait_for_request, reply = one_kernel, nothing, nothing
if request == "all_reduce":
    for _ in range(2):  # what NCCL sets up at first use
        torch.cuda.nccl.all_reduce(gradients)
    for gpu in range(gpus):
        torch.cuda.synchronize(gpu)


def small(query):
    return query + 1
