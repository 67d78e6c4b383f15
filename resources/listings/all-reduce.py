# SPDX-License-Identifier: MIT
from given import *

model0, model1 = on_gpu(bytes // 4), on_gpu(bytes // 4, gpu=1)
other = [on_gpu(bytes // 4) for _ in range(buckets)]
compute0, comm0 = torch.cuda.Stream(device=0), torch.cuda.Stream(device=0)
compute1, comm1 = torch.cuda.Stream(device=1), torch.cuda.Stream(device=1)
check = nothing


def backward(model, k):
    return model + k


class Optimizer:
    def __init__(self, model):
        self.model = model

    def step(self):
        one_kernel(self.model)


optimizer0, optimizer1 = Optimizer(model0), Optimizer(model1)
