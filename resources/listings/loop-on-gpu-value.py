# SPDX-License-Identifier: MIT
from given import *

inputs = torch.zeros(512, device="cuda")
inputs[0] = start


def fc1(inputs):
    return inputs * 1.0


def fc2(x):
    return x.sum()
