# SPDX-License-Identifier: MIT
# skip item: it ends with the error that the lesson is about
# skip malloc: it ends with the error that the lesson is about
from given import *

x, loss, loss_cpu = on_gpu(), on_gpu(1), pinned_tensor(1)


def model(x):
    for _ in range(kernels):
        x.mul_(1.0)


def loss_of(x, out):
    torch.mul(x[:1], 1.0, out=out)


class library:
    @staticmethod
    def workspace(size):
        torch.cuda.empty_cache()
        return torch.empty(size, device="cuda")


size = 2**24
