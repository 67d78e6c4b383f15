# SPDX-License-Identifier: MIT
# skip item: it ends with the error that the lesson is about
# skip malloc: it ends with the error that the lesson is about
from given import *

work, x, loss, loss_cpu = torch.cuda.Stream(), on_gpu(), on_gpu(1), pinned_tensor(1)


def model(x):
    for _ in range(kernels):
        y = x * 1.0
    return y


def loss_of(x):
    return x.sum().reshape(1)


class library:
    @staticmethod
    def workspace(size):
        torch.cuda.empty_cache()
        return torch.empty(size, device="cuda")


size = 2**24
