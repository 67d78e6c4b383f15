# SPDX-License-Identifier: MIT
# skip no-waits: how many kernels autograd, clip_grad_norm_ and AdamW launch depends on PyTorch's version
# skip clip: how many kernels autograd, clip_grad_norm_ and AdamW launch depends on PyTorch's version
# skip scaler: how many kernels autograd, clip_grad_norm_ and AdamW launch depends on PyTorch's version
# skip print: how many kernels autograd, clip_grad_norm_ and AdamW launch depends on PyTorch's version
# skip all-three: how many kernels autograd, clip_grad_norm_ and AdamW launch depends on PyTorch's version
# skip all-three-fused: how many kernels autograd, clip_grad_norm_ and AdamW launch depends on PyTorch's version
from given import *


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = torch.nn.ParameterList([torch.nn.Parameter(on_gpu()) for _ in range(parameters)])

    def forward(self, batch):
        for weight in self.weights:
            batch = batch * weight
        return batch.mean()


loader = [on_gpu() for _ in range(steps)]
model = Model()
optimizer = torch.optim.AdamW(model.parameters(), 1e-3, foreach=False, fused=fused)
scaler = torch.amp.GradScaler() if scaled else None
