# SPDX-License-Identifier: MIT
from given import *

w0 = [on_gpu(2, bytes // 8) for _ in range(room)]
w1 = [on_gpu(2, bytes // 8, gpu=1) for _ in range(room)]
g0 = [on_gpu(2, bytes // 8) for _ in range(room)]
g1 = [on_gpu(2, bytes // 8, gpu=1) for _ in range(room)]
compute0, comm0 = torch.cuda.Stream(device=0), torch.cuda.Stream(device=0)
compute1, comm1 = torch.cuda.Stream(device=1), torch.cuda.Stream(device=1)
forward, check = one_kernel, nothing


def backward(w, g):
    torch.mul(w, 1.0, out=g)
